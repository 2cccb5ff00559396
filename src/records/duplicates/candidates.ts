/**
 * Pairs of records that may be one: by their names, numbers and authority numbers. No name is compared with all others, only with
 * those that stand next to it in some order, so the time grows with the number of records and not with its square.
 */
import { yieldingRunner } from "../../http/yielding.ts";
import { changes } from "../../text/nearest.ts";
import { similarSortKey, sortKey } from "../../text.ts";
import { contradict } from "../batch/directory.ts";

/** The strongest first. */
export const REASONS = ["authority", "number", "name"] as const;
export type Reason = (typeof REASONS)[number];

/** `authorities`: its numbers in authority files, as pairs of the authority and the address. */
export type Compared = {
  id: string;
  idno: string;
  title: string;
  authorities: readonly (readonly [string, string])[];
};

/** `score`: 1 if the names, but for the order of their words, or the numbers are the same. */
export type Candidate = { ids: readonly [string, string]; reason: Reason; score: number };

/** What more records share says nothing, like the title "Untitled". */
const MOST_ALIKE = 20;
/** How many of the next names in an order each name is compared with. */
const NEXT = 3;
/** The longest part of a name in which it may differ from another one. */
const LONGEST_DIFFERENCE = 12;
const INITIALS_SCORE = 0.8;
const PLURAL_SCORE = 0.95;
const STEP = 1_000;

/**
 * @param records one of them may be there with several names
 * @param singularsOf what a name may be the plural of
 */
export async function findCandidates(
  records: readonly Compared[],
  singularsOf: (words: string) => readonly string[] = () => [],
): Promise<Candidate[]> {
  const pairs = new Pairs();
  const step = yieldingRunner();
  const groupBy = async (keysOf: (record: Compared) => readonly string[]) => {
    const groups = new Map<string, Compared[]>();
    await inSteps(step, records, (record) => {
      for (const key of new Set(keysOf(record))) if (key !== "") put(groups, key, record);
    });
    return groups;
  };
  const sameNumber = await groupBy(({ authorities }) => authorities.map(([, iri]) => iri));
  for (const group of sameNumber.values()) pairs.addAll(group, "authority");
  const numbers = await groupBy(({ idno }) => [sortKey(idno).replaceAll(" ", "")]);
  for (const group of numbers.values()) pairs.addAll(group, "number");
  const named = await groupBy(({ title }) => [sortedWords(similarSortKey(title))]);
  for (const group of named.values()) pairs.addAll(group, "name");
  await inSteps(step, [...named], ([words, [plural]]) => {
    for (const singular of singularsOf(words))
      for (const one of named.get(singular) ?? []) pairs.add(one, plural!, "name", PLURAL_SCORE);
  });

  // of those with the same name, one stands for all
  const names: Name[] = [];
  await inSteps(step, [...named], ([words, [record, ...others]]) => {
    if (others.length >= MOST_ALIKE) return;
    names.push({ record: record!, words, title: similarSortKey(record!.title), fixed: fixedWords(words) });
  });
  const initials = new Map<string, Name[]>();
  await inSteps(step, names, (name) => {
    for (const key of initialsOf(name.words)) put(initials, key, name);
  });
  await inSteps(step, [...initials.values()], (group) => addAbbreviated(pairs, group));
  for (const textOf of [wordsIn, titleIn, backwards]) {
    const all: { name: Name; text: string }[] = [];
    await inSteps(step, names, (name) => void all.push({ name, text: textOf(name) }));
    await step(() => all.sort(byText));
    await inSteps(step, all, ({ name, text }, at) => {
      for (const next of all.slice(at + 1, at + 1 + NEXT)) {
        const score = name.fixed === next.name.fixed ? similarity(text, next.text) : 0;
        if (score > 0) pairs.add(name.record, next.name.record, "name", score);
      }
    });
  }
  return pairs.sorted();
}

type Name = { record: Compared; words: string; title: string; fixed: string };

