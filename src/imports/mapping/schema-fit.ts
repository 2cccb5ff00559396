/** Checks a mapping against the file and the schema before any row is read. */
import { type Said, said } from "../../messages/said.ts";
import { type Fault, invalid } from "../../problem.ts";
import { type Kind, kinds, oneOf } from "../../records/kinds.ts";
import { orientRelation } from "../../records/links/relations.ts";
import {
  currentSchema,
  fieldsOf,
  relationTypeNamed,
  type Schema,
  type Subtype,
} from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { nearest, withNear } from "../../text/nearest.ts";
import { fold } from "../../text.ts";
import type { ImportOptions } from "../options.ts";
import type { RowOptions } from "../save/items.ts";
import { keyFields } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import { withNames } from "./names-fit.ts";
import { brief, shortColumn } from "./targets.ts";

/** Functions that translate the place of a fault in the mapping or an option into a pointer into the caller's request. */
export type Places = { mapping(pointer: string): string; option(name: string): string };

/** For the command line, where the mapping is a file and options have no pointers. */
export const AS_TYPED: Places = { mapping: (pointer) => pointer, option: () => "" };

/**
 * Throws one problem with all faults that would make every row fail. Returns the mapping with what the schema says about its
 * fields. `lacking`: faults of the mapping for this file.
 */
export async function demandFit(
  services: Services,
  mapping: Mapping,
  lacking: readonly Fault[],
  options: FitOptions,
  places: Places = AS_TYPED,
): Promise<Mapping> {
  const { kind } = options;
  const schema = await currentSchema(services.sql);
  const ofMapping = [...lacking, ...checkSchema(mapping, kind, schema), ...checkLinks(mapping, options)];
  const ofOptions = checkOptions(mapping, options, schema);
  const all = [...ofMapping, ...ofOptions.map(({ detail }) => ({ pointer: "", detail }))];
  if (all.length === 0)
    return [withLanguages, withSubtypes, withWording, withNames].reduce(
      (fitting, step) => step(fitting, kind, schema),
      mapping,
    );
  throw invalid(
    [
      ...ofMapping.map(({ pointer, detail }) => ({ pointer: places.mapping(pointer), detail })),
      ...ofOptions.map(({ option, detail }) => ({ pointer: places.option(option), detail })),
    ],
    summaryOf(all),
  );
}

function summaryOf(faults: readonly Fault[]): Said {
  if (faults.length > 1) return said("problem.import.faults", { count: faults.length });
  const { pointer, detail: fault } = faults[0]!;
  return pointer === ""
    ? said("problem.import.fault", { fault })
    : said("problem.import.fault_at", { pointer: shortColumn(pointer), fault });
}

type FitOptions = RowOptions & Pick<ImportOptions, "upsertStrategy">;
type OptionFault = { option: string; detail: Said };

function checkOptions(mapping: Mapping, options: FitOptions, schema: Schema): OptionFault[] {
  const { kind, subtype, idnoStrategy, autoPublish, upsertStrategy } = options;
  const faults = checkSubtype(subtype, kind, schema);
  const keys = keyFields(mapping, options);
  if (upsertStrategy === "link" && idnoStrategy === "auto" && keys.length === 0) {
    const detail = said("fault.import.link_needs_number");
    faults.push({ option: "upsert_strategy", detail });
  }
  if (idnoStrategy !== "auto" && !mapping.some(({ target }) => target.kind === "idno")) {
    const detail = said("fault.import.strategy_needs_number", { strategy: idnoStrategy });
    faults.push({ option: "idno_strategy", detail });
  }
  if (autoPublish && kind === "storage_location") {
    faults.push({ option: "auto_publish", detail: said("fault.import.never_public") });
  }
  return faults;
}

/** The strategy `link` writes links only, so nothing else may be mapped. */
function checkLinks(mapping: Mapping, { upsertStrategy }: FitOptions): Fault[] {
  if (upsertStrategy !== "link") return [];
  const strange = mapping.filter(
    ({ target, key }) => target.kind !== "idno" && target.kind !== "relation" && !key,
  );
  const detail = said("fault.mapping.links_only");
  return strange.map(({ pointer }) => ({ pointer, detail }));
}

/** Values of translatable fields keep the language that the file gives them. Dates and numbers have none. */
function withLanguages(mapping: Mapping, kind: Kind, schema: Schema): Mapping {
  const fields = fieldsOf(schema, kind);
  return mapping.map((entry) => {
    const { target } = entry;
    const speaks = target.kind === "field" && fields.get(target.name)?.is_translatable === true;
    return speaks ? { ...entry, ownLanguage: true } : entry;
  });
}

