/** Looks up names in authority files. */
import { changed, form, valueIn } from "./editor-rows.js";
import { api, make } from "./service.js";

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
    const title = form.querySelector(`[name="metadata_/${form.dataset.title}/0/value"]`);
    if (title.value.trim() === "") title.value = label;
    const row = asked.control.closest(".entry");
    row.querySelector("output")?.remove();
    row.append(make("output", { className: "help" }, `${dialog.dataset.taken} ${label}`));
    dialog.close();
    asked.control.focus();
    changed();
  });
  return button;
};

form.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-look-up]");
  if (!button) return;
  asked = { source: button.dataset.lookUp, control: valueIn(button.closest(".entry")) };
  const title = form.querySelector(`[name="metadata_/${form.dataset.title}/0/value"]`);
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
