/** Terms that may be one: offered until they are merged, or until somebody says that they are two. */
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { type Fault, invalid, invalidAt } from "../../problem.ts";
import { type Compared, findCandidates, pairKey } from "../../records/duplicates/candidates.ts";
import { type FoundPairs, type PageOfPairs, pageOfPairs } from "../../records/duplicates/duplicates.ts";
import { deleteDismissed, insertDismissed } from "../../records/duplicates/store.ts";
import type { Services, Sql } from "../../services.ts";
import { listTerms, type TermRow, termsAmong } from "../terms/store.ts";

/** Of more terms, the first are compared. */
const MOST_COMPARED = 100_000;

export const TERM_REASONS = ["uri", "name"] as const;
export type TermDuplicate = {
  terms: readonly [TermRow, TermRow];
  reason: (typeof TERM_REASONS)[number];
  score: number;
};

export async function listTermDuplicates(
  { sql }: Services,
  vocabulary: string,
  asked: PageOfPairs,
): Promise<FoundPairs<TermDuplicate>> {
  const terms = await listTerms(sql, vocabulary, {}, { limit: MOST_COMPARED, offset: 0 });
  const found = await findCandidates(terms.flatMap(comparedBy), singulars);
  const shown = pageOfPairs(found, await dismissedIn(sql, vocabulary), asked);
  const byId = new Map(terms.map((term) => [term.id, term]));
  const items = shown.items.map(({ ids, reason, score }) => {
    const [one, other] = ids.map((id) => byId.get(id)!) as [TermRow, TermRow];
    return {
      terms: [one, other] as const,
      reason: reason === "authority" ? ("uri" as const) : ("name" as const),
      score,
    };
  });
  return { ...shown, items };
}

/** By each of its names, in whatever language. */
function comparedBy({ id, value, label, alt_label, uri }: TermRow): Compared[] {
  const host = uri !== null && URL.canParse(uri) ? new URL(uri).host : "";
  const authorities = uri === null ? [] : [[host, uri] as const];
  const names = new Set([value, ...Object.values(label), ...Object.values(alt_label).flat()]);
  return [...names].map((title) => ({ id, idno: "", title, authorities }));
}

/** Words of which the name may be the plural, in the languages of this program. */
function singulars(name: string): string[] {
  const words = name.split(" ");
  return words.flatMap((word, at) =>
    ["s", "es", "n", "en", "e", "er"].flatMap((ending) =>
      word.length - ending.length >= 3 && word.endsWith(ending)
        ? words.with(at, word.slice(0, -ending.length)).sort().join(" ")
        : [],
    ),
  );
}

async function dismissedIn(sql: Sql, vocabulary: string): Promise<Set<string>> {
  const rows = await sql<{ low_id: string; high_id: string }[]>`
    select n.low_id, n.high_id from not_duplicate_terms n join vocabulary_terms t on t.id = n.low_id
    where t.vocabulary = ${vocabulary}`;
  return new Set(rows.map(({ low_id, high_id }) => pairKey(low_id, high_id)));
}

/** Remembers that two terms are not one, or forgets it. */
export async function dismissTerms(
  { sql }: Services,
  caller: Account,
  vocabulary: string,
  ids: readonly string[],
  isDismissed: boolean,
): Promise<void> {
  if (ids[0] === ids[1]) throw invalidAt("/ids/1", said("fault.duplicates.same_term"));
  const known = await termsAmong(sql, vocabulary, "id", ids);
  const faults = ids.flatMap((id, at): Fault[] =>
    known.some((term) => term.id === id)
      ? []
      : [{ pointer: `/ids/${at}`, detail: said("fault.term.not_found", { vocabulary }) }],
  );
  if (faults.length > 0) throw invalid(faults);
  if (isDismissed) await insertDismissed(sql, "not_duplicate_terms", caller, ids);
  else await deleteDismissed(sql, "not_duplicate_terms", ids);
}
