/** Applies the terms of a configuration file, one vocabulary at a time. */
import { newId } from "../ids.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { listTerms, type TermRow } from "../vocabularies/term-store.ts";
import { writeTerms } from "../vocabularies/term-write.ts";
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
  const ids = new Map(rows.map(({ id, value }) => [value, id]));
  const places = new Map(rows.map((row) => [row.value, row.sort_order]));
  const seen = new Set<string>();
  for (const { value } of terms) {
    if (seen.has(value)) throw invalid([{ pointer: "/terms", detail: said("fault.term.twice", { value }) }]);
    seen.add(value);
    if (!ids.has(value)) ids.set(value, newId());
  }
  return terms.map(({ value, label, uri, broader, sort_order }, place) => {
    const broader_id = broader === null ? null : ids.get(broader);
    if (broader_id === undefined) {
      const detail = said("fault.term.broader_unknown", { value, broader: broader ?? "" });
      throw invalid([{ pointer: "/terms", detail }]);
    }
    return {
      id: ids.get(value)!,
      vocabulary,
      value,
      label,
      uri,
      broader_id,
      sort_order: sort_order ?? places.get(value) ?? place * 10,
    };
  });
}