/** Dates in words are also kept as written, if the schema has a field for them to which nothing else is mapped. */
function withWording(mapping: Mapping, kind: Kind, schema: Schema): Mapping {
  const fields = [...fieldsOf(schema, kind).values()];
  const mapped = new Set(mapping.map(({ target }) => (target.kind === "field" ? target.name : undefined)));
  const wordingOf = (name: string): string | undefined => {
    const pattern = fields.find((field) => field.name === name)?.mapping.pattern;
    const wording = fields.find((field) => pattern && field.mapping.pattern === `${pattern}_text`);
    return wording?.field_type === "text" && !mapped.has(wording.name) ? wording.name : undefined;
  };
  return mapping.map((entry) => {
    const reads = entry.transforms.some(({ type }) => type === "edtf");
    const wording = reads && entry.target.kind === "field" ? wordingOf(entry.target.name) : undefined;
    return wording === undefined ? entry : { ...entry, wording };
  });
}

/** Accepts labels of subtypes in any language, unless several subtypes have the same label. */
function withSubtypes(mapping: Mapping, kind: Kind, schema: Schema): Mapping {
  const subtypes = schema.subtypes.get(kind) ?? new Map<string, Subtype>();
  const named = new Map<string, Set<string>>();
  for (const { name, label } of subtypes.values()) {
    for (const key of [name, ...Object.values(label)].map(labelKey))
      named.set(key, (named.get(key) ?? new Set()).add(name));
  }
  const nameOf = (value: string): string => {
    const [name, ...others] = subtypes.has(value.trim()) ? [] : (named.get(labelKey(value)) ?? []);
    return name === undefined || others.length > 0 ? value : name;
  };
  return mapping.map((entry) => {
    if (entry.target.kind !== "type") return entry;
    const step = {
      type: "vocab_map",
      step: (values: readonly string[]) => values.map(nameOf),
      columns: [],
      cost: 1,
    } as const;
    return { ...entry, transforms: [...entry.transforms, step] };
  });
}

const labelKey = (text: string): string => fold(text.trim());

/** One fault for each target that records of this type cannot have. Suggests the most similar name. */
function checkSchema(mapping: Mapping, kind: Kind, schema: Schema): Fault[] {
  const fields = fieldsOf(schema, kind);
  const faults: Fault[] = [];
  for (const { target, pointer, authority } of mapping) {
    if (authority && target.kind === "relation") {
      const own = fieldsOf(schema, target.to_type);
      const known = [...own.values()].filter(({ field_type }) => field_type === "authority");
      if (own.get(authority.field)?.field_type !== "authority") {
        const detail = said(
          known.length > 0 ? "fault.mapping.not_authority" : "fault.mapping.no_authorities",
          {
            name: brief(authority.field),
            kinds: said(`kind.many.${target.to_type}`),
            names: known.map(({ name }) => name).join(", "),
          },
        );
        faults.push({ pointer: `${pointer}/authority`, detail });
      }
    }
    if (target.kind === "field" && !fields.has(target.name)) {
      const near = nearest(target.name, fields.keys());
      const what = { kinds: said(`kind.many.${kind}`), name: brief(target.name), kind };
      const detail = said(near ? "fault.mapping.no_field" : "fault.mapping.no_field_see", what);
      faults.push({ pointer, detail: withNear(detail, near) });
    }
    if (target.kind === "relation") {
      const fault = relationFault(schema, kind, target);
      if (fault) faults.push({ pointer, detail: fault });
      for (const { detail } of checkSubtype(target.subtype, target.to_type, schema))
        faults.push({ pointer: `${pointer}/subtype`, detail });
    }
  }
  return faults;
}

function checkSubtype(subtype: string | undefined, kind: Kind, schema: Schema): OptionFault[] {
  const known = [...(schema.subtypes.get(kind)?.keys() ?? [])];
  if (subtype === undefined || known.includes(subtype)) return [];
  const detail = said("fault.not_listed", {
    value: brief(subtype),
    field: kinds[kind].subtypeKey,
    values: known.join(", "),
  });
  return [{ option: "subtype", detail }];
}

function relationFault(
  schema: Schema,
  kind: Kind,
  wish: { relation_type: string; to_type: Kind },
): Said | undefined {
  const direction = orientRelation(schema, kind, wish);
  if (!("fault" in direction)) return undefined;
  const names = [...schema.relationTypes.values()].flatMap(({ name, inverse }) => [name, inverse]);
  const fitting = names.filter(
    (relation_type) => !("fault" in orientRelation(schema, kind, { relation_type, to_type: wish.to_type })),
  );
  const known = relationTypeNamed(schema, wish.relation_type) !== null;
  const near = known ? undefined : nearest(wish.relation_type, names);
  const fault = known
    ? direction.fault
    : said("fault.mapping.no_relation_type", { name: brief(wish.relation_type) });
  if (near !== undefined && typeof fault === "object") return withNear(fault, near);
  const ends = { fault, from: oneOf(kind), to: oneOf(wish.to_type) };
  return fitting.length === 0
    ? said("fault.mapping.none_leads", ends)
    : said("fault.mapping.others_lead", { ...ends, names: [...new Set(fitting)].join(", ") });
}
