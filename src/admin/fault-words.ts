/**
 * What is wrong, in the reader's language. The rules speak English, as the API does; here are the sentences that people
 * meet in forms. Any other stays as it is.
 */
import type { Translate } from "../pages/messages.ts";
import type { MessageKey } from "../pages/messages-en.ts";
import { type Fault, Problem } from "../problem.ts";

const SENTENCES: readonly (readonly [RegExp, MessageKey])[] = [
  [/ is required for publication$/, "faults.required"],
  [/^"(.*)" is already the number of another /, "faults.taken"],
  [/^This number is already taken by another /, "faults.takenUnseen"],
  [/^has (\d+) characters, the limit is (\d+)$/, "faults.long"],
  [/^is empty; leave the entry out$/, "faults.empty"],
  [/^"(.*)" is not a language tag/, "faults.language"],
  [/^"(.*)" is not an EDTF date.*did you mean (.*)\?$/, "faults.dateMeant"],
  [/^"(.*)" is not an EDTF date/, "faults.date"],
  [/^"(.*)" is not a decimal number$/, "faults.number"],
  [/^"(.*)" is not an http or https address$/, "faults.url"],
  [/^"(.*)" is not a "latitude,longitude"/, "faults.geo"],
  [/^"(.*)" is not a term of the vocabulary /, "faults.term"],
  [/ is not repeatable: one entry a language$/, "faults.onceEach"],
  [/ is not repeatable: one entry$/, "faults.once"],
  [/^lat and lon go together$/, "faults.point"],
  [/^is before start_date$/, "faults.endFirst"],
  [/^a storage location is never public$/, "faults.neverPublic"],
  [/^would make a circle: the parent is below this record$/, "faults.circle"],
  [/^is linked with other records$/, "faults.linked"],
  [/^somebody else has changed it$/, "faults.meanwhile"],
  [/^the (?:role|API key).* lacks /, "faults.lacks"],
  [/^a record has no relation to itself$/, "faults.itself"],
  [/^would make a circle: that term /, "faults.termCircle"],
  [/^would make a circle: (.*)$/, "faults.linkCircle"],
  [/^is missing/, "faults.missing"],
  [/^is empty$/, "faults.blank"],
  [/ already (?:exists|has this )/, "faults.exists"],
  [/lower-case letter, then up to 62/, "faults.name"],
  [/^is not an e-mail address/, "faults.email"],
  [/is not a colour of the form/, "faults.colour"],
  [/^is not an http or https address/, "faults.webAddress"],
  [/^has no text; give at least one/, "faults.noText"],
  [/ is used by (\d+) records?/, "faults.inUse"],
  [/^a vocab field needs a vocabulary$/, "faults.needsVocabulary"],
  [/ is the title of the records and must stay /, "faults.titleStays"],
  [/^there are already (\d+) facets/, "faults.facetsFull"],
  [/^there is no record with the number (.*)$/, "faults.noRecord"],
  [/^The mapping is empty/, "faults.noColumn"],
  [/^Column (\d+) of the header is named "(.*)", as column /, "faults.sameColumn"],
  [/^(.*) is empty$/, "faults.emptyFile"],
  [/^(.*): this (?:is|holds) /i, "faults.noTextFile"],
  [/^storage locations are never public/, "faults.storagePrivate"],
  [/^has no identification number in the column /, "faults.noIdno"],
  [/^there is no .* "(.*)"(?:, which it names| to link| to be its parent)$/, "faults.nobody"],
  [/^"(.*)" is (?:not a valid \w+; choose one of:|not one of) (.*?)(?:; did you mean .*)?$/, "faults.oneOf"],
  [/^is not JSON: (.*)$/s, "faults.json"],
  [/^is not Turtle: (.*)$/s, "faults.turtle"],
];

export function toldIn(t: Translate, sentence: string): string {
  for (const [pattern, key] of SENTENCES) {
    const found = pattern.exec(sentence);
    if (found) return t(key, { one: found[1] ?? "", two: found[2] ?? "" });
  }
  return sentence;
}

/** Where no label of a field stands before it. */
export function toldAlone(t: Translate, sentence: string): string {
  const [, field, rest] = /^(\w+): (.+)$/s.exec(sentence) ?? [];
  if (field && rest) return `${field}: ${toldIn(t, rest)}`;
  const [, missing] = /^(\w+) is required for publication$/.exec(sentence) ?? [];
  return missing ? `${missing}: ${toldIn(t, sentence)}` : toldIn(t, sentence);
}

export const faultsIn = (t: Translate, faults: readonly Fault[]): Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer, detail: toldIn(t, detail) }));

/** What a page is refused for, where it has no form that could show it. */
export function retold(t: Translate, error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { code, message, errors, headers } = error;
  return new Problem(code, toldIn(t, message), { errors: faultsIn(t, errors), headers, cause: error });
}
