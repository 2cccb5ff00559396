/** The second line of a card, as on a museum's label: maker and date of an object, type and date of any other record. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { semicolonOf } from "../messages/semicolons.ts";
import type { Language, Translate } from "../messages/translate.ts";
import { labelText, named, type Text } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { dateInWords, isUnknownDate, lifeInWords } from "../records/dates/in-words.ts";
import type { Kind } from "../records/kinds.ts";
import { attributedName, MADE_BY } from "../records/links/attributions.ts";
import { isMaker } from "../records/links/makers.ts";
import { findNamed, type ShownRecord, shownAs } from "../records/public/neighbours.ts";
import { linksOfRecords } from "../records/read/store.ts";
import { bestTitle, type Metadata } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { maySeeRelationType, visibleNames } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

/** Fields of the default schema; an installation without them has shorter cards. */
const FIELDS = ["date", "creator_text", "birth_date", "death_date", "formation", "dissolution"];
/** The default subtype of the default schema. */
const OTHER = "other";
/** The most makers that a card names. */
const MOST_MAKERS = 2;

export const NO_TEXT: Text = { value: "" };

/** `title`: in the reader's language if there is one; `lang`: its language (BCP 47). */
export type Card = { id: string; record_type: Kind; title: string; lang?: string };
/** `subtype`: the name of the subtype, for example "Painting"; empty for "other". `when`: empty if unknown. */
export type CardFacts = {
  record: ShownRecord;
  subtype: Text;
  makers: string[];
  when: string;
};

/** Type, makers and date. Each part keeps its own writing direction. */
export function cardLine(view: View, { subtype, makers, when }: Omit<CardFacts, "record">): Html {
  const names = inOneLine(
    view,
    makers.map((maker) => html`<bdi>${maker}</bdi>`),
    makers,
  );
  // no line break between day and month
  const date = html`<bdi>${when.replace(/(\d\.?) (?=\p{L})/gu, "$1\u{a0}")}</bdi>`;
  const made = [...(makers.length > 0 ? [names] : []), ...(when === "" ? [] : [date])];
  const line = made.map((part, index) => (index === 0 ? part : html`, ${part}`));
  return html`${named(view, subtype)}${subtype.value !== "" && line.length > 0 ? " · " : ""}${line}`;
}

/** Names separated by commas; by semicolons if a name contains a comma ("Voß, Carsten"). */
export function inOneLine({ t }: View, shown: readonly Html[], names: readonly string[]): Html {
  const sign = names.some((name) => name.includes(",")) ? semicolonOf(t) : ", ";
  return html`${shown.map((one, index) => (index === 0 ? one : html`${sign}${one}`))}`;
}

/** The facts of the records that visitors may see, by id. `most`: the most makers named. */
export async function cardFacts(
  sql: Sql,
  view: View,
  ids: readonly string[],
  most = MOST_MAKERS,
): Promise<Map<string, CardFacts>> {
  if (ids.length === 0) return new Map();
  const { language } = view.t;
  const schema = await currentSchema(sql, view.settings.version);
  const [shown, makers] = await Promise.all([
    findNamed(sql, schema, VISITOR, ids, FIELDS),
    makersOf(sql, schema, view.t, ids),
  ]);
  return new Map(
    [...shown.values()].map((found) => {
      const { id, metadata } = found;
      const made = makers.get(id) ?? metadata.creator_text?.map(({ value }) => value) ?? [];
      return [
        id,
        {
          record: shownAs(found, [language]),
          subtype: subtypeName(schema, found, language),
          makers: shortened(made, most),
          when: datesOf(view, metadata),
        },
      ];
    }),
  );
}

/** Empty for "other", which means nothing to readers. */
export function subtypeName(
  schema: Schema,
  { record_type, subtype }: { record_type: Kind; subtype: string },
  language: Language,
): Text {
  const { label = {} } = schema.subtypes.get(record_type)?.get(subtype) ?? {};
  return subtype === OTHER ? NO_TEXT : labelText(label, language, subtype);
}

const shortened = (makers: readonly string[], most: number): string[] =>
  makers
    .slice(0, most)
    .map((maker, index) => (index === most - 1 && makers.length > most ? `${maker} …` : maker));

/** The date of an object, or the years of a life. */
export function datesOf({ t }: View, metadata: Metadata): string {
  const first = (name: string) => metadata[name]?.[0]?.value;
  const date = first("date");
  return date === undefined ? lifeOf(t, (name) => yearOf(first(name))) : dateInWords(date, t.language);
}

/** A card shows only the years of a life. */
const yearOf = (date: string | undefined) =>
  date?.replace(/^(-?[\dX]{4})(-[\dX]{2}){1,2}(T.*)?(?=[?~%]?$)/, "$1");

/** From birth to death, or from formation to dissolution; empty if neither is known. `first`: returns the first date of a field. */
export function lifeOf(t: Translate, first: (field: string) => string | undefined): string {
  const known = (field: string) => {
    const date = first(field);
    return date === undefined || isUnknownDate(date) ? [] : [date];
  };
  const isPerson = known("birth_date").length + known("death_date").length > 0;
  const from = known(isPerson ? "birth_date" : "formation");
  const to = known(isPerson ? "death_date" : "dissolution");
  const date = lifeInWords([...from, ...to], t.language);
  if (from.length === to.length) return date;
  if (to.length === 0) return t(isPerson ? "life.born" : "life.founded", { date });
  return t(isPerson ? "life.died" : "life.dissolved", { date });
}

async function makersOf(
  sql: Sql,
  schema: Schema,
  t: Translate,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const makers = new Map<string, string[]>();
  const type = schema.relationTypes.get(MADE_BY);
  if (!type || !maySeeRelationType(VISITOR, type)) return makers;
  const links = await linksOfRecords(sql, VISITOR, ids, MADE_BY);
  for (const { from_id, record_type, idno, names, metadata } of links) {
    if (!isMaker(metadata)) continue;
    const name = bestTitle(visibleNames(schema, VISITOR, record_type, names), [t.language]) ?? idno;
    makers.set(from_id, [...(makers.get(from_id) ?? []), attributedName(t, schema, metadata, name)]);
  }
  return makers;
}
