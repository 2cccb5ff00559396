/**
 * What a caller may find, and which conditions hold, as one `filter_by`. Only this file writes filters. Whatever comes from
 * outside is a code of hexadecimal digits, a number, an identifier, or a word of letters and digits, so nothing that
 * somebody types can become part of a filter.
 */
import type { FieldCondition, LinkCondition, SearchQuery, SearchScope } from "../../search-index.ts";
import {
  facetField,
  idNumbers,
  linkCode,
  presenceCode,
  sortableNumber,
  spanCode,
  valueCode,
} from "./typesense-record.ts";

/** Null is a condition that no record can meet. */
export type Filter = string | null;

/** Words of one `contains`: Typesense takes a hundred operators, and there may be twenty such conditions. */
const MOST_WORDS = 4;
const NAME = /^[a-z0-9_]+$/;
const ID = /^[0-9a-f-]{36}$/i;
const WORD = /^[\p{L}\p{N}]+$/u;

export type FilterContext = {
  /** Names of the collection's fields. */
  fields: ReadonlySet<string>;
  /** Records that meet a condition on values that Typesense does not have. */
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

/** What a scope may find. For visitors that is what is public, whatever statuses were asked for. */
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

export function typesFilter(recordTypes: readonly string[]): Filter {
  return oneOf("record_type", recordTypes);
}

export function idsFilter(ids: readonly string[]): Filter {
  const valid = ids.filter((id) => ID.test(id));
  return valid.length === 0 ? null : `id:[${valid.join(",")}]`;
}

/** Records whose identifiers come after this one. */
export function afterFilter(id: string): Filter {
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
      const [from, to] = [sortableNumber(condition.from, "up"), sortableNumber(condition.to, "down")];
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

/** Readers with a list of relation types follow only links that visitors may know of. */
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
