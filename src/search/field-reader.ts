/** Parses the parameters of a search that are about fields. Collects all faults instead of stopping at the first. */
import type { Caller } from "../caller.ts";
import { type Said, said } from "../messages/said.ts";
import type { FieldCondition } from "../ports/search-index.ts";
import type { Fault } from "../problem.ts";
import { isUnknownDate } from "../records/dates/in-words.ts";
import { COLLECTION_STATUSES, KINDS, type Kind, kinds } from "../records/kinds.ts";
import { type Schema, termNow } from "../records/schema.ts";
import { maySeeField } from "../records/visibility.ts";
import { noSubtype } from "../records/write/rules.ts";
import { nearest, withNear } from "../text/nearest.ts";
import { beginning } from "../text.ts";
import { COLLECTION_STATUS, centuriesOf, decadesOf, MAKERS, subtypesOf } from "./buckets.ts";
import { facetValue, spanOf } from "./document.ts";
import { MAKER, makerOf } from "./maker-facet.ts";
import { SEARCH_TYPES, SearchParams } from "./params.ts";

const MOST_FACETS = 20;
const MOST_GIVEN = 50;
/** Parameters that are not fields, but filter and count like facets (interface §3): `object_type`, `collection_status`, `maker` … */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ...SEARCH_TYPES.map((kind) => [kinds[kind].subtypeKey, subtypesOf(kind)] as const),
  ["collection_status", COLLECTION_STATUS],
  [MAKER, MAKERS],
]);
const OF_COLUMNS: ReadonlySet<string> = new Set(COLUMNS.values());
const RANGE = /^range_(.+)_(from|to)$/;

/** Translates names and values of fields into conditions. */
export class FieldReader {
  private readonly schema: Schema;
  private readonly visible: ReadonlySet<string>;
  readonly faults: Fault[];

  constructor(schema: Schema, visible: ReadonlySet<string>, faults: Fault[]) {
    this.schema = schema;
    this.visible = visible;
    this.faults = faults;
  }

  fault(pointer: string, detail: Said): void {
    this.faults.push({ pointer, detail });
  }

  isFacet(field: string): boolean {
    return OF_COLUMNS.has(field) || this.schema.facets.has(field.replace(/\.(decade|century)$/, ""));
  }

  /** Whether the field's words are in the index for every kind of record that has the field. */
  isSearched(field: string): boolean {
    return this.definitions(field).every((definition) => definition.is_searchable !== null);
  }

  /** `date` or `number` if that is the field's type in every kind that has it; else null. */
  rangeType(field: string): "date" | "number" | null {
    const types = new Set(this.definitions(field).map((definition) => definition.field_type));
    const [type] = types;
    return types.size === 1 && (type === "date" || type === "number") ? type : null;
  }

  private definitions(field: string) {
    return KINDS.flatMap((kind) => this.schema.fields.get(kind)?.get(field) ?? []);
  }

  /** Whether the reader may know the field; if not, adds a fault. */
  knows(pointer: string, field: string): boolean {
    if (this.visible.has(field)) return true;
    const unknown = said("fault.field.unknown", { name: shown(field) });
    this.fault(pointer, withNear(unknown, nearest(field, this.visible)));
    return false;
  }

  facets(text: string | undefined): Map<string, string> {
    const names = new Map<string, string>();
    const listed = (text ?? "").split(",").map((name) => name.trim());
    for (const name of new Set(listed.filter((one) => one !== ""))) {
      const column = COLUMNS.get(name);
      if (column !== undefined) {
        names.set(column, name);
        continue;
      }
      const [, plain = "", part] = /^([^.]*)(?:\.(.*))?$/.exec(name) ?? [];
      if (!this.knows("query:facets", plain)) continue;
      const isDate = this.rangeType(plain) === "date" && this.isFacet(plain);
      if (part !== undefined && !(isDate && (part === "decade" || part === "century"))) {
        this.fault("query:facets", said("fault.facets.part", { name: shown(name) }));
      } else if (!isDate) names.set(plain, name);
      else names.set(part === "century" ? centuriesOf(plain) : decadesOf(plain), name);
    }
    if (names.size > MOST_FACETS)
      this.fault("query:facets", said("fault.facets.too_many", { most: MOST_FACETS }));
    return names;
  }

