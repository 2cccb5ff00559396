/** The form for the meanings of columns: lists the columns left out, and finds a meaning by name. */
import { folded } from "./service.js";

const table = document.querySelector(".mapping");
const selects = [...table.querySelectorAll("select[name^='target/']")];

const note = document.querySelector("[data-left-out]");
const tell = () => {
  const left = selects.filter(({ value }) => value === "");
  const names = left.map((select) => select.closest("tr").querySelector("[data-column]").textContent);
  note.hidden = names.length === 0;
  note.querySelector("b").textContent = names.join(" · ");
};
table.addEventListener("change", tell);
tell();

/* removes and restores options, because not every browser can hide them */
const find = document.querySelector("[data-find-target]");
const all = selects.map((select) => [
  select,
  [...select.children].map((child) => ({ child, options: [...child.children] })),
]);
find.hidden = false;
find.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault();
});
find.addEventListener("input", () => {
  const asked = folded(find.value.trim());
  for (const [select, groups] of all) {
    const { value } = select;
    for (const { child, options } of groups) {
      // a matching name of a group shows the whole group
      const isWhole = child.label !== undefined && folded(child.label).includes(asked);
      const isShown = (option) =>
        isWhole || option.value === value || folded(option.textContent).includes(asked);
      if (child.tagName === "OPTGROUP") child.replaceChildren(...options.filter(isShown));
    }
    const isFull = ({ child }) => child.tagName === "OPTION" || child.childElementCount > 0;
    select.replaceChildren(...groups.filter(isFull).map(({ child }) => child));
    select.value = value;
  }
});
