/** One shape for what the authority files say (interface §5), and what each of them must be able to do. */
import type { z } from "zod";
import { beginning } from "../text.ts";

export const SOURCES = ["gnd", "geonames", "wikidata"] as const;
export type SourceName = (typeof SOURCES)[number];

/** What an entry is, as far as its source says so. */
export const TYPES = ["person", "family", "organisation", "place", "work", "event", "term"] as const;
export type AuthorityType = (typeof TYPES)[number];

export type Authority = {
  source: SourceName;
  id: string;
  /** The address that stands for the thing itself. */
  uri: string;
  label: string;
  description: string | null;
  /** Null: the source does not say. */
  type: AuthorityType | null;
  alternate_labels: string[];
};

/** `lang`: a language of two or three letters, in which names are given as far as the source has them. */
export type Search = { q: string; limit: number; lang: string };

export type AuthoritySource = {
  /** What an identifier looks like; nothing else is put into an address. */
  form: RegExp;
  example: string;
  search(asked: Search): Promise<Authority[]>;
  /** Null: the source has no such entry. */
  find(id: string, lang: string): Promise<Authority | null>;
};

/** JSON of a source, not yet looked at; null when it says that there is no such thing. Throws a Problem, 502. */
export type Ask = (path: string, query: Record<string, string>) => Promise<unknown>;

/** The source answered, but not what it is known to answer. Never says what: that is other people's text. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** The answer as one of these shapes. */
export function readAnswer<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
  const result = shape.safeParse(answer);
  if (!result.success) throw new Unreadable("the answer has another shape", { cause: result.error });
  return result.data;
}

/** Those of a list that have the shape; the others are left out, since one odd entry must not hide the rest. */
export function readEach<S extends z.ZodType>(shape: S, items: readonly unknown[]): z.output<S>[] {
  return items.flatMap((item) => {
    const result = shape.safeParse(item);
    return result.success ? [result.data] : [];
  });
}

const LONGEST_LABEL = 300;
const LONGEST_DESCRIPTION = 1_000;
const MOST_ALTERNATES = 50;

/** Puts an entry together from what a source said: bounded, without control characters and repetitions. */
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
