/** The filters of a search in words. Each chip is a link to the search without this filter. */

import { html } from "hono/html";
import { VISITOR } from "../../caller.ts";
import { UUID } from "../../ids.ts";
import { labelText, named, type Text, text, title } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { kinds } from "../../records/kinds.ts";
import { readHits } from "../../records/public/neighbours.ts";
import type { Schema } from "../../records/schema.ts";
import { OPS } from "../../search/clause.ts";
import { MAKER } from "../../search/maker-facet.ts";
import { SEARCH_TYPES } from "../../search/params.ts";
import { idNow } from "../../search/request.ts";
import type { Sql } from "../../services.ts";
import { clauseParts, HAS_PICTURE, type SearchState } from "./address.ts";
import { COLLECTION_STATUS, fieldOf, type Names } from "./facets.ts";
import { addressWith, type Chip } from "./filters.ts";

export async function chipsOf(
  sql: Sql,
  view: View,
  schema: Schema,
  state: SearchState,
  names: Names,
): Promise<Chip[]> {
  const { t } = view;
  const label = (name: string) => named(view, fieldLabel(view, schema, name));
  const linked = state.filters.filter(([name, id]) => name.startsWith("rel_") && UUID.test(id));
  const now = new Map(
    await Promise.all(linked.map(async ([, id]) => [id, await idNow(sql, VISITOR, id)] as const)),
  );
  const titles = await readHits(sql, schema, VISITOR, [...now.values()], [t.language]);
  const chip = (label: Html, more: Partial<SearchState>): Chip[] => [
    { label, to: addressWith(view, state, more) },
  ];
  const without = (names: readonly string[], value?: string) => ({
    filters: state.filters.filter(
      ([name, other]) => !names.includes(name) || (value !== undefined && other !== value),
    ),
  });
  const chips = state.filters.flatMap(([name, value]) => {
    if (name === HAS_PICTURE[0]) return chip(html`${t("search.withPicture")}`, without([name]));
    const field = fieldOf(name);
    const isDate = SEARCH_TYPES.some(
      (kind) => schema.fields.get(kind)?.get(field ?? "")?.field_type === "date",
    );
    if (name.startsWith("rel_")) {
      const record = titles.get(now.get(value) ?? value) ?? { title: "…" };
      return chip(title("bdi", view, record), without([name], value));
    }
    if (!name.startsWith("range_") || field === undefined) {
      const words = isDate ? { value: dateInWords(value, t.language) } : names(field ?? name, value);
      const what = html`${label(field ?? name)}${t("form.colon")} ${text("bdi", view, words)}`;
      return chip(what, without([name], value));
    }
    const ends = ["from", "to"].map((end) => `range_${field}_${end}`);
    const [from = "…", to = "…"] = ends.map((end) => {
      const given = state.filters.find(([each]) => each === end)?.[1];
      return isDate && given ? dateInWords(given, t.language) : given?.replace(/^(-?)0+(?=\d)/, "$1");
    });
    // the two ends of a range are one chip
    if (from !== "…" && name.endsWith("_to")) return [];
    return chip(html`${label(field)}${t("form.colon")} <bdi>${from} – ${to}</bdi>`, without(ends));
  });
  const clauses = state.clauses.flatMap((clause, index) => {
    const others = state.clauses.filter((_, other) => other !== index);
    return chip(clauseInWords(view, schema, clause, names), { clauses: others });
  });
  return [...chips, ...clauses];
}

/** The label of a field, or of the subtypes of a kind. */
export function fieldLabel({ t }: View, schema: Schema, name: string): Text {
  const kind = SEARCH_TYPES.find((each) => kinds[each].subtypeKey === name);
  if (kind) return { value: t("search.subtype") };
  if (name === COLLECTION_STATUS) return { value: t("search.standing") };
  if (name === HAS_PICTURE[0]) return { value: t("search.picture") };
  if (name === MAKER) return { value: t("attribution.maker") };
  for (const each of SEARCH_TYPES) {
    const field = schema.fields.get(each)?.get(name);
    // a field that visitors may not see has no label for them
    if (field) return field.is_public ? labelText(field.label, t.language, name) : { value: name };
  }
  return { value: name };
}

/** `1900 and 1920`. */
function bothEnds({ t }: View, value: string): string {
  const [from, to, ...more] = value.split("..");
  return from && to && more.length === 0
    ? `${from} ${t("date.and", { starts: to.trim().charAt(0) })} ${to}`
    : value;
}

function clauseInWords(view: View, schema: Schema, clause: string, names: Names): Html {
  const { field, op, value } = clauseParts(clause);
  const known = OPS.find((each) => each === op);
  const words =
    op === "is" ? names(field, value) : { value: op === "between" ? bothEnds(view, value) : value };
  const shown = value === "" ? "" : html` ${text("bdi", view, words)}`;
  return html`${named(view, fieldLabel(view, schema, field))} ${known ? view.t(`op.${known}`) : html`<bdi>${op}</bdi>`}${shown}`;
}
