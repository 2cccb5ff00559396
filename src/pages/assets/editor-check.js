/** Checks the form during typing: faults of fields that have lost the focus, readings of dates, missing fields. */
import { changed, form, rowsOf, valueIn } from "./editor-rows.js";
import { make, settled } from "./service.js";

const tell = (control, sentence) => {
  const place = control.closest(".entry") ?? control.closest(".field");
  const id = `${control.name}-fault`;
  const told = [...place.querySelectorAll(".fault")].find((each) => each.id === id);
  const others = (control.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .filter((each) => each && each !== id);
  if (sentence === "") {
    told?.remove();
    control.removeAttribute("aria-invalid");
  } else {
    if (told) told.textContent = sentence;
    else place.append(make("p", { className: "fault", id, textContent: sentence }));
    control.setAttribute("aria-invalid", "true");
    others.push(id);
  }
  if (others.length > 0) control.setAttribute("aria-describedby", others.join(" "));
  else control.removeAttribute("aria-describedby");
};

const showFaults = (faults) => {
  for (const field of form.querySelectorAll(".field")) {
    // empty rows are not sent, so the service does not count them
    const rows = rowsOf(field).filter((row) => valueIn(row).value.trim() !== "");
    for (const control of field.querySelectorAll(
      "[name]:not([type=radio], button, [name$='/lang'], [name$='/new'])",
    )) {
      if (!control.dataset.left && !control.hasAttribute("aria-invalid")) continue;
      const row = rows.findIndex((each) => each.contains(control));
      const [, name] = /^metadata_\/([^/]+)\//.exec(control.name) ?? [];
      const pointer = name ? `/metadata_/${name}/${row}` : `/${control.name}`;
      const own = faults.filter(
        (fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`),
      );
      tell(control, own.map(({ detail }) => detail).join(form.dataset.semicolon));
    }
  }
};

const showReading = (control, { text, suggestions, keeps }) => {
  const place = control.closest(".entry").querySelector("[data-reading]");
  const offers = suggestions.map((each) => {
    const button = make(
      "button",
      { type: "button", className: "quiet small" },
      `${each.edtf} (${each.text})`,
    );
    button.addEventListener("click", () => {
      control.value = each.edtf;
      control.focus();
      changed();
    });
    return button;
  });
  const keep = make("button", { name: "wording", value: control.name, className: "quiet small" });
  keep.append(form.dataset.keep);
  place.replaceChildren(
    ...(offers.length > 0 ? [`${form.dataset.suggested} `, ...offers] : [text]),
    ...(keeps && control.dataset.left ? [keep] : []),
  );
};

const showMissing = (missing) => {
  const place = form.querySelector("[data-missing]");
  const links = missing.flatMap(({ name, label }, index) => [
    ...(index > 0 ? [", "] : []),
    make("a", { href: `#metadata_/${name}` }, label),
  ]);
  place.querySelector("span").replaceChildren(...links);
  place.hidden = missing.length === 0;
};

let checks = 0;
const check = settled(300, async () => {
  const number = ++checks;
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.dataset.check, { method: "POST", headers: { Accept: "text/html" }, body });
  // a newer check covers later changes
  if (!answer.ok || number !== checks) return;
  const { faults, missing, readings, unlisted } = await answer.json();
  showFaults(faults);
  showMissing(missing);
  for (const told of form.querySelectorAll("[data-unlisted]")) {
    const control = valueIn(told.closest(".entry"));
    // not during typing, when a term may be incomplete
    told.hidden =
      !unlisted.includes(control.name) || (control === document.activeElement && !control.dataset.left);
  }
  for (const control of form.querySelectorAll("[data-date]")) {
    showReading(control, readings[control.name] ?? { text: "", suggestions: [], keeps: false });
  }
});

if (form.dataset.check) {
  form.addEventListener("input", check);
  form.addEventListener("change", (event) => {
    event.target.dataset.left = "yes";
    check();
  });
}
