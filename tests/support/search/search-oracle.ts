/**
 * Finds records in an array of documents, as docs/search.md describes, without any code of the indexes. So answers of
 * an index are compared not only with each other. Knows words, phrases, prefixes, stems, facet values, ranges and
 * scopes.
 */
import type {
  FieldCondition,
  SearchAnswer,
  SearchDocument,
  SearchIndex,
  SearchQuery,
  SearchScope,
  SearchTerm,
  SuggestQuery,
  WeightedText,
} from "../../../src/ports/search-index.ts";
import { searchWordsOf } from "../../../src/text.ts";

type Counts = { value: string; count: number }[];

/** `grade`: how many of the terms have all their words in titles. */
export type Hit = { id: string; grade: number };

export class Oracle {
  documents = new Map<string, SearchDocument>();
  /** Records that wait to be indexed, which visitors cannot find by words. */
  waiting = new Set<string>();

  /** The same index, with the oracle noting what is put and removed. */
  noting(index: SearchIndex): SearchIndex {
    return {
      ...index,
      put: async (documents) => {
        await index.put(documents);
        for (const document of documents) this.documents.set(document.id, document);
      },
      remove: async (ids) => {
        await index.remove(ids);
        for (const id of ids) this.documents.delete(id);
      },
    };
  }

  /** All hits, the best and newest first, as far as grades decide. */
  find(query: SearchQuery): Hit[] {
    const positive = query.terms.filter((term) => !term.negated);
    const hits = [...this.documents.values()].flatMap((document) => {
      const scope = query.scopes.find((one) => isIn(one, document));
      if (!scope) return [];
      const isHidden = scope.audience === "public" && query.terms.length > 0 && this.waiting.has(document.id);
      const texts = textsFor(scope, document);
      const isHit =
        !isHidden &&
        query.terms.every((term) => texts.some((text) => hasTerm(text, term)) !== term.negated) &&
        query.conditions.every((one) => meets(document, one)) &&
        (query.anyOf.length === 0 || query.anyOf.some((one) => meets(document, one)));
      if (!isHit) return [];
      const title = texts.filter(({ weight }) => weight === "A").flatMap(({ text }) => searchWordsOf(text));
      const inTitle = ({ words, prefix }: SearchTerm) =>
        words.every((word, at) =>
          title.some((one) => (prefix && at === words.length - 1 ? one.startsWith(word) : one === word)),
        );
      return [{ id: document.id, grade: positive.filter(inTitle).length }];
    });
    return hits.sort((a, b) => b.grade - a.grade || (a.id < b.id ? 1 : -1));
  }

  facets(query: SearchQuery, hits: readonly Hit[]): Record<string, Counts> {
    return Object.fromEntries(query.facets.map(({ field }) => [field, this.count(field, hits)]));
  }

  private count(field: string, hits: readonly { id: string }[]): Counts {
    const counts = new Map<string, number>();
    for (const { id } of hits)
      for (const value of new Set(this.documents.get(id)!.facets.get(field) ?? []))
        counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].map(([value, count]) => ({ value, count })).sort(mostFirst);
  }

  /** Facet values that begin with what was typed. */
  suggest({ scopes, words, fields, limit }: SuggestQuery): { field: string; value: string; count: number }[] {
    const visible = [...this.documents.values()].filter((document) =>
      scopes.some((one) => isIn(one, document)),
    );
    return fields
      .flatMap((field) => this.count(field, visible).map((each) => ({ field, ...each })))
      .filter(({ value }) => searchWordsOf(value).join(" ").startsWith(words.join(" ")))
      .sort(mostFirst)
      .slice(0, limit);
  }
}

/** The query that was answered, with the corrected words. */
export function asCorrected(query: SearchQuery, { corrections }: SearchAnswer): SearchQuery {
  const terms = query.terms.map((term) => {
    const isPlain = !term.negated && !term.prefix && !term.exact;
    const to = isPlain && corrections.find(({ from }) => from === term.words.join(" "))?.to;
    if (!to) return term;
    return to.endsWith("*") ? { ...term, prefix: true, stems: [] } : { ...term, words: [to], stems: [] };
  });
  return { ...query, terms };
}

const mostFirst = (a: Counts[number], b: Counts[number]): number =>
  b.count - a.count || (a.value < b.value ? -1 : 1);

function isIn(scope: SearchScope, { recordType, status, collectionStatus }: SearchDocument): boolean {
  return (
    scope.recordTypes.includes(recordType) &&
    (scope.audience === "public" ? status === "public" : scope.statuses.includes(status)) &&
    (scope.collectionStatuses === null ||
      recordType !== "object" ||
      scope.collectionStatuses.includes(collectionStatus!))
  );
}

function textsFor({ audience }: SearchScope, document: SearchDocument): readonly WeightedText[] {
  return [
    ...document.publicText,
    ...(audience === "public" ? [] : document.staffText),
    ...(audience === "staff" ? document.linkedText : []),
  ];
}

function hasTerm({ text, stems = [] }: WeightedText, term: SearchTerm): boolean {
  const words = searchWordsOf(text);
  const last = term.words.length - 1;
  const isAt = (from: number) =>
    term.words.every((word, at) =>
      term.prefix && at === last ? (words[from + at] ?? "").startsWith(word) : words[from + at] === word,
    );
  // of any language; a word may be its own stem
  const plain = (stem: string) => stem.split(":")[1]!;
  const forms = [...words, ...stems.map(plain)];
  return (
    words.some((_, from) => isAt(from)) || (term.stems ?? []).some((stem) => forms.includes(plain(stem)))
  );
}

function meets({ facets, ranges }: SearchDocument, one: FieldCondition): boolean {
  if (one.op === "is") return (facets.get(one.field) ?? []).some((value) => one.values.includes(value));
  if (one.op === "between")
    return (ranges.get(one.field) ?? []).some(({ from, to }) => from <= one.to && to >= one.from);
  throw new Error(`The oracle does not know ${one.op}`);
}
