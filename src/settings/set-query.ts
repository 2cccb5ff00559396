/** The records of an installation's own OAI-PMH set: a search, as parameters of /v1/search. */
import { KINDS } from "../records/kinds.ts";

const NAMES = new RegExp(`^(type|collection_status|(${KINDS.join("|")})_type|meta_[a-z][a-z0-9_]{0,62})$`);

/** The allowed parameters: those that can be checked for one record, with a value. */
export function isSetQuery(text: string): boolean {
  const params = [...new URLSearchParams(text)];
  return params.length > 0 && params.every(([name, value]) => NAMES.test(name) && value !== "");
}

/** @param values what a record has under a name */
export function isInSet(text: string, values: (name: string) => readonly string[]): boolean {
  const params = new URLSearchParams(text);
  return [...new Set(params.keys())].every((name) => {
    const wanted = params.getAll(name);
    return values(name).some((value) => wanted.includes(value));
  });
}
