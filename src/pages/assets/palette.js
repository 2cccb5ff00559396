/** Goes to records by number or title, to pages, to new records; shows the keys. Links in dialogs, so that every key works as usual. */

import { api, make } from "./service.js";

const dialog = document.querySelector("#palette");
const [input, list, told] = ["input", "ul", "[role=status]"].map((each) => dialog.querySelector(each));
const kinds = JSON.parse(dialog.dataset.kinds);
const pages = [...list.querySelectorAll("[data-page]")];
const MOST = 8;

const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const linkTo = ({ id, record_type, title }) => {
  const { path, label } = kinds[record_type];
  const link = make("a", { href: `${path}/${id}`, dir: "auto" }, title);
  return make("li", {}, link, " ", make("small", {}, label));
};

let waiting;
const show = () => {
  clearTimeout(waiting);
  const q = input.value.trim();
  const words = folded(q).split(/\s+/);
  for (const page of pages) page.hidden = !words.every((word) => folded(page.textContent).includes(word));
  for (const record of list.querySelectorAll("li:not([data-page])")) record.remove();
  told.textContent = "";
  if (q.length >= 2) waiting = setTimeout(() => records(q), 200);
};

const records = async (q) => {
  const asked = encodeURIComponent(q);
  // what fails finds nothing, and the others still do
  const find = (path) => api(path).catch(() => ({}));
  const [numbers, begins, words] = await Promise.all([
    kinds.object ? find(`/v1/objects?include=title&page_size=${MOST}&q=${asked}`) : {},
    find(`/v1/search/suggest?limit=${MOST}&q=${asked}`),
    find(`/v1/search?page_size=${MOST}&q=${asked}`),
  ]);
  if (input.value.trim() !== q) return;
  const found = new Map();
  for (const { id, idno, title } of numbers.items ?? []) {
    found.set(id, {
      id,
      record_type: "object",
      title: title && title !== idno ? `${title} (${idno})` : idno,
    });
  }
  for (const one of [...(begins.records ?? []), ...(words.items ?? [])]) {
    if (!found.has(one.id) && kinds[one.record_type]) found.set(one.id, one);
  }
  list.append(...[...found.values()].slice(0, MOST).map(linkTo));
  if (found.size === 0 && pages.every((page) => page.hidden)) told.textContent = dialog.dataset.nothing;
};

const links = () => [...list.querySelectorAll("li:not([hidden]) a")];

input.addEventListener("input", show);
dialog.addEventListener("keydown", (event) => {
  const all = links();
  const at = all.indexOf(document.activeElement);
  if (event.key === "Enter" && document.activeElement === input) {
    event.preventDefault();
    all[0]?.click();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const next = event.key === "ArrowDown" ? all[at + 1] : all[at - 1];
  if (next) next.focus();
  else if (event.key === "ArrowUp") input.focus();
});

const open = (id) => {
  const asked = document.querySelector(`#${id}`);
  if (asked.open || document.querySelector("dialog[open]")) return;
  asked.showModal();
  if (asked !== dialog) return;
  input.value = "";
  show();
  input.focus();
};

for (const button of document.querySelectorAll("[data-opens]")) {
  button.hidden = false;
  button.addEventListener("click", () => open(button.dataset.opens));
}

addEventListener("keydown", (event) => {
  if (
    event.key.toLowerCase() === "k" &&
    (event.ctrlKey || event.metaKey) &&
    !event.shiftKey &&
    !event.altKey
  ) {
    event.preventDefault();
    open("palette");
  }
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key === "?" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    open("keys");
  }
});
