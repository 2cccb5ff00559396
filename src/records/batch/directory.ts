/** The records of a kind that the descriptions of far ends may mean. */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { composed, type NameMatch, nameKey } from "../../text.ts";
import { areApart } from "../dates/apart.ts";
import { type Kind, kinds, manyOf } from "../kinds.ts";
import type { Metadata, RecordRow } from "../record.ts";
import { fieldsOf, type Schema } from "../schema.ts";
import { authorityOf } from "../write/authority-ids.ts";
import { ownFirst, preferExactSpelling, sameNamed } from "./ends.ts";

export type Known = Pick<RecordRow, "id" | "idno" | "title" | "metadata" | "lat" | "lon">;
/** What finds a record: what it is called itself, or what one was called that was merged into it. */
export type Called = Pick<Known, "idno" | "title" | "metadata">;
type Entry = Called & { id: string; is_former: boolean; record: Known };

/** By the id of a record, what requests that found it say about it. An import has one for all its batches. */
export type SaidOfEnds = Map<string, Metadata>;

/** A description, as far as it finds a record (`described-ends.ts`). */
type Description = {
  key: string;
  isShared?: true;
  id?: string;
  idno?: string;
  called?: readonly string[];
  metadata: Metadata;
  match?: NameMatch;
};

export const nameOf = (kind: Kind, { metadata, key }: Pick<Description, "metadata" | "key">): string =>
  metadata[kinds[kind].titleField]?.[0]?.value ?? key;

/** The authority identifiers of a record, by authority. */
export function authorities(metadata: Metadata): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, entries] of Object.entries(metadata)) {
    for (const { value } of entries) {
      const known = authorityOf(name, value);
      if (known) all.set(known.authority, known.iri);
    }
  }
  return all;
}

/** The records of a kind that might be meant. */
export class Directory {
  readonly #kind: Kind;
  readonly #ids = new Map<string, Known>();
  readonly #authorities = new Map<string, Known>();
  readonly #names = new Map<string, Entry[]>();
  readonly #numbers = new Map<string, Known>();
  readonly #told: SaidOfEnds;
  /** Fields for when somebody was born and died. */
  readonly #lives: readonly string[];

  constructor(schema: Schema, kind: Kind, told: SaidOfEnds = new Map()) {
    this.#kind = kind;
    this.#told = told;
    this.#lives = [...fieldsOf(schema, kind).values()].flatMap(({ name, mapping }) =>
      LIFE.has(String(mapping.pattern)) ? name : [],
    );
  }

  add(record: Known, former: Called | null = null): void {
    const { idno, title, metadata } = former ?? record;
    this.#ids.set(record.id, record);
    if (idno !== "") this.#numbers.set(idno, record);
    for (const iri of authorities(metadata).values()) this.#authorities.set(iri, record);
    const key = nameKey(title, "similar");
    const entry = { id: record.id, idno, title, metadata, is_former: former !== null, record };
    this.#names.set(key, [...(this.#names.get(key) ?? []), entry]);
  }

  #alike = (name: string): readonly Entry[] => this.#names.get(nameKey(name, "similar")) ?? [];

  /** A later request of this name that contradicts this one means another record. */
  tell({ id }: Known, metadata: Metadata): void {
    this.#told.set(id, { ...metadata, ...this.#told.get(id) });
  }

  /** A record with a similar name. */
  similarTo({ title }: Known): Known | undefined {
    return this.#alike(title).find((each) => nameKey(each.title) !== nameKey(title))?.record;
  }

  hasNumber(idno: string): boolean {
    return idno === "" || this.#numbers.has(idno);
  }

  /** What it is called counts before its name. Of several with the same name, the one with the number; otherwise it is ambiguous. */
  find(request: Description): Known | undefined {
    const { called = [], isShared, match, metadata: asked } = request;
    const own = authorities(asked);
    const known =
      this.#ids.get(request.id ?? "") ??
      called.map((number) => this.#numbers.get(composed(number))).find((each) => each) ??
      [...own.values()].map((iri) => this.#authorities.get(iri)).find((each) => each);
    if (known) return known;
    const withName = (name: string): Entry[] =>
      sameNamed(name, match, this.#alike(name)).filter((entry) => {
        const metadata = { ...this.#told.get(entry.id), ...entry.metadata };
        return !contradict(own, authorities(metadata)) && !this.#livedApart(asked, metadata);
      });
    const titles = (asked[kinds[this.#kind].titleField] ?? []).map(({ value }) => value);
    const tries = isShared ? [] : [...called.map((title) => [title]), titles];
    const all = tries.map((names) => names.flatMap(withName)).find((some) => some.length > 0) ?? [];
    // who lived at that time, before those of whom nobody knows when
    const dated = all.filter(({ metadata }) => this.#lives.some((field) => asked[field] && metadata[field]));
    const name = nameOf(this.#kind, request);
    const named = preferExactSpelling(name, ownFirst(dated.length > 0 ? dated : all));
    const numbered = all.find(({ idno }) => idno !== "" && idno === composed(request.idno ?? ""));
    if (numbered || named.length < 2) return (numbered ?? named[0])?.record;
    const kind = manyOf(this.#kind);
    throw new Problem("invalid", said("problem.name.ambiguous", { name, count: named.length, kind }));
  }

  /** Two people with the same name: they were born, or died, at different times. */
  #livedApart(one: Metadata, other: Metadata): boolean {
    return this.#lives.some((field) => {
      const [a, b] = [one, other].map((metadata) => metadata[field]?.[0]?.value);
      return a !== undefined && b !== undefined && areApart(a, b);
    });
  }
}

const LIFE = new Set(["birth", "death", "formation", "dissolution"]);

/** They have different identifiers of one authority: two people with the same name. */
export function contradict(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return [...one].some(([name, iri]) => other.has(name) && other.get(name) !== iri);
}
