/** Years are chosen by drawing over the histogram; a click still follows the link of its bar. */
for (const svg of document.querySelectorAll("svg.histogram")) {
  const bars = [...svg.querySelectorAll("[data-from]")];
  const form = svg.closest("details").querySelector("form.years");
  const [from, to] = form.querySelectorAll("input:not([type=hidden])");
  let start = null;
  let end = null;

  const barAt = (x) => {
    const { left, width } = svg.getBoundingClientRect();
    return Math.min(Math.max(Math.floor(((x - left) / width) * bars.length), 0), bars.length - 1);
  };
  const mark = () => {
    const [first, last] = [Math.min(start, end), Math.max(start, end)];
    for (const [index, bar] of bars.entries())
      bar.classList.toggle("brushed", index >= first && index <= last);
    from.value = bars[first].dataset.from;
    to.value = bars[last].dataset.to;
  };
  const stop = () => {
    for (const bar of bars) bar.classList.remove("brushed");
    start = null;
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = end = barAt(event.clientX);
  });
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("pointermove", (event) => {
    if (start === null || (barAt(event.clientX) === end && start === end)) return;
    end = barAt(event.clientX);
    svg.setPointerCapture(event.pointerId);
    mark();
  });
  svg.addEventListener("pointerup", () => {
    if (start !== null && start !== end) form.requestSubmit();
    stop();
  });
  svg.addEventListener("pointercancel", stop);
}
