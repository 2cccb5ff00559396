/** Unsaved changes: the page shows them, asks before it is left, and keeps them in this browser for a week. */
import { prepare } from "./chooser.js";
import { addRow, changed, form, rowsOf } from "./editor-rows.js";
import { meta, settled } from "./service.js";

const DRAFT = `svc-draft:${meta("account")}:${form.dataset.editor}`;
const KEPT_FOR = 7 * 86_400_000;
const unsaved = form.querySelector("[data-unsaved]");
const version = form.elements.version;
let isChanged = false;

const typed = () => [...new FormData(form)].filter(([name]) => !/^(_csrf|version|keep\/.*)$/.test(name));
const keep = settled(500, async () => {
  if (!isChanged) return;
  const draft = { at: Date.now(), version: version?.value ?? "", fields: typed() };
  try {
    localStorage.setItem(DRAFT, JSON.stringify(draft));
  } catch {
    // the browser cannot store drafts, or has no more room
  }
});

const noteChange = () => {
  isChanged = true;
  unsaved.hidden = false;
  keep();
};
form.addEventListener("input", noteChange);
form.addEventListener("change", noteChange);
form.addEventListener("submit", () => {
  isChanged = false;
  sessionStorage.setItem("svc-saving", DRAFT);
});
addEventListener("beforeunload", (event) => {
  if (isChanged) event.preventDefault();
});

const draftOf = () => {
  try {
    const draft = JSON.parse(localStorage.getItem(DRAFT));
    return draft && Date.now() - draft.at < KEPT_FOR ? draft : null;
  } catch {
    return null;
  }
};

const fill = ({ fields, version: before }) => {
  const given = new Map(fields);
  for (const field of form.querySelectorAll(".field:is([data-field], [data-prefix])")) {
    const prefix = field.dataset.prefix ?? `metadata_/${field.dataset.field}/`;
    const names = [...given.keys()].filter((name) => name.startsWith(prefix));
    const wanted = Math.max(...names.map((name) => Number(name.slice(prefix.length).split("/")[0]) + 1), 1);
    while (rowsOf(field).length < wanted) addRow(field);
  }
  for (const control of form.querySelectorAll(
    "input[name]:not([type=hidden], [type=radio]), select[name], textarea[name]",
  )) {
    control.value = given.get(control.name) ?? "";
    const folded = control.value !== "" && control.closest(".add-field details");
    if (folded) for (const fold of [folded, folded.closest(".add-field")]) fold.open = true;
  }
  // with the older version, saving compares the draft with later changes by others
  if (version && before) version.value = before;
  prepare(form);
  changed();
};

const note = form.querySelector("[data-draft]");
const draft = draftOf();
// after a refusal, the page itself shows the typed values
if (
  draft &&
  !form.querySelector("[role=alert]") &&
  JSON.stringify(draft.fields) !== JSON.stringify(typed())
) {
  const time = note.querySelector("time");
  time.dateTime = new Date(draft.at).toISOString();
  const { lang } = document.documentElement;
  // the same format as on other pages
  const written = { dateStyle: "medium", timeStyle: "short" };
  time.textContent = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, written)
    .formatToParts(draft.at)
    .map(({ type, value }) => (type === "day" && value === "1" ? note.dataset.first : value))
    .join("");
  note.hidden = false;
  note.querySelector("[data-take]").addEventListener("click", () => {
    note.hidden = true;
    fill(draft);
  });
  note.querySelector("[data-discard]").addEventListener("click", () => {
    note.hidden = true;
    localStorage.removeItem(DRAFT);
  });
}
