/** Adds a picker to each input for a colour, and previews the pages in the chosen colours. */
const preview = document.querySelector("[data-pick-colour]");
const light = document.querySelector("#accent_colour");
const dark = document.querySelector("#accent_colour_dark");
const isColour = ({ value }) => /^#[0-9a-f]{6}$/i.test(value);
/** The defaults, as in style.css. */
const LIGHT = "#14575e";
const DARK = "#86cdd2";

const panel = (scheme) => preview.querySelector(`[data-scheme=${scheme}]`);
const show = () => {
  panel("light").style.setProperty("--accent", isColour(light) ? light.value : LIGHT);
  panel("dark").style.setProperty("--accent", isColour(dark) ? dark.value : DARK);
  // hidden if the service derives the dark colour from the light one
  panel("dark").hidden = isColour(light) && !isColour(dark);
};

for (const box of [light, dark]) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.ariaLabel = `${document.querySelector(`label[for=${box.id}]`).textContent}${preview.dataset.pickColour}`;
  const take = () => {
    if (isColour(box)) picker.value = box.value.toLowerCase();
    show();
  };
  picker.addEventListener("input", () => {
    box.value = picker.value;
    show();
  });
  box.addEventListener("input", take);
  box.after(picker);
  picker.value = LIGHT;
  take();
}
preview.hidden = false;
