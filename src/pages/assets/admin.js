/** Makes the staff interface quicker. Everything works without it, too. */

import { prepare } from "./chooser.js";
import { api, make, meta, settled } from "./service.js";

/* on a telephone, the rail starts closed */
const rail = document.querySelector(".rail");
if (rail && matchMedia("(width < 60rem)").matches) rail.open = false;

/* drafts of the editor in this browser belong to one account, until it saves them or signs out (editor.js) */
const DRAFTS = "svc-draft:";
const own = `${DRAFTS}${meta("account")}:`;
const dropDrafts = (isDropped) => {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(DRAFTS) && isDropped(key)) localStorage.removeItem(key);
  }
};
if (meta("account")) dropDrafts((key) => !key.startsWith(own));
if (meta("saved")) {
  const saved = sessionStorage.getItem("svc-saving");
  if (saved) dropDrafts((key) => key === saved);
}
sessionStorage.removeItem("svc-saving");
document.querySelector("[data-sign-out]")?.addEventListener("submit", () => dropDrafts(() => true));

/* a refused form keeps the typed values, below the reason; the editor does so itself */
const SENT = "svc-sent";
const sent = JSON.parse(sessionStorage.getItem(SENT));
sessionStorage.removeItem(SENT);
const pathOf = (form) => new URL(form.getAttribute("action"), location.href).pathname;
if (sent?.path === location.pathname && document.querySelector("main [role=alert]")) {
  const names = sent.typed.map(([name]) => name);
  const form = [...document.querySelectorAll("main form[method=post]:not([data-editor])")].find(
    (each) => pathOf(each) === sent.path && names.every((name) => each.elements[name]),
  );
  for (const control of form?.elements ?? []) {
    const values = sent.typed.filter(([name]) => name === control.name).map(([, value]) => value);
    if (/checkbox|radio/.test(control.type)) control.checked = values.includes(control.value);
    else if (control.type !== "hidden" && values.length > 0) control.value = values[0];
  }
  for (let fold = form?.closest("details"); fold; fold = fold.parentElement.closest("details"))
    fold.open = true;
  if (form) {
    const refusal = document.querySelector("main [role=alert]");
    form.before(refusal);
    refusal.scrollIntoView({ block: "center" });
    prepare(form);
  }
}
addEventListener("submit", ({ target }) => {
  if (!target.matches("main form[method=post]:not([data-editor], [data-upload], :has([name*=password]))"))
    return;
  const typed = [...new FormData(target)].filter(
    ([name, value]) => name !== "_csrf" && typeof value === "string",
  );
  sessionStorage.setItem(SENT, JSON.stringify({ path: pathOf(target), typed }));
});

/* uploads several files at once, each with its progress, to the page, which answers in the reader's language */
const send = (url, record, file, bar) =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append("file", file);
    request.open("POST", url);
    request.setRequestHeader("Accept", "text/html");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = loaded / total;
    });
    request.addEventListener("loadend", () => {
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      // redirected to the record, or elsewhere if the session has ended
      if (request.status === 200 && new URL(request.responseURL).pathname === record)
        return resolve({ page });
      // only some refusals have a list of faults
      const told =
        page.querySelector(".fault-page li, [role=alert] li") ??
        page.querySelector(".fault-page .help") ??
        page.querySelector(".fault-page h1 + p") ??
        page.querySelector("main h1");
      resolve({ fault: told?.textContent ?? (request.statusText || "–") });
    });
    request.send(body);
  });

const sendAll = async (drop, files) => {
  const list = drop.querySelector("[data-progress]");
  const again = drop.querySelector("[data-again]");
  const record = new URL(drop.action).pathname.replace(/\/media$/, "");
  let refused = 0;
  let after;
  for (const file of files) {
    const bar = make("progress");
    const item = make("li", {}, make("label", {}, file.name, bar));
    list.append(item);
    const { fault, page } = await send(drop.action, record, file, bar);
    if (page) {
      after = page;
      bar.value = 1;
      continue;
    }
    refused++;
    item.replaceChildren(make("p", { className: "fault" }, `${file.name}${drop.dataset.colon} ${fault}`));
  }
  // refusals stay on the page; reloading the page of a refused deletion would send the deletion again
  if (refused > 0) again.hidden = refused === files.length;
  else if (location.pathname !== record) location.replace(`${record}#media`);
  else {
    // keeps unsaved changes on the page
    document.querySelector("#media").replaceWith(after.querySelector("#media"));
    document.querySelector("#media [type=file]").focus();
    // each file creates a version of the object; more versions come from other people, and saving will say so
    const [seen, now] = [document, after].map((page) => page.querySelector(".editor [name=version]"));
    if (Number(now.value) === Number(seen.value) + files.length) seen.value = now.value;
  }
};

