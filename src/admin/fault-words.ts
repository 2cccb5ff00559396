/**
 * What is wrong, in the reader's language. The rules speak English, as the API does; here are the sentences that people
 * meet in forms. Any other stays as it is.
 */
import type { Translate } from "../pages/messages.ts";
import type { MessageKey } from "../pages/messages-en.ts";
import type { Fault } from "../problem.ts";

const SENTENCES: readonly (readonly [RegExp, MessageKey])[] = [
  [/ is required for publication$/, "faults.required"],
  [/^"(.*)" is the number of another /, "faults.taken"],
  [/^The number that .* is another one's already$/, "faults.takenUnseen"],
  [/^has (\d+) characters, the limit is (\d+)$/, "faults.long"],
  [/^is empty; leave the entry out$/, "faults.empty"],
  [/^"(.*)" is no language tag/, "faults.language"],
  [/^"(.*)" is no EDTF date.*did you mean (.*)\?$/, "faults.dateMeant"],
  [/^"(.*)" is no EDTF date/, "faults.date"],
  [/^"(.*)" is no decimal number$/, "faults.number"],
  [/^"(.*)" is no http or https address$/, "faults.url"],
  [/^"(.*)" is no "latitude,longitude"/, "faults.geo"],
  [/^"(.*)" is no term of the vocabulary /, "faults.term"],
  [/ is not repeatable: one entry a language$/, "faults.onceEach"],
  [/ is not repeatable: one entry$/, "faults.once"],
  [/^lat and lon go together$/, "faults.point"],
  [/^is before start_date$/, "faults.endFirst"],
  [/^a storage location is never public$/, "faults.neverPublic"],
  [/^would make a circle: the parent lies below this record$/, "faults.circle"],
  [/^is linked with other records$/, "faults.linked"],
  [/^somebody changed it meanwhile$/, "faults.meanwhile"],
  [/^the (?:role|API key).* lacks /, "faults.lacks"],
  [/^a record has no relation to itself$/, "faults.itself"],
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
  const [, field] = /^(\w+) is required for publication$/.exec(sentence) ?? [];
  return field ? `${field}: ${toldIn(t, sentence)}` : toldIn(t, sentence);
}

export const faultsIn = (t: Translate, faults: readonly Fault[]): Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer, detail: toldIn(t, detail) }));
