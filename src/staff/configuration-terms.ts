/** Applies the terms of a configuration file, one vocabulary at a time. */
import { newId } from "../ids.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { listTerms, placeBelow, type TermRow } from "../vocabularies/terms/store.ts";
import { writeTerms } from "../vocabularies/terms/write.ts";
import { type Configuration, MOST_TERMS } from "./configuration-file.ts";
import { make, partsThatDiffer, type Work } from "./configuration-plan.ts";

export async function changeTerms(work: Work, current: Configuration, wish: Configuration): Promise<void> {
  const { tx } = work;
  for (const { name, terms } of wish.vocabularies) {
    const before = current.vocabularies.find((row) => row.name === name)?.terms ?? [];
    const known = new Map(before.map((term) => [term.value, term]));
    const added = terms.filter(({ value }) => !known.has(value));
    const changed = terms.filter((term) => {
      const other = known.get(term.value);
      return other && partsThatDiffer(other, term).length > 0;
    });
    if (added.length + changed.length === 0) continue;
    const parts = [
      ...(added.length > 0 ? [said("plan.added", { count: added.length })] : []),
      ...(changed.length > 0 ? [said("plan.changed", { count: changed.length })] : []),
    ];
    const what = said("plan.terms", { name });
    await make(work, { what, step: known.size === 0 ? "add" : "change", parts }, async () => {
      const rows = await listTerms(tx, name, {}, { limit: MOST_TERMS, offset: 0 });
      await writeTerms(tx, rows, rowsOf(name, rows, terms));
    });
  }
}

function rowsOf(
  vocabulary: string,
  rows: readonly TermRow[],
  terms: Configuration["vocabularies"][number]["terms"],
): TermRow[] {
  const before = new Map(rows.map((row) => [row.value, row]));
  const ids = new Map(rows.map(({ id, value }) => [value, id]));
  const seen = new Set<string>();
  for (const { value } of terms) {
    if (seen.has(value)) throw invalid([{ pointer: "/terms", detail: said("fault.term.twice", { value }) }]);
    seen.add(value);
    if (!ids.has(value)) ids.set(value, newId());
  }
  return terms.map(({ broader, also_broader, ...term }, place) => {
    const { value } = term;
    const above = [...(broader === null ? [] : [broader]), ...also_broader].map((each) => {
      const id = ids.get(each);
      if (id !== undefined) return id;
      const detail = said("fault.term.broader_unknown", { value, broader: each });
      throw invalid([{ pointer: "/terms", detail }]);
    });
    const known = before.get(value);
    return {
      ...term,
      ...{ id: ids.get(value)!, vocabulary, ...placeBelow([...new Set(above)]) },
      sort_order: term.sort_order ?? known?.sort_order ?? place * 10,
      alt_label: term.alt_label ?? known?.alt_label ?? {},
      hidden_label: term.hidden_label ?? known?.hidden_label ?? {},
      definition: term.definition ?? known?.definition ?? {},
      scope_note: term.scope_note ?? known?.scope_note ?? {},
    };
  });
}
