/** Suggestions below the search box during typing. */
import { comboboxOf } from "./combobox.js";
import { make, settled } from "./service.js";

const input = document.querySelector("input[data-suggest]");
const FEW = 6;

if (input) {
  const words = input.dataset;
  const kinds = JSON.parse(words.kinds);
  const box = comboboxOf("suggestions", words.label);
  input.after(box.list, box.told);
  box.begin(input);

  const option = (text, about, address) =>
    box.option([make("span", { dir: "auto" }, text), make("small", {}, about)], () =>
      location.assign(address),
    );
  const show = ({ records, terms }) => {
    const found = [
      ...terms.slice(0, FEW).map(({ field, value, count, label, field_label }) => {
        const query = new URLSearchParams({ [`meta_${field}`]: value });
        return option(label, `${field_label} · ${count}`, `${words.base}search?${query}`);
      }),
      ...records.slice(0, FEW).map(({ id, record_type, title }) => {
        const { path, kind } = kinds[record_type];
        return option(title, kind, `${words.base}${path}/${id}`);
      }),
    ];
    box.show(found, found.length === 0 ? words.none : words.some.replace("{count}", found.length));
  };

  const ask = settled(120, async () => {
    const q = input.value.trim().slice(0, 100);
    if (q.length < 2) return box.close();
    const answer = await fetch(`${words.suggest}?${new URLSearchParams({ q, limit: FEW })}`, {
      headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang },
    });
    const isMeant = () => document.activeElement === input && input.value.trim().slice(0, 100) === q;
    if (!answer.ok || !isMeant()) return;
    const found = await answer.json();
    if (isMeant()) show(found);
  });
  input.addEventListener("input", ask);
}
