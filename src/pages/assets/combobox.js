/** An input with a list of options (a combobox of the ARIA APG): one list for all inputs of its kind, for one at a time. */
import { make } from "./service.js";

/** Put `list` and `told` on the page. `told` says how many options there are. */
export const comboboxOf = (name, label) => {
  const list = make("ul", { className: name, id: name, hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", label);
  const told = make("span", { className: "hidden" });
  told.setAttribute("role", "status");

  let input;
  let options = [];
  let chosen = -1;

  const choose = (index) => {
    options[chosen]?.setAttribute("aria-selected", "false");
    chosen = index;
    const option = options[chosen];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input?.removeAttribute("aria-activedescendant");
  };
  const open = (isOpen) => {
    list.hidden = !isOpen;
    input?.setAttribute("aria-expanded", String(isOpen));
    choose(-1);
  };
  const close = () => open(false);

  /** Attaches the list to this input. */
  const begin = (of) => {
    input = of;
    for (const [attribute, value] of [
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-controls", list.id],
      ["aria-expanded", "false"],
    ])
      of.setAttribute(attribute, value);
  };

  const option = (content, take, className = "") => {
    const made = make("li", { className }, ...content);
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", "false");
    made.addEventListener("pointerdown", (event) => event.preventDefault());
    made.addEventListener("click", take);
    return made;
  };

  const show = (found, words) => {
    options = found;
    for (const [index, one] of options.entries()) one.id = `${name}-${index}`;
    list.replaceChildren(...options);
    open(options.length > 0);
    told.textContent = words;
  };

  document.addEventListener("focusout", ({ target }) => {
    if (target === input) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target !== input || list.hidden || event.isComposing) return;
    const { key } = event;
    // between the last and the first option, none is chosen, as at the start
    const all = options.length + 1;
    if (key === "ArrowDown") choose(((chosen + 2) % all) - 1);
    else if (key === "ArrowUp") choose(((chosen + all) % all) - 1);
    else if (key === "Escape") close();
    else if (key === "Enter" && chosen >= 0) options[chosen].click();
    else return;
    event.preventDefault();
  });
  return { list, told, begin, option, show, close, inputNow: () => input };
};
