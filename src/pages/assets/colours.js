/** Beside the boxes for colours: a picker each, and how the pages look with what is chosen. */
const preview = document.querySelector("[data-pick-colour]");
const light = document.querySelector("#accent_colour");
const dark = document.querySelector("#accent_colour_dark");
const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text);

const show = () => {
  const accent = isColour(light.value) ? light.value : "#14575e";
  const inDark = isColour(dark.value) ? dark.value : `color-mix(in srgb, ${accent}, white 50%)`;
  for (const [scheme, colour] of [
    ["light", accent],
    ["dark", inDark],
  ])
    preview.querySelector(`[data-scheme=${scheme}]`).style.setProperty("--accent", colour);
};

for (const box of [light, dark]) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.ariaLabel = `${document.querySelector(`label[for=${box.id}]`).textContent}: ${preview.dataset.pickColour}`;
  const take = () => {
    if (isColour(box.value)) picker.value = box.value.toLowerCase();
    show();
  };
  picker.addEventListener("input", () => {
    box.value = picker.value;
    show();
  });
  box.addEventListener("input", take);
  box.after(picker);
  picker.value = "#14575e";
  take();
}
preview.hidden = false;
