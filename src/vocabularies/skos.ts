/** Vocabularies from SKOS in Turtle, as `skos-write.ts` writes them and others do. */
import { Parser, type Quad } from "n3";
import { readAs } from "../http/faults.ts";
import { newId } from "../ids.ts";
import { asIri } from "../iri.ts";
import { type Said, said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import type { Labels } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { lockConfiguration } from "./configuration-store.ts";
import { AddressShape, LAST_PLACE } from "./shape.ts";
import { ownAddress, SKOS, TYPE } from "./skos-write.ts";
import { listTerms, nextTermOrder, type TermRow } from "./term-store.ts";
import { writeTerms } from "./term-write.ts";
import { TermDraftShape } from "./vocabulary-shape.ts";
import { demandVocabulary } from "./vocabulary-write.ts";

/** Bytes of a file. */
export const LARGEST_SKOS = 1024 * 1024;
const MOST_CONCEPTS = 2_000;
const MOST_TERMS = 100_000;

type Concept = { iri: string; value: string; label: Labels; broader: string | null };

/** The concepts of a file in Turtle or N-Triples; 422 with the line where it cannot be read. */
function readConcepts(text: string): Concept[] {
  let quads: Quad[];
  try {
    quads = new Parser({ baseIRI: "urn:file:" }).parse(text);
  } catch (error) {
    throw invalid([
      {
        pointer: "/file",
        detail: said("fault.skos.not_turtle", { why: (error as Error).message.slice(0, 200) }),
      },
    ]);
  }
  const iris = new Set(
    quads
      .filter(({ predicate, object }) => predicate.value === TYPE && object.value === `${SKOS}Concept`)
      .map(({ subject }) => subject.value),
  );
  if (iris.size === 0) throw invalid([{ pointer: "/file", detail: said("fault.skos.empty") }]);
  if (iris.size > MOST_CONCEPTS) {
    throw invalid([{ pointer: "/file", detail: said("fault.skos.too_many", { most: MOST_CONCEPTS }) }]);
  }
  const labels = new Map<string, Map<string, string>>();
  const broader = new Map<string, string>();
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === `${SKOS}prefLabel` && object.termType === "Literal") {
      const own = labels.get(subject.value) ?? new Map<string, string>();
      labels.set(subject.value, own.set(object.language, object.value));
    }
    const [below, above] =
      predicate.value === `${SKOS}broader`
        ? [subject, object]
        : predicate.value === `${SKOS}narrower`
          ? [object, subject]
          : [];
    // a term has one place; the first that the file names
    if (below && above && iris.has(above.value) && !broader.has(below.value)) {
      broader.set(below.value, above.value);
    }
  }
  return [...iris].map((iri) => {
    const { "": plain, ...label } = Object.fromEntries(labels.get(iri) ?? []);
    const value = plain ?? label.en ?? Object.values(label)[0];
    if (value === undefined) {
      throw invalid([
        { pointer: "/file", detail: said("fault.skos.unlabelled", { iri: iri.slice(0, 200) }) },
      ]);
    }
    return { iri, value, label, broader: broader.get(iri) ?? null };
  });
}

type Change = { concept: Concept; term: TermRow | null; uri: string | null; label: Labels };

export type SkosPlan = {
  added: { value: string; label: Labels }[];
  changed: { value: string; what: ("label" | "uri" | "broader")[] }[];
  unchanged: number;
};

/** What the file would do. Terms are known by their address, else by their value; nothing is ever deleted. */
export async function planSkos(services: Services, vocabulary: string, text: string): Promise<SkosPlan> {
  const terms = await listTerms(services.sql, vocabulary, {}, { limit: MOST_TERMS, offset: 0 });
  const changes = compare(services.config.baseUrl, vocabulary, terms, readConcepts(text));
  const idOf = new Map(changes.map(({ concept, term }) => [concept.iri, term?.id]));
  const plan: SkosPlan = { added: [], changed: [], unchanged: 0 };
  for (const { concept, term, uri, label } of changes) {
    if (term === null) plan.added.push({ value: concept.value, label });
    else {
      const moved = concept.broader !== null && idOf.get(concept.broader) !== term.broader_id;
      const what: SkosPlan["changed"][number]["what"] = [
        ...(JSON.stringify(label) === JSON.stringify(term.label) ? [] : (["label"] as const)),
        ...(uri === term.uri ? [] : (["uri"] as const)),
        ...(moved ? (["broader"] as const) : []),
      ];
      if (what.length === 0) plan.unchanged++;
      else plan.changed.push({ value: term.value, what });
    }
  }
  return plan;
}

/** Carries the file out as a whole or not at all, in as many statements for one concept as for thousands. */
export async function importSkos(services: Services, vocabulary: string, text: string): Promise<void> {
  const concepts = readConcepts(text);
  await services.sql.begin(async (tx) => {
    await lockConfiguration(tx);
    await demandVocabulary(tx, vocabulary);
    const terms = await listTerms(tx, vocabulary, {}, { limit: MOST_TERMS, offset: 0 });
    const changes = compare(services.config.baseUrl, vocabulary, terms, concepts);
    const next = await nextTermOrder(tx, vocabulary);
    const ids = new Map(changes.map(({ concept, term }) => [concept.iri, term?.id ?? newId()]));
    const after = changes.map(({ concept, term, uri, label }, place): TermRow => {
      const above = concept.broader === null ? undefined : ids.get(concept.broader);
      const broader_id = above ?? term?.broader_id ?? null;
      const id = ids.get(concept.iri)!;
      if (term) return { ...term, uri, label, broader_id };
      const sort_order = Math.min(next + place * 10, LAST_PLACE);
      return { id, vocabulary, value: concept.value, label, uri, broader_id, sort_order };
    });
    await writeTerms(tx, terms, after);
  });
}

/** 422 with every concept that cannot become a term. */
function compare(
  base: string,
  vocabulary: string,
  terms: readonly TermRow[],
  concepts: readonly Concept[],
): Change[] {
  const own = ownAddress(base, vocabulary);
  const byAddress = new Map(terms.map((term) => [asIri(term.uri ?? "") ?? own + term.id, term]));
  const byValue = new Map(terms.map((term) => [term.value, term]));
  const taken = new Set<string>();
  const details: Said[] = [];
  const changes = concepts.map((concept): Change => {
    const address = asIri(concept.iri) ?? concept.iri;
    const term = byAddress.get(address) ?? byValue.get(concept.value) ?? null;
    const isNew = !concept.iri.startsWith(own) && address !== asIri(term?.uri ?? "");
    const uri = isNew && AddressShape.safeParse(concept.iri).success ? concept.iri : (term?.uri ?? null);
    const label = { ...term?.label, ...concept.label };
    const key = term?.id ?? concept.value;
    if (taken.has(key)) details.push(said("fault.skos.twice", { value: concept.value.slice(0, 80) }));
    taken.add(key);
    const draft = { value: term?.value ?? concept.value, label: concept.label, uri };
    const read = readAs(TermDraftShape, draft);
    if ("faults" in read) {
      const value = concept.value.slice(0, 80);
      for (const { pointer, detail: fault } of read.faults)
        details.push(said("fault.skos.concept", { value, part: pointer.slice(1), fault }));
    }
    return { concept, term, uri, label };
  });
  if (details.length > 0) throw invalid(details.slice(0, 20).map((detail) => ({ pointer: "/file", detail })));
  return changes;
}
