/** The editor's form: adds and removes rows of its fields. */

import { prepare } from "./chooser.js";

export const form = document.querySelector("form[data-editor]");

/** Call it after a script has changed the form: the other modules then react as to typing. */
export const changed = () => form.dispatchEvent(new Event("input"));

export const rowsOf = (field) => [...field.querySelectorAll(".entry")];
export const valueIn = (row) => row.querySelector("[name$='/value']");

const renumber = (row, index) => {
  for (const control of row.querySelectorAll("[name]")) {
    const here = (name) => name.replace(/\/\d+\/(\w+)$/, `/${index}/$1`);
    control.name = here(control.name);
    if (control.id) control.id = control.name;
    // attributes for the chooser
    for (const key of ["pick", "create"])
      if (control.dataset[key]) control.dataset[key] = here(control.dataset[key]);
  }
  for (const asks of row.querySelectorAll("[name=term], [name=wording]")) asks.value = valueIn(row).name;
  const reading = row.querySelector("output");
  if (reading) reading.htmlFor = valueIn(row).name;
};

/** A select that has no empty choice. */
const isChoiceOnly = (control) => control.matches("select:not(:has(option[value='']))");

export const addRow = (field) => {
  const rows = rowsOf(field);
  const row = rows.at(-1).cloneNode(true);
  for (const told of row.querySelectorAll(".fault, [name=wording], datalist[data-offers]")) told.remove();
  for (const reading of row.querySelectorAll("output")) reading.textContent = "";
  for (const told of row.querySelectorAll("[data-unlisted]")) told.hidden = true;
  for (const control of row.querySelectorAll("[name]")) {
    if (!isChoiceOnly(control)) control.value = "";
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
    control.removeAttribute("autofocus");
    delete control.dataset.left;
  }
  for (const named of row.querySelectorAll("[aria-label]")) {
    named.ariaLabel = named.ariaLabel.replace(/\d+$/, String(rows.length + 1));
  }
  renumber(row, rows.length);
  field.querySelector(".entries").append(row);
  return row;
};

form.addEventListener("click", (event) => {
  const asked = event.target.closest("button:is([name=wording], [name=term])");
  if (asked) {
    event.preventDefault();
    again(asked.name, asked.value).catch(() => {});
    return;
  }
  const more = event.target.closest("button[name=more]");
  if (more) {
    event.preventDefault();
    valueIn(addRow(more.closest(".field"))).focus();
    return;
  }
  const remove = event.target.closest("[data-remove]");
  if (!remove) return;
  const row = remove.closest(".entry");
  const field = row.closest(".field");
  if (rowsOf(field).length > 1) row.remove();
  else for (const control of row.querySelectorAll("[name]")) if (!isChoiceOnly(control)) control.value = "";
  rowsOf(field).forEach(renumber);
  valueIn(field).focus();
  changed();
});
const showButtons = () => {
  for (const button of form.querySelectorAll("[data-remove], [data-look-up]")) button.hidden = false;
};
showButtons();

/** Reloads the fields from the service with the typed values, without saving. `name` and `value` tell the service what to change. */
export const again = async (name, value) => {
  const body = new URLSearchParams(new FormData(form));
  body.set(name, value);
  const answer = await fetch(form.action, { method: "POST", headers: { Accept: "text/html" }, body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  // a form with faults or a conflict has groups, too; other refusals have no form
  const groups = page.querySelector("form[data-editor] .groups");
  if (!groups) return;
  // values typed while the service answered
  const since = [...new FormData(form)].filter(([control, text]) => body.get(control) !== text);
  const { id, selectionEnd: caret } = document.activeElement;
  form.querySelector(".groups").replaceWith(groups);
  for (const [control, text] of since) if (form.elements[control]) form.elements[control].value = text;
  showButtons();
  prepare(form);
  const at = id && document.getElementById(id);
  if (at) {
    at.focus();
    if (typeof caret === "number") at.setSelectionRange?.(caret, caret);
  }
  changed();
};

/* an opened field gets the focus */
form.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.open) target.querySelector(":scope > .field [name$='/value']")?.focus();
  },
  true,
);
