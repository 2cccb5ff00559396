/** Checks a mapping against the file and the schema, before any row is read. */
import { say } from "../messages/said.ts";
import { ENGLISH } from "../messages/translate.ts";
import { didYouMean } from "../nearest.ts";
import { type Fault, invalid } from "../problem.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { orientRelation } from "../records/relations.ts";
import { currentSchema, fieldsOf, relationTypeNamed, type Schema, type Subtype } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { fold } from "../text.ts";
import type { RowOptions } from "./items.ts";
import { keyFields } from "./keys.ts";
import type { Mapping } from "./mapping.ts";
import type { ImportOptions } from "./options.ts";
import { quoted, shortColumn } from "./targets.ts";

/** Where a fault of the mapping or of an option is in the request of the caller. */
export type Places = { mapping(pointer: string): string; option(name: string): string };

/** For the command line: the mapping is a file, and options have no pointers. */
const AS_TYPED: Places = { mapping: (pointer) => pointer, option: () => "" };

/**
 * Throws one problem with all faults because of which every row would fail. `lacking`: faults of the mapping for this file. Returns
 * the mapping with what the schema says about its fields.
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
  const [first, ...more] = [...ofMapping, ...ofOptions.map(({ detail }) => ({ pointer: "", detail }))];
  if (!first) return withSubtypes(withLanguages(mapping, kind, schema), kind, schema);
  const one = first.pointer === "" ? first.detail : `${shortColumn(first.pointer)} ${first.detail}`;
  const sentence = more.length === 0 ? `: ${one}` : ` for ${more.length + 1} reasons, listed in errors`;
  throw invalid(
    [
      ...ofMapping.map(({ pointer, detail }) => ({ pointer: places.mapping(pointer), detail })),
      ...ofOptions.map(({ option, detail }) => ({ pointer: places.option(option), detail })),
    ],
    `The import cannot begin${sentence}`,
  );
}

type FitOptions = RowOptions & Pick<ImportOptions, "upsertStrategy">;
type OptionFault = { option: string; detail: string };

function checkOptions(mapping: Mapping, options: FitOptions, schema: Schema): OptionFault[] {
  const { kind, subtype, idnoStrategy, autoPublish, upsertStrategy } = options;
  const faults = checkSubtype(subtype, kind, schema);
  const keys = keyFields(mapping, options);
  if (upsertStrategy === "link" && idnoStrategy === "auto" && keys.length === 0) {
    const detail = "the upsert strategy link needs a column that is mapped to __idno__, or a key";
    faults.push({ option: "upsert_strategy", detail });
  }
  if (idnoStrategy !== "auto" && !mapping.some(({ target }) => target.kind === "idno")) {
    const detail = `the idno strategy ${idnoStrategy} needs a column that is mapped to __idno__`;
    faults.push({ option: "idno_strategy", detail });
  }
  if (autoPublish && kind === "storage_location") {
    faults.push({
      option: "auto_publish",
      detail: "storage locations are never public: import them without publishing",
    });
  }
  return faults;
}

/** The strategy `link` writes links only, so nothing else may be mapped. */
function checkLinks(mapping: Mapping, { upsertStrategy }: FitOptions): Fault[] {
  if (upsertStrategy !== "link") return [];
  const strange = mapping.filter(
    ({ target, key }) => target.kind !== "idno" && target.kind !== "relation" && !key,
  );
  const detail = "is not written by the upsert strategy link, which writes links only";
  return strange.map(({ pointer }) => ({ pointer, detail }));
}

/** Words that can be translated keep the language in which the file has them; dates and numbers have none. */
function withLanguages(mapping: Mapping, kind: Kind, schema: Schema): Mapping {
  const fields = fieldsOf(schema, kind);
  return mapping.map((entry) => {
    const { target } = entry;
    const speaks = target.kind === "field" && fields.get(target.name)?.is_translatable === true;
    return speaks ? { ...entry, ownLanguage: true } : entry;
  });
}

/** A subtype may also be given by its label in any language, unless several have this label. */
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

/** Every target that records of this type cannot have, each with the most similar name that there is. */
function checkSchema(mapping: Mapping, kind: Kind, schema: Schema): Fault[] {
  const fields = fieldsOf(schema, kind);
  const plural = kinds[kind].many;
  const faults: Fault[] = [];
  for (const { target, pointer, authority } of mapping) {
    if (authority && target.kind === "relation") {
      const own = fieldsOf(schema, target.to_type);
      const known = [...own.values()].filter(({ field_type }) => field_type === "authority");
      if (own.get(authority.field)?.field_type !== "authority") {
        const plain = known.map(({ name }) => name).join(", ") || "none";
        const detail = `${quoted(authority.field)} is not an authority field of ${kinds[target.to_type].plural}; there are: ${plain}`;
        faults.push({ pointer: `${pointer}/authority`, detail });
      }
    }
    if (target.kind === "field" && !fields.has(target.name)) {
      const hint =
        didYouMean(target.name, fields.keys()) || ` (GET /v1/schemas/${kind} lists those there are)`;
      faults.push({ pointer, detail: `${plural} have no field ${quoted(target.name)}${hint}` });
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
  const detail = `${quoted(subtype)} is not a valid ${kinds[kind].subtypeKey}; the valid ones are ${known.join(", ")}`;
  return [{ option: "subtype", detail }];
}

function relationFault(
  schema: Schema,
  kind: Kind,
  wish: { relation_type: string; to_type: Kind },
): string | undefined {
  const direction = orientRelation(schema, kind, wish);
  if (!("fault" in direction)) return undefined;
  const names = [...schema.relationTypes.values()].flatMap(({ name, inverse }) => [name, inverse]);
  const fitting = names.filter(
    (relation_type) => !("fault" in orientRelation(schema, kind, { relation_type, to_type: wish.to_type })),
  );
  const known = relationTypeNamed(schema, wish.relation_type) !== null;
  const hint = known ? "" : didYouMean(wish.relation_type, names);
  const fault = known
    ? say(ENGLISH, direction.fault)
    : `there is no relation type ${quoted(wish.relation_type)}`;
  if (hint !== "") return `${fault}${hint}`;
  const from = `from ${kind} to ${wish.to_type}`;
  return fitting.length === 0
    ? `${fault}; none leads ${from}`
    : `${fault}; those that lead ${from}: ${[...new Set(fitting)].join(", ")}`;
}
