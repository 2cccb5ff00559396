/** Opens records, pages and forms by name; shows the keys. Uses links in dialogs, so that every key works as usual. */
import { folded, settled } from "./service.js";

const dialog = document.querySelector("#palette");
const [input, list, told] = ["input", "ul", "[role=status]"].map((each) => dialog.querySelector(each));
const pages = [...list.querySelectorAll("[data-page]")];

const show = () => {
  const q = input.value.trim();
  const words = folded(q).split(/\s+/);
  for (const page of pages) page.hidden = !words.every((word) => folded(page.textContent).includes(word));
  for (const record of list.querySelectorAll("li:not([data-page])")) record.remove();
  told.textContent = "";
  find(q);
};

/** Finds records on the page with all results. */
const find = settled(200, async (q) => {
  if (q.length < 2) return;
  // the last word may be incomplete
  const begun = q.replace(/(?<=[\p{L}\p{N}])$/u, "*");
  const answer = await fetch(`${dialog.dataset.find}?${new URLSearchParams({ q: begun })}`, {
    headers: { Accept: "text/html" },
  }).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  if (input.value.trim() !== q) return;
  const found = [...(page?.querySelectorAll("#found li") ?? [])];
  list.append(...found);
  const notes = [...(page?.querySelectorAll("main :is(.note, .meant)") ?? [])];
  told.textContent = notes.map((note) => note.textContent.trim()).join(" ");
  if (found.length === 0 && pages.every((page) => page.hidden)) told.textContent ||= dialog.dataset.nothing;
});

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
  if (isTyping) return;
  if (event.key === "?" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    open("keys");
  }
  if (event.key === "/") {
    event.preventDefault();
    document.querySelector('[data-key="/"]')?.focus();
  }
});
