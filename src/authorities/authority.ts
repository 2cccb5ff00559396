/** The common form of entries of authority files (interface §5), and the functions of each source. */
import type { z } from "zod";
import { beginning } from "../text.ts";

export const SOURCES = ["gnd", "geonames", "wikidata"] as const;
export type SourceName = (typeof SOURCES)[number];

/** The type of an entry, as far as its source gives one. */
export const TYPES = ["person", "family", "organisation", "place", "work", "event", "term"] as const;
export type AuthorityType = (typeof TYPES)[number];

export type Authority = {
  source: SourceName;
  id: string;
  /** The IRI of the thing itself. */
  uri: string;
  label: string;
  description: string | null;
  /** Null: unknown. */
  type: AuthorityType | null;
  alternate_labels: string[];
};

/** `lang`: the preferred language of names, two or three letters. */
export type AuthorityQuery = { q: string; limit: number; lang: string };

export type AuthoritySource = {
  /** The form of an identifier. Nothing else may become part of a URL. */
  form: RegExp;
  example: string;
  search(asked: AuthorityQuery): Promise<Authority[]>;
  /** Null: the source has no such entry. */
  find(id: string, lang: string): Promise<Authority | null>;
};

/** JSON from a source, not yet validated; null if it has no such entry. Throws a Problem, 502. */
export type Ask = (path: string, query: Record<string, string>) => Promise<unknown>;

/** The answer of a source has an unexpected form. The message never repeats it, because it is other people's text. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** The validated answer. */
export function readAnswer<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
  const result = shape.safeParse(answer);
  if (!result.success) throw new Unreadable("the answer has another shape", { cause: result.error });
  return result.data;
}

/** The valid items of a list. The others are left out, so that one odd entry does not hide the rest. */
export function readEach<S extends z.ZodType>(shape: S, items: readonly unknown[]): z.output<S>[] {
  return items.flatMap((item) => {
    const result = shape.safeParse(item);
    return result.success ? [result.data] : [];
  });
}

const LONGEST_LABEL = 300;
const LONGEST_DESCRIPTION = 1_000;
const MOST_ALTERNATES = 50;

/** Makes an entry from the data of a source: limited in length, without control characters and repetitions. */
export function authority(
  said: Omit<Authority, "description" | "alternate_labels"> & {
    description: readonly (string | undefined)[];
    alternates: readonly (string | undefined)[];
  },
): Authority {
  const { source, id, uri, type } = said;
  const label = plain(said.label, LONGEST_LABEL) || id;
  const parts = distinct(said.description, LONGEST_DESCRIPTION).filter((part) => part !== label);
  const alternates = distinct(said.alternates, LONGEST_LABEL).filter((name) => name !== label);
  const description = beginning(parts.join(", "), LONGEST_DESCRIPTION) || null;
  return {
    ...{ source, id, uri, label, description, type },
    alternate_labels: alternates.slice(0, MOST_ALTERNATES),
  };
}

function distinct(texts: readonly (string | undefined)[], longest: number): string[] {
  const found = texts.map((text) => plain(text ?? "", longest)).filter((text) => text !== "");
  return [...new Set(found)];
}

function plain(text: string, longest: number): string {
  const words = beginning(text, longest * 2)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return beginning(words, longest);
}
