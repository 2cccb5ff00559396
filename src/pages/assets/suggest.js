/** Suggestions below the search box while somebody types: a combobox with a list (ARIA APG). */
const input = document.querySelector("input[data-suggest]");
const DELAY = 120;
const FEW = 6;

if (input) {
  const words = input.dataset;
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", words.label);
  const told = document.createElement("span");
  told.className = "hidden";
  told.setAttribute("role", "status");
  input.after(list, told);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");

  let options = [];
  let chosen = -1;
  let timer;
  let asking;

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
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
  const optionOf = ({ text, about, address }, index) => {
    const option = document.createElement("li");
    option.id = `suggestion-${index}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    const title = document.createElement("span");
    title.dir = "auto";
    title.textContent = text;
    const small = document.createElement("small");
    small.textContent = about;
    option.append(title, small);
    option.dataset.address = address;
    option.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      location.assign(address);
    });
    return option;
  };
  const show = ({ records, terms }) => {
    const base = words.base;
    const found = [
      ...terms.slice(0, FEW).map(({ field, value, count, label, field_label }) => ({
        text: label,
        about: `${field_label} · ${count}`,
        address: `${base}search?${new URLSearchParams({ [`meta_${field}`]: value })}`,
      })),
      ...records.slice(0, FEW).map(({ id, path, title, kind }) => ({
        text: title,
        about: kind,
        address: `${base}${path}/${id}`,
      })),
    ];
    options = found.map(optionOf);
    list.replaceChildren(...options);
    chosen = -1;
    input.removeAttribute("aria-activedescendant");
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    told.textContent = options.length === 0 ? words.none : words.some.replace("{count}", options.length);
  };
  const ask = async () => {
    asking?.abort();
    const q = input.value.trim().slice(0, 100);
    if (q.length < 2) return close();
    asking = new AbortController();
    try {
      const answer = await fetch(`${words.suggest}?${new URLSearchParams({ q, limit: FEW })}`, {
        headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang },
        signal: asking.signal,
      });
      if (answer.ok && document.activeElement === input) show(named(await answer.json()));
    } catch {
      // without an answer there are no suggestions
    }
  };
  const kinds = JSON.parse(words.kinds);
  const named = ({ records, terms }) => ({
    terms,
    records: records.map(({ id, record_type, title }) => ({ id, title, ...kinds[record_type] })),
  });

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, DELAY);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) return;
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const all = options.length + 1;
      choose(((chosen + 1 + step + all) % all) - 1);
    } else if (event.key === "Enter" && options[chosen] && !list.hidden) {
      event.preventDefault();
      location.assign(options[chosen].dataset.address);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
}
