/**
 * Chooses records by name while somebody types: a combobox with a list (ARIA APG), the same for every input with `data-pick`. What does
 * not exist is offered for creation if the input has `data-create`; it is created when its form is sent.
 */
import { make, settled } from "./service.js";

const words = document.querySelector("#chooser")?.dataset ?? {};
const list = make("ul", { className: "choices", id: "choices", hidden: true });
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", words.label ?? "");
const told = make("span", { className: "hidden" });
told.setAttribute("role", "status");
document.body.append(list, told);

let input;
let options = [];
let chosen = -1;

/** The plurals of the kinds that can be chosen. */
const pluralsOf = ({ dataset, form }) => {
  if (dataset.pick === "id") return ["objects", "entities", "places", "occurrences", "collections"];
  if (!dataset.pick.startsWith("by:")) return [dataset.pick];
  return form.elements[dataset.pick.slice(3)].selectedOptions[0].dataset.to.split(",");
};

const creatorOf = ({ dataset, form }) => (dataset.create ? form.elements[dataset.create] : undefined);

const close = () => {
  list.hidden = true;
  chosen = -1;
  input?.setAttribute("aria-expanded", "false");
  input?.removeAttribute("aria-activedescendant");
};

const choose = (index) => {
  options[chosen]?.setAttribute("aria-selected", "false");
  chosen = index;
  const option = options[chosen];
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) input.setAttribute("aria-activedescendant", option.id);
  else input.removeAttribute("aria-activedescendant");
};

/** Says below the input what is to be created, or which record an id means. */
const say = (of, text) => {
  const place = of.closest("label, .field, .entry") ?? of;
  let output = place.nextElementSibling?.matches(".to-create") ? place.nextElementSibling : null;
  if (!output && text === "") return;
  if (!output) {
    output = make("output", { className: "help to-create" });
    place.after(output);
  }
  output.textContent = text;
};

const sayCreated = (of) => {
  const option = creatorOf(of)?.selectedOptions[0];
  say(of, option?.value ? words.created.replace("{kind}", option.textContent) : "");
};

/** The other scripts react as if somebody had typed. */
const changed = (of) => {
  of.dispatchEvent(new Event("input", { bubbles: true }));
  of.dispatchEvent(new Event("change", { bubbles: true }));
};

let isTaking = false;
const take = (apply) => {
  const of = input;
  isTaking = true;
  apply(of);
  changed(of);
  isTaking = false;
  close();
};

const optionOf = (content, apply, className = "") => {
  const option = make("li", { className }, ...content);
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  option.addEventListener("pointerdown", (event) => event.preventDefault());
  option.addEventListener("click", () => take(apply));
  option.take = () => take(apply);
  return option;
};

const recordOption = ({ id, idno, name, value, about, picture }) =>
  optionOf(
    [
      ...(picture ? [make("img", { src: picture, alt: "" })] : []),
      make("span", { dir: "auto" }, name),
      make("small", {}, about),
    ],
    (of) => {
      const creator = creatorOf(of);
      if (creator) creator.value = "";
      of.value = of.dataset.pick === "id" ? id : value;
      Object.assign(of.dataset, { id, idno });
      say(of, of.dataset.pick === "id" ? value : "");
    },
  );

const createOptions = (name) => {
  const creator = creatorOf(input);
  if (!creator) return [];
  const plurals = pluralsOf(input);
  return [...creator.querySelectorAll("optgroup")]
    .filter(({ dataset }) => plurals.includes(dataset.kind))
    .flatMap((group) => [...group.children])
    .map(({ value, textContent }) =>
      optionOf(
        [
          make(
            "span",
            {},
            words.create.replace("{name}", () => name).replace("{kind}", () => textContent),
          ),
        ],
        (of) => {
          of.value = name;
          creator.value = value;
          sayCreated(of);
        },
        "creates",
      ),
    );
};

const place = () => {
  const box = input.getBoundingClientRect();
  const width = Math.max(box.width, Math.min(360, innerWidth - 32));
  list.style.inlineSize = `${width}px`;
  list.style.left = `${Math.max(16, Math.min(box.left, innerWidth - width - 16)) + scrollX}px`;
  list.style.top = `${box.bottom + scrollY + 4}px`;
};

const offer = settled(200, async (of) => {
  const q = of.value.trim();
  const asked = new URLSearchParams({ q, kinds: pluralsOf(of).join(",") });
  const answer = await fetch(`${words.choices}?${asked}`, { headers: { Accept: "text/html" } });
  if (!answer.ok || of !== document.activeElement || of.value.trim() !== q) return;
  const { items } = await answer.json();
  options = [...items.map(recordOption), ...createOptions(q)];
  for (const [index, option] of options.entries()) option.id = `choice-${index}`;
  list.replaceChildren(...options);
  chosen = -1;
  of.removeAttribute("aria-activedescendant");
  list.hidden = options.length === 0;
  of.setAttribute("aria-expanded", String(!list.hidden));
  told.textContent = items.length === 0 ? words.none : words.some.replace("{count}", items.length);
  if (list.hidden) return;
  place();
  list.scrollIntoView({ block: "nearest" });
});

const begin = (of) => {
  input = of;
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-autocomplete", "list"],
    ["aria-controls", list.id],
    ["aria-expanded", "false"],
  ])
    of.setAttribute(name, value);
};

document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.("input[data-pick]")) begin(target);
});
document.addEventListener("focusout", ({ target }) => {
  if (target === input) close();
});
document.addEventListener("input", ({ target }) => {
  if (isTaking || !target.matches("input[data-pick]")) return;
  const creator = creatorOf(target);
  if (creator) creator.value = "";
  delete target.dataset.id;
  say(target, "");
  if (target.value.trim().length < 2) close();
  else offer(target);
});
document.addEventListener("keydown", (event) => {
  if (event.target !== input || list.hidden) return;
  const { key } = event;
  if (key === "ArrowDown") choose((chosen + 1) % options.length);
  else if (key === "ArrowUp") choose(chosen <= 0 ? options.length - 1 : chosen - 1);
  else if (key === "Escape") close();
  else if (key === "Enter" && chosen >= 0) options[chosen].take();
  else return;
  event.preventDefault();
});
// on a telephone, the keyboard changes the size
addEventListener("resize", () => {
  if (!list.hidden) place();
});

/** Call it for what a script has put on the page, or filled in. */
export const prepare = (root) => {
  for (const label of root.querySelectorAll("[data-creates]")) label.hidden = true;
  for (const of of root.querySelectorAll("input[data-pick][data-create]")) sayCreated(of);
};
prepare(document);
