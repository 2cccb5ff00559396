/**
 * Reads how certain it is who made an object: "Werkstatt von", "attributed to". Words that name a term of the vocabulary
 * `attribution_qualifier`, or a usual variant of one, become that term. Other words are kept as they are.
 */
import type { Element, Node } from "slimdom";
import { QUALIFIERS } from "../../records/links/attributions.ts";
import type { Entry, Metadata } from "../../records/record.ts";
import { wordsOf } from "../../text.ts";
import { attributionIn, SMALL } from "../attribution-words.ts";
import type { LidoContext } from "./context.ts";
import { type Names, namesIn } from "./ends.ts";
import { at, concept, type Found, type ReadConcept, saying, textOf } from "./xml.ts";

/** The term that a concept names, by one of its words or its address. */
function termOf(
  known: LidoContext,
  { uris, terms }: { uris: readonly string[]; terms: readonly Entry[] },
): string | undefined {
  const texts = terms.map(({ value }) => value);
  const named = known.word(QUALIFIERS, uris, texts);
  if (named !== undefined) return named;
  return texts.map((text) => termNamed(known, text)).find((term) => term !== undefined);
}

/** The term that a text names, or one of whose usual variants it is. */
function termNamed(known: LidoContext, text: string): string | undefined {
  const named = known.word(QUALIFIERS, [], [text]);
  if (named !== undefined) return named;
  const term = attributionIn(wordsOf(text));
  return term === undefined ? undefined : known.word(QUALIFIERS, [], [term]);
}

/** The `qualifier` and `qualifier_text` of a link, the nodes that they keep (`from`), and the words of display texts that they cover. */
export type Attribution = { metadata: Metadata; from: readonly Node[]; covered: readonly string[] };

const PLAIN: Attribution = { metadata: {}, from: [], covered: [] };

/**
 * Reads the attribution from `attributionQualifierActor`, from `extentActor` if that is a qualifier, or else from the display
 * text. `extents`: words for the part of the object that the person made.
 */
export function attributionOf(
  known: LidoContext,
  set: Element,
  entryOf: (element: Element) => Found,
): { attribution: Attribution; extents: Found[] } {
  const [inRole] = at(set, "actorInRole");
  if (!inRole) return { attribution: PLAIN, extents: [] };
  const qualifiers = at(inRole, "attributionQualifierActor").map((element) => ({
    element,
    ...concept(element),
  }));
  const extents = at(inRole, "extentActor").map((element) => ({ element, ...concept(element) }));
  const isQualifier = (extent: ReadConcept) => termOf(known, extent) !== undefined;
  const parts = extents.filter((extent) => !isQualifier(extent));
  const said = [...qualifiers, ...extents.filter(isQualifier)].filter(
    ({ element }) => textOf(element) !== "" || element.children.length > 0,
  );
  const attribution =
    said.length > 0
      ? { ...byElements(known, said, entryOf), covered: [] }
      : byDisplay(known, set, inRole, entryOf);
  return {
    attribution,
    extents: parts.flatMap(({ terms }) => terms.slice(0, 1).map(({ value, from }) => ({ value, from }))),
  };
}

/** Elements that all name the same term give the qualifier. The words of other elements are kept as they are. */
function byElements(
  known: LidoContext,
  said: readonly (ReadConcept & { element: Element })[],
  entryOf: (element: Element) => Found,
): Omit<Attribution, "covered"> {
  const read = said.map((each) => {
    const isOurs = each.terms[0]?.origin === "qualifier_text";
    return { ...each, term: isOurs ? undefined : termOf(known, each) };
  });
  const [term, ...others] = new Set(read.flatMap((each) => each.term ?? []));
  const isTerm = (each: { term: string | undefined }): boolean =>
    term !== undefined && others.length === 0 && each.term === term;
  const words = read
    .filter((each) => !isTerm(each))
    .flatMap(({ element, terms, uris, all }): Found[] => {
      if (terms.length === 0) {
        // only addresses and numbers
        const value = uris[0] ?? textOf(at(element, "conceptID")[0] ?? element);
        const from = saying({ all }, (text) => text === value);
        return value === "" ? [] : [{ ...entryOf(element), value, from }];
      }
      return terms.map(({ value, lang, origin, from }) => ({
        value,
        lang: origin === null ? (lang ?? entryOf(element).lang) : lang,
        from,
      }));
    });
  const metadata: Metadata = {};
  if (term !== undefined && others.length === 0) metadata.qualifier = [{ value: term }];
  if (words.length > 0) metadata.qualifier_text = joined(words);
  return {
    metadata,
    from: [
      ...read
        .filter(isTerm)
        .flatMap((each) =>
          saying(each, (text) => termOf(known, { uris: [text], terms: [{ value: text }] }) === term),
        ),
      ...words.flatMap(({ from = [] }) => from),
    ],
  };
}

