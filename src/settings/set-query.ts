/** Which records are in a set that an installation makes for harvesters: a search, as parameters of /v1/search. */
import { KINDS } from "../records/kinds.ts";

const NAMES = new RegExp(`^(type|collection_status|(${KINDS.join("|")})_type|meta_[a-z][a-z0-9_]{0,62})$`);

/** What a set may ask for: names and values that a record can be compared with by itself, and nothing without a value. */
export function isSetQuery(text: string): boolean {
  const asked = [...new URLSearchParams(text)];
  return asked.length > 0 && asked.every(([name, value]) => NAMES.test(name) && value !== "");
}

/** @param values what a record has under a name */
export function isInSet(text: string, values: (name: string) => readonly string[]): boolean {
  const asked = new URLSearchParams(text);
  return [...new Set(asked.keys())].every((name) => {
    const wanted = asked.getAll(name);
    return values(name).some((value) => wanted.includes(value));
  });
}
