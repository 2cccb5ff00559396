/** The editor with scripts: rows, words of the service while typing, look-ups, drafts. Everything works without, too. */

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
const form = document.querySelector("form[data-editor]");
const messages = form.dataset;

const api = async (path) => {
  const answer = await fetch(`${meta("base")}${path}`, {
    headers: { Accept: "application/json", "X-CSRF-Token": meta("csrf") },
  });
  if (!answer.ok) throw new Error(`${path} answered with ${answer.status}`);
  return answer.json();
};

/** Calls the last of several quick calls only. What fails then is a help less, and nothing else. */
const settled = (milliseconds, work) => {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      await work(...given).catch(() => {});
    }, milliseconds);
  };
};

const make = (tag, properties = {}, ...content) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
};

/* rows of a field: one more, one less */
const rowsOf = (field) => [...field.querySelectorAll(".entry")];
const valueIn = (row) => row.querySelector("[name$='/value']");

const renumber = (row, index) => {
  for (const control of row.querySelectorAll("[name]")) {
    control.name = control.name.replace(/\/\d+\/(value|lang)$/, `/${index}/$1`);
    if (control.id) control.id = control.name;
  }
  const reading = row.querySelector("output");
  if (reading) reading.htmlFor = valueIn(row).name;
};

const addRow = (field) => {
  const rows = rowsOf(field);
  const row = rows.at(-1).cloneNode(true);
  for (const told of row.querySelectorAll(".fault, datalist[data-offers]")) told.remove();
  for (const reading of row.querySelectorAll("output")) reading.textContent = "";
  for (const control of row.querySelectorAll("[name]")) {
    control.value = "";
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
  else for (const control of row.querySelectorAll("[name]")) control.value = "";
  rowsOf(field).forEach(renumber);
  valueIn(field).focus();
  noteChange();
});
for (const button of form.querySelectorAll("[data-remove], [data-look-up]")) button.hidden = false;

