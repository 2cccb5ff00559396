/**
 * Chooses records by name during typing, in every input with `data-pick`. With `data-create`, it also offers to create a missing
 * record, which happens when the form is sent.
 */
import { comboboxOf } from "./combobox.js";
import { counted } from "./photos-words.js";
import { make, settled } from "./service.js";

const words = document.querySelector("#chooser")?.dataset ?? {};
const box = comboboxOf("choices", words.label ?? "");
const { list } = box;
document.body.append(list, box.told);

/** The plurals of the kinds that can be chosen. */
const pluralsOf = ({ dataset, form }) => {
  if (dataset.pick === "id") return ["objects", "entities", "places", "occurrences", "collections"];
  if (!dataset.pick.startsWith("by:")) return [dataset.pick];
  return form.elements[dataset.pick.slice(3)].selectedOptions[0].dataset.to.split(",");
};

const creatorOf = ({ dataset, form }) => (dataset.create ? form.elements[dataset.create] : undefined);

/** Says below the input what will be created, or which record an id means. */
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

/** Makes the other scripts react as to typing. */
const changed = (of) => {
  of.dispatchEvent(new Event("input", { bubbles: true }));
  of.dispatchEvent(new Event("change", { bubbles: true }));
};

let isTaking = false;
const take = (apply) => {
  const of = box.inputNow();
  isTaking = true;
  apply(of);
  changed(of);
  isTaking = false;
  box.close();
};

const optionOf = (content, apply, className) => box.option(content, () => take(apply), className);

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

const createOptions = (of, name) => {
  const creator = creatorOf(of);
  if (!creator) return [];
  const plurals = pluralsOf(of);
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
        () => {
          of.value = name;
          creator.value = value;
          sayCreated(of);
        },
        "creates",
      ),
    );
};

const place = () => {
  const { left, bottom, width: own } = box.inputNow().getBoundingClientRect();
  const width = Math.max(own, Math.min(360, innerWidth - 32));
  list.style.inlineSize = `${width}px`;
  list.style.left = `${Math.max(16, Math.min(left, innerWidth - width - 16)) + scrollX}px`;
  list.style.top = `${bottom + scrollY + 4}px`;
};

const offer = settled(200, async (of) => {
  const q = of.value.trim();
  const asked = new URLSearchParams({ q, kinds: pluralsOf(of).join(",") });
  const answer = await fetch(`${words.choices}?${asked}`, { headers: { Accept: "text/html" } });
  if (!answer.ok || of !== document.activeElement || of.value.trim() !== q) return;
  const { items } = await answer.json();
  const told = items.length === 0 ? words.none : counted(JSON.parse(words.some), items.length);
  box.show([...items.map(recordOption), ...createOptions(of, q)], told);
  if (list.hidden) return;
  place();
  list.scrollIntoView({ block: "nearest" });
});

document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.("input[data-pick]")) box.begin(target);
});
document.addEventListener("input", ({ target }) => {
  if (isTaking || !target.matches("input[data-pick]")) return;
  const creator = creatorOf(target);
  if (creator) creator.value = "";
  delete target.dataset.id;
  say(target, "");
  // the input had the focus before this script ran
  if (box.inputNow() !== target) box.begin(target);
  if (target.value.trim().length < 2) box.close();
  else offer(target);
});
// the keyboard of a telephone changes the size
addEventListener("resize", () => {
  if (!list.hidden) place();
});

/** Call it for elements that a script has added or filled in. */
export const prepare = (root) => {
  for (const label of root.querySelectorAll("[data-creates]")) label.hidden = true;
  for (const of of root.querySelectorAll("input[data-pick][data-create]")) sayCreated(of);
};
prepare(document);