/** Several texts of one language become one. */
function joined(words: readonly Entry[]): Entry[] {
  const byLanguage = new Map<string | undefined, string[]>();
  for (const { value, lang } of words) byLanguage.set(lang, [...(byLanguage.get(lang) ?? []), value]);
  return [...byLanguage].map(([lang, values]) => ({
    value: [...new Set(values)].join(", "),
    ...(lang === undefined ? {} : { lang }),
  }));
}

/** Words before the name of a plain maker: "gemalt von", "by". */
const PLAIN_BEFORE = /^((ge|ent|ver|be|her|aus)\p{L}+(t|en) )?(von|durch)$|^(\p{L}+ )?(by|par)$/u;
/** Words before a name that qualify it: `Schule des`, `after`. */
const LEADS = /(^| )(von|vom|des|der|nach|of|after|to|de|du|d|del|apres|bei|an)$/;

/** Reads display texts: "Werkstatt von Joris van Eck (Maler)", "Joris van Eck (zugeschrieben)", "früher Joris van Eck zugeschrieben". */
function byDisplay(
  known: LidoContext,
  set: Element,
  inRole: Element,
  entryOf: (element: Element) => Found,
): Attribution {
  const [actor] = at(inRole, "actor");
  if (!actor) return PLAIN;
  const names = namesOf(namesIn(actor, "nameActorSet"));
  const texts: Entry[] = [];
  const covered: string[] = [];
  let term: string | undefined;
  for (const display of at(set, "displayActorInRole")) {
    const parts = partsAround(textOf(display), names);
    if (!parts) continue;
    const { before, after } = parts;
    const found = [before, ...after].map((part) => (part === "" ? undefined : termNamed(known, part)));
    const around = before && after[0] && termNamed(known, `${before} ${after[0]}`);
    const qualifier = around || found.find((each) => each !== undefined);
    const words = wordsOf(before).join(" ");
    if (qualifier !== undefined && (around || found[0] !== undefined || words === "")) {
      term ??= qualifier;
      covered.push(before, ...after.filter((_, at) => found[at + 1] !== undefined));
    } else if (LEADS.test(words) && !PLAIN_BEFORE.test(words)) {
      const { lang } = entryOf(display);
      texts.push({ value: before, ...(lang === undefined ? {} : { lang }) });
      covered.push(before);
    }
  }
  const words = covered.flatMap(wordsOf);
  if (term !== undefined) return { metadata: { qualifier: [{ value: term }] }, from: [], covered: words };
  return texts.length > 0 ? { metadata: { qualifier_text: joined(texts) }, from: [], covered: words } : PLAIN;
}

/** The names of a person, each also with the first name first. */
function namesOf({ preferred, further }: Names): string[] {
  return [...preferred, ...further].flatMap(({ value }) => {
    const [, last, first] = /^([^,]+), ([^,]+)$/.exec(value) ?? [];
    return last === undefined ? [value] : [value, `${first} ${last}`];
  });
}

/** The text before a name, and the parts after it: `(zugeschrieben), Maler` has two. */
function partsAround(text: string, names: readonly string[]): { before: string; after: string[] } | null {
  const lower = text.toLowerCase();
  const name = names.find((each) => each !== "" && lower.includes(each.toLowerCase()));
  if (name === undefined) return null;
  const start = lower.indexOf(name.toLowerCase());
  const after = text
    .slice(start + name.length)
    .split(/[(),;[\]]/)
    .map((part) => part.trim());
  return {
    before: text
      .slice(0, start)
      .trim()
      .replace(/[:,(]+$/, ""),
    after: after.filter((part) => part !== ""),
  };
}

/** Whether all words of a display text are among these, so that nothing is lost without it. */
export const isExplained = (display: Element, covered: Iterable<string>): boolean => {
  const known = new Set(covered);
  return wordsOf(textOf(display)).every((word) => known.has(word) || SMALL.has(word));
};

/** The words of all elements, or only of those that are kept. Read element by element, because there may be no blank between two. */
export const wordsIn = (node: Node, among?: Pick<ReadonlySet<Node>, "has">): string[] => {
  if (node.nodeType !== node.TEXT_NODE) return node.childNodes.flatMap((child) => wordsIn(child, among));
  return among && !among.has(node) ? [] : wordsOf(node.nodeValue ?? "");
};