const drops = (type, react) =>
  document.addEventListener(type, (event) => {
    const drop = event.target.closest?.("[data-upload]");
    if (!drop) return;
    if (type !== "dragleave") event.preventDefault();
    drop.classList.toggle("over", type === "dragover");
    react?.(drop, event);
  });
drops("submit", (drop) => sendAll(drop, [...drop.elements.file.files]));
drops("drop", (drop, { dataTransfer }) => sendAll(drop, [...dataTransfer.files]));
drops("dragover");
drops("dragleave");

/* only links to makers have a qualifier; hidden controls are not sent */
for (const part of document.querySelectorAll("[data-qualifying]")) {
  const type = part.form.elements.relation_type;
  const show = () => {
    part.hidden = part.disabled = !("qualifies" in type.selectedOptions[0].dataset);
  };
  type.addEventListener("change", show);
  show();
}

/* suggests terms of a vocabulary during typing */
let offers = 0;
const offerTerms = settled(200, async (input) => {
  const q = input.value.trim();
  if (q === "") return;
  const vocabulary = encodeURIComponent(input.dataset.terms);
  const { items } = await api(`/v1/vocabularies/${vocabulary}/terms?page_size=20&q=${encodeURIComponent(q)}`);
  if (input.value.trim() !== q) return;
  let list = input.parentElement.querySelector("datalist[data-offers]");
  if (!list) {
    offers += 1;
    list = make("datalist", { id: `offers-${offers}` });
    list.dataset.offers = "";
    input.after(list);
    input.setAttribute("list", list.id);
  }
  const { lang } = document.documentElement;
  const labels = items.map(({ label }) => label[lang]);
  const isOne = (name) =>
    name && items.filter(({ value, label }) => [value, label[lang]].includes(name)).length === 1;
  const byLabel = "byLabel" in input.dataset;
  list.replaceChildren(
    ...items.map(({ value, label }, i) =>
      byLabel && isOne(labels[i])
        ? make("option", { value: labels[i] })
        : make("option", { value, label: label[lang] ?? label.en ?? value }),
    ),
  );
});
document.addEventListener("input", ({ target }) => {
  if (target.dataset.terms) offerTerms(target);
});

/* refresh a running job until it ends */
const watch = () =>
  setTimeout(async () => {
    // an error may be temporary
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (answer) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.querySelector("#live");
      if (!next) return;
      document.querySelector("#live").replaceWith(next);
    }
    if (document.querySelector("#live[data-live]")) watch();
  }, 2000);
if (document.querySelector("#live[data-live]")) watch();

/* the address of a list contains only the filters in use */
document.querySelector(".list-filters")?.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
});

/* rows of a list: a box for all, ranges with Shift, the number ticked, and all results of the list */
const chooser = document.querySelector(".chooser");
if (chooser) {
  const all = chooser.querySelector("[data-pick-all]");
  const boxes = [...chooser.querySelectorAll("[name^='pick/']")];
  const scope = chooser.elements.scope;
  const told = chooser.querySelector("[data-picked]");
  const found = chooser.querySelector("[data-found]");
  let last = -1;
  const tell = (isFound = false) => {
    const ticked = boxes.filter((box) => box.checked).length;
    const isWhole = ticked === boxes.length;
    scope.value = isFound ? "found" : "chosen";
    all.checked = isWhole;
    all.indeterminate = ticked > 0 && !isWhole;
    told.hidden = ticked === 0;
    told.value = isFound ? told.dataset.all : told.dataset.some.replace("{count}", ticked);
    if (found) found.hidden = !isWhole || isFound;
    chooser.classList.toggle("any", ticked > 0);
  };
  all.hidden = false;
  const asksWhich = chooser.querySelector("[data-scope]");
  if (asksWhich) asksWhich.hidden = true;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    tell();
  });
  found?.addEventListener("click", () => {
    tell(true);
    all.focus();
  });
  boxes.forEach((box, index) => {
    // otherwise, Shift and a click would select text
    box.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault());
    box.addEventListener("click", ({ shiftKey }) => {
      if (shiftKey && last >= 0)
        for (const each of boxes.slice(Math.min(last, index), Math.max(last, index) + 1))
          each.checked = box.checked;
      last = index;
      tell();
    });
  });
  // also when the browser goes back and restores ticks
  addEventListener("pageshow", () => tell(scope.value === "found" && boxes.every((box) => box.checked)));
}