/* what the service says of what was typed: faults of what somebody has left, dates in words, what is missing */
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
    // rows that are empty are not sent, so the service counts without them
    const rows = rowsOf(field).filter((row) => valueIn(row).value.trim() !== "");
    for (const control of field.querySelectorAll("[name]:not([type=radio], button, [name$='/lang'])")) {
      if (!control.dataset.left && !control.hasAttribute("aria-invalid")) continue;
      const row = rows.findIndex((each) => each.contains(control));
      const [, name] = /^metadata_\/([^/]+)\//.exec(control.name) ?? [];
      const pointer = name ? `/metadata_/${name}/${row}` : `/${control.name}`;
      const own = faults.filter(
        (fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`),
      );
      tell(control, own.map(({ detail }) => detail).join("; "));
    }
  }
};

const showReading = (control, { text, suggestions }) => {
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
      noteChange();
    });
    return button;
  });
  place.replaceChildren(...(offers.length > 0 ? [`${messages.suggested} `, ...offers] : [text]));
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
  const answer = await fetch(messages.check, { method: "POST", headers: { Accept: "text/html" }, body });
  // what was typed meanwhile is asked for again
  if (!answer.ok || number !== checks) return;
  const { faults, missing, readings } = await answer.json();
  showFaults(faults);
  showMissing(missing);
  for (const control of form.querySelectorAll("[data-date]")) {
    showReading(control, readings[control.name] ?? { text: "", suggestions: [] });
  }
});

/* what is not saved: said, asked about, and kept in this browser */
const DRAFT = `svc-draft:${meta("account")}:${messages.editor}`;
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
    // a browser that keeps nothing, or no more
  }
});

const noteChange = () => {
  isChanged = true;
  unsaved.hidden = false;
  keep();
  if (messages.check) check();
};
form.addEventListener("input", noteChange);
form.addEventListener("change", (event) => {
  event.target.dataset.left = "yes";
  noteChange();
});
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
  for (const field of form.querySelectorAll("fieldset.field[data-field]")) {
    const names = [...given.keys()].filter((name) => name.startsWith(`metadata_/${field.dataset.field}/`));
    const wanted = Math.max(...names.map((name) => Number(name.split("/")[2]) + 1), 1);
    while (rowsOf(field).length < wanted) addRow(field);
  }
  for (const control of form.querySelectorAll(
    "input[name]:not([type=hidden], [type=radio]), select[name], textarea[name]",
  )) {
    control.value = given.get(control.name) ?? "";
  }
  // saved over an older version, it is compared with what others have done since
  if (version && before) version.value = before;
  noteChange();
};

const note = form.querySelector("[data-draft]");
const draft = draftOf();
// the page that comes after a refusal has what was typed
if (
  draft &&
  !form.querySelector("[role=alert]") &&
  JSON.stringify(draft.fields) !== JSON.stringify(typed())
) {
  const time = note.querySelector("time");
  time.dateTime = new Date(draft.at).toISOString();
  const { lang } = document.documentElement;
  // as the other pages have their times
  const written = { dateStyle: "medium", timeStyle: "short" };
  time.textContent = new Date(draft.at).toLocaleString(lang === "en" ? "en-GB" : lang, written);
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

/* terms of a vocabulary that is too long to be chosen from */
const offerTerms = settled(200, async (input) => {
  const q = input.value.trim();
  if (q === "") return;
  const vocabulary = encodeURIComponent(input.dataset.terms);
  const { items } = await api(`/v1/vocabularies/${vocabulary}/terms?page_size=20&q=${encodeURIComponent(q)}`);
  if (input.value.trim() !== q) return;
  let list = input.parentElement.querySelector("datalist[data-offers]");
  if (!list) {
    list = make("datalist", { id: `terms-${crypto.randomUUID()}` });
    list.dataset.offers = "";
    input.after(list);
    input.setAttribute("list", list.id);
  }
  const { lang } = document.documentElement;
  list.replaceChildren(
    ...items.map(({ value, label }) => make("option", { value, label: label[lang] ?? label.en ?? value })),
  );
});
form.addEventListener("input", ({ target }) => {
  if (target.dataset.terms) offerTerms(target);
});

/* names in the authority files of others */
const dialog = document.querySelector("#look-up");
const SOURCES = { gnd: "GND", geonames: "GeoNames", wikidata: "Wikidata" };
let asked;

const search = async () => {
  const [told, list, words] = ["[role=status]", "ul", "input"].map((each) => dialog.querySelector(each));
  const q = words.value.trim();
  list.replaceChildren();
  if (q === "") return;
  told.textContent = dialog.dataset.searching;
  try {
    const { items } = await api(`/v1/authorities/${asked.source}?q=${encodeURIComponent(q)}`);
    told.textContent = items.length === 0 ? dialog.dataset.nothing : "";
    list.replaceChildren(...items.map((item) => make("li", {}, choice(item))));
  } catch {
    told.textContent = dialog.dataset.failed;
  }
};

const choice = ({ uri, label, description }) => {
  const button = make("button", { type: "button", className: "quiet" }, make("b", {}, label));
  if (description) button.append(" ", make("small", {}, description));
  button.addEventListener("click", () => {
    asked.control.value = uri;
    asked.control.dataset.left = "yes";
    const title = form.querySelector(`[name="metadata_/${messages.title}/0/value"]`);
    if (title.value.trim() === "") title.value = label;
    const row = asked.control.closest(".entry");
    row.querySelector("output")?.remove();
    row.append(make("output", { className: "help" }, `${dialog.dataset.taken} ${label}`));
    dialog.close();
    asked.control.focus();
    noteChange();
  });
  return button;
};

form.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-look-up]");
  if (!button) return;
  asked = { source: button.dataset.lookUp, control: valueIn(button.closest(".entry")) };
  const title = form.querySelector(`[name="metadata_/${messages.title}/0/value"]`);
  dialog.querySelector("[data-source]").textContent = SOURCES[asked.source];
  dialog.querySelector("input").value = title.value.trim();
  dialog.querySelector("[role=status]").textContent = "";
  dialog.showModal();
  search();
});
dialog?.querySelector("form").addEventListener("submit", (event) => {
  if (event.submitter?.value === "cancel") return;
  event.preventDefault();
  search();
});

/* Ctrl+S or ⌘S saves */
addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  const save = form.querySelector(".bar button:not([name])");
  if (!save) return;
  event.preventDefault();
  form.requestSubmit(save);
});
