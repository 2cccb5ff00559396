/** The editor's form and the rows of its fields: one more, one less. */

export const form = document.querySelector("form[data-editor]");

/** Call it after a script has changed the form: the other modules then react as if somebody had typed. */
export const changed = () => form.dispatchEvent(new Event("input"));

export const rowsOf = (field) => [...field.querySelectorAll(".entry")];
export const valueIn = (row) => row.querySelector("[name$='/value']");

const renumber = (row, index) => {
  for (const control of row.querySelectorAll("[name]")) {
    const here = (name) => name.replace(/\/\d+\/(\w+)$/, `/${index}/$1`);
    control.name = here(control.name);
    if (control.id) control.id = control.name;
    // what a chooser works with
    for (const key of ["pick", "create"])
      if (control.dataset[key]) control.dataset[key] = here(control.dataset[key]);
  }
  const reading = row.querySelector("output");
  if (reading) reading.htmlFor = valueIn(row).name;
};

/** A select that has no empty choice. */
const isChoiceOnly = (control) => control.matches("select:not(:has(option[value='']))");

export const addRow = (field) => {
  const rows = rowsOf(field);
  const row = rows.at(-1).cloneNode(true);
  for (const told of row.querySelectorAll(".fault, datalist[data-offers]")) told.remove();
  for (const reading of row.querySelectorAll("output")) reading.textContent = "";
  for (const control of row.querySelectorAll("[name]")) {
    if (!isChoiceOnly(control)) control.value = "";
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
    delete control.dataset.left;
    if (control.ariaLabel) control.ariaLabel = control.ariaLabel.replace(/\d+$/, String(rows.length + 1));
  }
  renumber(row, rows.length);
  field.querySelector(".entries").append(row);
  return row;
};

form.addEventListener("click", (event) => {
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
for (const button of form.querySelectorAll("[data-remove], [data-look-up]")) button.hidden = false;