const wordsIn = ({ words }: Name) => words;
const titleIn = ({ title }: Name) => title;
const backwards = ({ title }: Name) => [...title].reverse().join("");
const byText = (a: { text: string }, b: { text: string }) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
const sortedWords = (key: string): string => key.split(" ").sort().join(" ");

async function inSteps<T>(
  step: ReturnType<typeof yieldingRunner>,
  items: readonly T[],
  work: (item: T, at: number) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += STEP)
    await step(() => {
      for (const [at, item] of items.slice(from, from + STEP).entries()) work(item, from + at);
    });
}

function put<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

export const pairKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

class Pairs {
  readonly #found = new Map<string, Candidate>();

  addAll(group: readonly Compared[], reason: Reason): void {
    if (group.length > MOST_ALIKE) return;
    for (const [at, one] of group.entries())
      for (const other of group.slice(at + 1)) this.add(one, other, reason, 1);
  }

  add(one: Compared, other: Compared, reason: Reason, score: number): void {
    const key = pairKey(one.id, other.id);
    if (one.id === other.id) return;
    if ((this.#found.get(key)?.score ?? 0) >= score) return;
    // people with the same name
    if (reason !== "authority" && contradict(new Map(one.authorities), new Map(other.authorities))) return;
    const [first, second] = one.id < other.id ? [one, other] : [other, one];
    this.#found.set(key, { ids: [first.id, second.id], reason, score });
  }

  /** The surest first, then those with the oldest records. */
  sorted(): Candidate[] {
    const rank = ({ reason }: Candidate) => REASONS.indexOf(reason);
    return [...this.#found]
      .sort(([a, one], [b, other]) => other.score - one.score || rank(one) - rank(other) || (a < b ? -1 : 1))
      .map(([, candidate]) => candidate);
  }
}

/** For each word of a name, the word and the first letters of the others: those of `O. Brander` are among those of `Oluf Brander`. */
function initialsOf(words: string): string[] {
  const all = words.split(" ");
  if (all.length < 2 || all.length > 5 || /\d/.test(words)) return [];
  return all.flatMap((word, at) =>
    word.length === 1
      ? []
      : `${word} ${all
          .toSpliced(at, 1)
          .map(([first]) => first)
          .join(" ")}`,
  );
}

function addAbbreviated(pairs: Pairs, group: readonly Name[]): void {
  if (group.length > MOST_ALIKE) return;
  for (const [at, one] of group.entries())
    for (const other of group.slice(at + 1))
      if (isAbbreviation(one.words, other.words)) pairs.add(one.record, other.record, "name", INITIALS_SCORE);
}

/** Whether both have the same words, but for some that are only initials in one of them. */
function isAbbreviation(one: string, other: string): boolean {
  const rest = other.split(" ");
  const open = one.split(" ").filter((word) => {
    const at = rest.indexOf(word);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return (
    open.length === rest.length &&
    open.every((word, at) => isInitial(word, rest[at]!) || isInitial(rest[at]!, word))
  );
}

const isInitial = (letter: string, word: string): boolean =>
  letter.length === 1 && word[0] === letter && !FIXED.test(word);

/** Words in which a slip makes another name: numbers, also Roman ones, and single letters. */
const FIXED = /\d|^.$|^[ivxlc]+$/u;
const fixedWords = (words: string): string =>
  words
    .split(" ")
    .filter((word) => FIXED.test(word))
    .join(" ");

/** How much of two texts is the same, if they differ by a slip or two in one place; otherwise 0. */
function similarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const most = Math.min(2, Math.floor(longest / 6));
  if (Math.abs(a.length - b.length) > most) return 0;
  const shortest = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < shortest && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < shortest - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  if (longest - begin - end > LONGEST_DIFFERENCE) return 0;
  const [one, other] = [a, b].map((text) => text.slice(begin, text.length - end)) as [string, string];
  const far = changes(one, other);
  return far > most ? 0 : Math.round((1 - far / longest) * 100) / 100;
}
