/**
 * Translates what a caller may find, and the conditions of a query, into one `filter_by`. Only this file writes filters.
 * Values from outside are written as hexadecimal codes, numbers, identifiers, or words of letters and digits, so that nobody
 * can type filter syntax.
 */
import type { FieldCondition, LinkCondition, SearchQuery, SearchScope } from "../../../ports/search-index.ts";
import { facetField, idNumbers, linkCode, presenceCode, spanCode, thousandths, valueCode } from "./record.ts";

/** A filter in Typesense's syntax; null if no record can match. */
export type Filter = string | null;

/** Words of one `contains` that are filtered by: Typesense accepts 100 operators, and a query may have 20 conditions. */
const MOST_WORDS = 4;
const NAME = /^[a-z0-9_]+$/;
const ID = /^[0-9a-f-]{36}$/i;
const WORD = /^[\p{L}\p{N}]+$/u;

type FilterContext = {
  /** Names of the collection's fields. */
  fields: ReadonlySet<string>;
  /** For conditions on values that Typesense does not have: the records that meet them. */
  lookedUp: ReadonlyMap<FieldCondition, readonly string[]>;
  /** Records that visitors must not find. */
  hidden: readonly string[];
};

export function queryFilter(
  { scopes, links, conditions, anyOf: alternatives }: SearchQuery,
  context: FilterContext,
): Filter {
  const one = (condition: FieldCondition) => conditionFilter(condition, context);
  return allOf([
    anyOf(
      scopes.map((scope) =>
        allOf([
          visibleFilter(scope, context.hidden),
          ...links.map((link) => linkFilter(link, scope.audience)),
        ]),
      ),
    ),
    ...conditions.map(one),
    ...(alternatives.length > 0 ? [anyOf(alternatives.map(one))] : []),
  ]);
}

/** The records that a scope may find. For visitors these are public records, whatever statuses the scope names. */
export function visibleFilter(
  { audience, recordTypes, statuses, collectionStatuses }: SearchScope,
  hidden: readonly string[],
): Filter {
  const isPublic = audience === "public";
  const unrestricted = recordTypes.filter((type) => collectionStatuses === null || type !== "object");
  const objects = recordTypes.filter((type) => !unrestricted.includes(type));
  return allOf([
    oneOf("status", isPublic ? ["public"] : statuses),
    anyOf([
      oneOf("record_type", unrestricted),
      allOf([oneOf("record_type", objects), oneOf("collection_status", collectionStatuses ?? [])]),
    ]),
    ...(isPublic && hidden.length > 0 ? [`id:!=[${hidden.filter((id) => ID.test(id)).join(",")}]`] : []),
  ]);
}

export function idsFilter(ids: readonly string[]): Filter {
  const valid = ids.filter((id) => ID.test(id));
  return valid.length === 0 ? null : `id:[${valid.join(",")}]`;
}

/** Records whose identifiers come after this one. */
export function afterFilter(id: string): string {
  const [first, second] = idNumbers(id);
  return `(id_1:>${first} || (id_1:=${first} && id_2:>${second}))`;
}

export function allOf(filters: readonly Filter[]): Filter {
  return filters.some((filter) => filter === null) ? null : filters.join(" && ");
}

export function anyOf(filters: readonly Filter[]): Filter {
  const possible = filters.filter((filter) => filter !== null);
  return possible.length === 0 ? null : `(${possible.map((filter) => `(${filter})`).join(" || ")})`;
}

function conditionFilter(condition: FieldCondition, { fields, lookedUp }: FilterContext): Filter {
  const { field } = condition;
  const found = lookedUp.get(condition);
  if (found) return idsFilter(found);
  switch (condition.op) {
    case "exists":
      return oneOf("codes", [presenceCode(field)]);
    case "missing":
      return `codes:!=${presenceCode(field)}`;
    case "is": {
      const names = [field, ...(condition.also ?? [])];
      return oneOf(
        "codes",
        names.flatMap((name) => condition.values.map((value) => valueCode(name, value))),
      );
    }
    case "between": {
      const [from, to] = [thousandths(condition.from, "up"), thousandths(condition.to, "down")];
      return `spans.{field:=${spanCode(field)} && from:<=${to} && to:>=${from}}`;
    }
  }
  const name = facetField(field);
  const { words } = condition;
  if (!fields.has(name) || words.length === 0 || !words.every((word) => WORD.test(word))) return null;
  return condition.op === "starts"
    ? `${name}:=${words.join(" ")}*`
    : allOf(words.slice(0, MOST_WORDS).map((word) => `${name}:${word}`));
}

/** With a list of relation types, only links that visitors may know of count. */
function linkFilter(link: LinkCondition, audience: SearchScope["audience"]): Filter {
  if ("among" in link) return idsFilter(link.among);
  const publicOnly = audience === "public" || link.relationTypes !== null;
  return oneOf(
    "codes",
    link.ids.flatMap((id) => (publicOnly ? [true] : [true, false]).map((each) => linkCode(id, each))),
  );
}

function oneOf(
  field: "status" | "record_type" | "collection_status" | "codes",
  values: readonly string[],
): Filter {
  const valid = values.filter((value) => NAME.test(value));
  return valid.length === 0 ? null : `${field}:=[${valid.join(",")}]`;
}