  /** `meta_` and `range_` parameters, subtypes, collection statuses and makers. `lenient`: the last three may have any value. */
  conditions(rest: Record<string, unknown>, lenient: boolean): FieldCondition[] {
    const conditions: FieldCondition[] = [];
    const ranges = new Map<string, { from?: string; to?: string }>();
    for (const [name, given] of Object.entries(rest)) {
      const pointer = `query:${name.slice(0, 80)}`;
      const values = [given].flat() as string[];
      const range = RANGE.exec(name);
      if (range) {
        const [, field = "", end] = range;
        if (!this.knows(pointer, field)) continue;
        if (values.length > 1) this.fault(pointer, said("fault.twice"));
        else ranges.set(field, { ...ranges.get(field), [end!]: values[0] });
      } else if (COLUMNS.has(name)) {
        const each = values.flatMap((value) => value.split(","));
        const unknown = lenient ? null : this.unknownValue(name, each);
        if (each.length > MOST_GIVEN)
          this.fault(pointer, said("fault.values.too_many", { most: MOST_GIVEN }));
        else if (unknown !== null) this.fault(pointer, unknown);
        else conditions.push({ op: "is", field: COLUMNS.get(name)!, isFacet: true, values: each });
      } else if (name.startsWith("meta_")) {
        const field = name.slice(5);
        if (!this.knows(pointer, field)) continue;
        if (values.length > MOST_GIVEN)
          this.fault(pointer, said("fault.values.too_many", { most: MOST_GIVEN }));
        else conditions.push(this.hasValue(field, values));
      } else {
        const near = this.visible.has(name) ? `meta_${name}` : nearest(name, Object.keys(SearchParams.shape));
        this.fault(pointer, withNear(said("fault.parameter"), near));
      }
    }
    for (const [field, { from, to }] of ranges) {
      const range = this.between(field, from, to, (end) => `query:range_${field}_${end}`);
      if (range) conditions.push(range);
    }
    return conditions;
  }

  /** The fault of the first value that no record can have; null if all values are known. */
  private unknownValue(column: string, values: readonly string[]): Said | null {
    if (column === MAKER)
      return values.every((value) => makerOf(value) !== null) ? null : said("fault.search.maker");
    const kind = SEARCH_TYPES.find((each) => kinds[each].subtypeKey === column);
    const known: readonly string[] = kind
      ? [...(this.schema.subtypes.get(kind)?.keys() ?? [])]
      : COLLECTION_STATUSES;
    const unknown = values.find((value) => !known.includes(value));
    if (unknown === undefined) return null;
    if (kind) return noSubtype(this.schema, kind, shown(unknown));
    return notOneOf(unknown, known);
  }

  /** Decades and centuries are also values of a date field, as in its facets. */
  hasValue(field: string, given: readonly string[]): FieldCondition {
    const values = given.map((value) => this.termNow(field, value));
    const isFacet = this.isFacet(field);
    const isDate = isFacet && this.rangeType(field) === "date";
    return {
      op: "is",
      field,
      isFacet,
      values: isFacet ? values.map((value) => this.counted(field, value)) : values,
      ...(isDate ? { also: [decadesOf(field), centuriesOf(field)] } : {}),
    };
  }

  /** A merged term stands for the term that it was merged into. */
  private termNow(field: string, value: string): string {
    const now = this.definitions(field).map(({ vocabulary }) => termNow(this.schema, vocabulary)(value));
    return now.find((each) => each !== undefined) ?? value;
  }

  private counted(field: string, value: string): string {
    return this.definitions(field).reduce((said, definition) => facetValue(definition, said), value);
  }

  /** Null if the range is wrong. Each end includes all that it can mean: a range to `1920` includes 31 December 1920. */
  between(
    field: string,
    from: string | undefined,
    to: string | undefined,
    pointer: (end: "from" | "to") => string,
  ): FieldCondition | null {
    const type = this.rangeType(field);
    if (type === null) {
      this.fault(pointer(from === undefined ? "to" : "from"), said("fault.range.type", { field }));
      return null;
    }
    const read = (end: "from" | "to", text: string | undefined, open: number): number | null => {
      if (text === undefined) return open;
      const span = spanOf({ field_type: type }, text.slice(0, 200));
      const isUnknown = type === "date" && isUnknownDate(text);
      if (span && Number.isFinite(span[end]) && !isUnknown) return span[end];
      this.fault(pointer(end), said(`fault.range.${type}`, { value: shown(text) }));
      return null;
    };
    const low = read("from", from, Number.NEGATIVE_INFINITY);
    const high = read("to", to, Number.POSITIVE_INFINITY);
    if (low === null || high === null) return null;
    if (low > high) {
      this.fault(pointer("from"), said("fault.range.order", { from: shown(from!), to: shown(to!) }));
      return null;
    }
    return { op: "between", field, isFacet: this.isFacet(field), from: low, to: high };
  }
}

export const shown = (text: string): string => beginning(text, 80);

export const notOneOf = (value: string, known: readonly string[]): Said =>
  withNear(
    said("fault.choice.unknown", { value: shown(value), choices: known.join(", ") }),
    nearest(value, known),
  );

/**
 * The fields of these kinds that the reader may know. If a field is private in one of the kinds, a visitor who searches all of
 * them may not use it.
 */
export function visibleFieldNames(schema: Schema, reader: Caller, types: readonly Kind[]): Set<string> {
  const names = new Set<string>();
  const hidden = new Set<string>();
  for (const kind of types) {
    for (const field of schema.fields.get(kind)?.values() ?? []) {
      (maySeeField(reader, field) ? names : hidden).add(field.name);
    }
  }
  for (const name of hidden) names.delete(name);
  return names;
}

/** Kinds whose titles the reader may see. */
export function titledKinds(schema: Schema, reader: Caller, types: readonly Kind[]): Kind[] {
  return types.filter((kind) => {
    const field = schema.fields.get(kind)?.get(kinds[kind].titleField);
    return field !== undefined && maySeeField(reader, field);
  });
}
