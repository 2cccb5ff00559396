/**
 * Reads who made an object and how certain that is: "Werkstatt von", "attributed to". The words become a term of the vocabulary
 * `attribution_qualifier` if they are one of its names, or a usual variant; otherwise they are kept as they are.
 */
import type { Element, Node } from "slimdom";
import { QUALIFIERS } from "../../records/links/attributions.ts";
import type { Entry, Metadata } from "../../records/record.ts";
import { wordsOf } from "../../text.ts";
import type { LidoContext } from "./context.ts";
import { type Names, namesIn } from "./ends.ts";
import { at, concept, type Found, type ReadConcept, saying, textOf } from "./xml.ts";

/** Words, folded, for each term. */
const VARIANTS: Readonly<Record<string, RegExp>> = {
  formerly_attributed_to:
    /^(fruher|ehemals|vormals|formerly|previously|anciennement|autrefois|gia|antes|voorheen) (zugeschrieben|attributed|attribuee?|attribuit[oa]|atribuid[oa]|toegeschreven)$/,
  attributed_to:
    /^(zugeschrieben(e|er|es)?|zuschreibung|attributed|attribution|attribuee?|attribuit[oa]|attribuzione|atribuid[oa]|atribucion|toegeschreven|toeschrijving)$/,
  workshop_of: /^((aus )?werkstatt|(aus )?atelier|workshop|studio|bottega|taller|werkplaats)$/,
  circle_of: /^((aus )?umkreis|(from )?circle|entourage|cercle|cerchia|circulo|omgeving|kring)$/,
  follower_of: /^(nachfolgerin|nachfolger|nachfolge|follower|suiveur|seguace|seguidora?|navolger)$/,
  manner_of:
    /^(art|nach art|in der art|manier|in der manier|manner|in the manner|(a la )?maniere|(alla )?maniera|(a la )?manera|(in de )?(trant|stijl))$/,
  copy_after: /^(kopie|copy|copie|copia)$/,
  possibly:
    /^(moglicherweise|vielleicht|vermutlich|possibly|perhaps|peut etre|forse|posiblemente|quizas|mogelijk|misschien)$/,
};

/** Small words before a name. They say nothing about the attribution, and count as said. */
const SMALL = new Set(
  "von vom des der dem den d de du da di del of the to le la les l an a after nach d apres par by und and et dal dalla dell della da del lo la il el van het naar aan e y en".split(
    " ",
  ),
);

/** The words without small words at the end: `Werkstatt von` and `Werkstatt des` are one. */
function headOf(text: string): string {
  const words = wordsOf(text);
  while (words.length > 1 && SMALL.has(words.at(-1)!)) words.pop();
  return words.join(" ");
}

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

/** The term that a text names, or says in a usual way. */
function termNamed(known: LidoContext, text: string): string | undefined {
  const named = known.word(QUALIFIERS, [], [text]);
  if (named !== undefined) return named;
  const head = headOf(text);
  const [term] = Object.entries(VARIANTS).find(([, words]) => words.test(head)) ?? [];
  return term === undefined ? undefined : known.word(QUALIFIERS, [], [term]);
}

/** Of a link: `qualifier` and `qualifier_text`, with the nodes that they keep. `told`: words for display that they say. */
export type Attribution = { metadata: Metadata; from: readonly Node[]; told: readonly string[] };

const PLAIN: Attribution = { metadata: {}, from: [], told: [] };

/**
 * The attribution that `attributionQualifierActor`, `extentActor` (if it is a qualifier) or the text for display says. `extents`: words
 * that say which part of the object the person made.
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
      ? { ...byElements(known, said, entryOf), told: [] }
      : byDisplay(known, set, inRole, entryOf);
  return {
    attribution,
    extents: parts.flatMap(({ terms }) => terms.slice(0, 1).map(({ value, from }) => ({ value, from }))),
  };
}

/** Elements that are terms give the qualifier, unless they differ; the words of all others are kept as they are. */
function byElements(
  known: LidoContext,
  said: readonly (ReadConcept & { element: Element })[],
  entryOf: (element: Element) => Found,
): Omit<Attribution, "told"> {
  const read = said.map((each) => {
    const isOurs = each.terms[0]?.origin === "qualifier_text";
    return { ...each, term: isOurs ? undefined : termOf(known, each) };
  });
  const [term, ...others] = new Set(read.flatMap((each) => each.term ?? []));
  const isTerm = (each: { term: string | undefined }): boolean => others.length === 0 && each.term === term;
  const words = read
    .filter((each) => term === undefined || !isTerm(each))
    .flatMap(({ element, terms, uris, all }) => {
      if (terms.length === 0) return [{ ...entryOf(element), value: uris[0] ?? textOf(element), from: all }];
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
      ...words.flatMap(({ from }) => from),
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

/** "gemalt von", "by" before the name of a plain maker. */
const PLAIN_BEFORE = /^((ge|ent|ver|be|her|aus)\p{L}+(t|en) )?(von|durch)$|^(\p{L}+ )?(by|par)$/u;
/** Words before a name that lead to it: `Schule des`, `after`. */
const LEADS = /(^| )(von|vom|des|der|nach|of|after|to|de|du|d|del|apres|bei|an)$/;

/** From a text for display: "Werkstatt von Joris van Eck (Maler)", "Joris van Eck (zugeschrieben)", "früher Joris van Eck zugeschrieben". */
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
  const told: string[] = [];
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
      told.push(before, ...after.filter((_, at) => found[at + 1] !== undefined));
    } else if (LEADS.test(words) && !PLAIN_BEFORE.test(words)) {
      const { lang } = entryOf(display);
      texts.push({ value: before, ...(lang === undefined ? {} : { lang }) });
      told.push(before);
    }
  }
  const words = told.flatMap(wordsOf);
  if (term !== undefined) return { metadata: { qualifier: [{ value: term }] }, from: [], told: words };
  return texts.length > 0 ? { metadata: { qualifier_text: joined(texts) }, from: [], told: words } : PLAIN;
}

/** The names of a person, also with the first name first. */
function namesOf({ preferred, further }: Names): string[] {
  return [...preferred, ...further].flatMap(({ value }) => {
    const [, last, first] = /^([^,]+), ([^,]+)$/.exec(value) ?? [];
    return last === undefined ? [value] : [value, `${first} ${last}`];
  });
}

/** The words before a name in a text, and the parts behind it: `(zugeschrieben), Maler` has two. */
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

/** Whether all words of a text for display are among these. */
export const isExplained = (display: Element, told: Iterable<string>): boolean => {
  const known = new Set(told);
  return wordsOf(textOf(display)).every((word) => known.has(word) || SMALL.has(word));
};

/** The words of all elements, or of those that are kept; between two of them there may be no blank. */
export const wordsIn = (node: Node, among?: Pick<ReadonlySet<Node>, "has">): string[] => {
  if (node.nodeType !== node.TEXT_NODE) return node.childNodes.flatMap((child) => wordsIn(child, among));
  return among && !among.has(node) ? [] : wordsOf(node.nodeValue ?? "");
};
