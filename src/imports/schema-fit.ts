/** A mapping held against what the file and this catalogue have: columns, fields, relation types, before any row is read. */

import { didYouMean } from "../nearest.ts";
import { type Fault, invalid } from "../problem.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { orientRelation } from "../records/relations.ts";
import { currentSchema, fieldsOf, relationTypeNamed, type Schema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import type { RowOptions } from "./items.ts";
import type { Mapping } from "./mapping.ts";
import { quoted, shortColumn } from "./targets.ts";

/**
 * Everything that would make each row fail is said at once, before the first; `lacking` is what the file cannot give.
 * Answers the mapping with what the schema says of it.
 */
export async function demandFit(
  services: Services,
  mapping: Mapping,
  lacking: readonly Fault[],
  { kind, subtype, idnoStrategy, autoPublish }: RowOptions,
): Promise<Mapping> {
  const schema = await currentSchema(services.sql);
  const faults = [...lacking, ...checkSchema(mapping, kind, schema), ...checkSubtype(subtype, kind, schema)];
  if (idnoStrategy !== "auto" && !mapping.some(({ target }) => target.kind === "idno")) {
    const detail = `the idno strategy ${idnoStrategy} needs a column that is mapped to __idno__`;
    faults.push({ pointer: "", detail });
  }
  if (autoPublish && kind === "storage_location") {
    faults.push({
      pointer: "",
      detail: "storage locations are never public: import them without publishing",
    });
  }
  const [first, ...more] = faults;
  if (!first) return withLanguages(mapping, kind, schema);
  const one = first.pointer === "" ? first.detail : `${shortColumn(first.pointer)} ${first.detail}`;
  const sentence = more.length === 0 ? `: ${one}` : ` for ${faults.length} reasons, listed in errors`;
  throw invalid(faults, `The import cannot begin${sentence}`);
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

/** Every target that records of this type cannot have, each with the most similar name that there is. */
function checkSchema(mapping: Mapping, kind: Kind, schema: Schema): Fault[] {
  const fields = fieldsOf(schema, kind);
  const plural = kinds[kind].plural.replace("-", " ");
  const faults: Fault[] = [];
  for (const { target, pointer } of mapping) {
    if (target.kind === "field" && !fields.has(target.name)) {
      const hint =
        didYouMean(target.name, fields.keys()) || ` (GET /v1/schemas/${kind} lists those there are)`;
      faults.push({ pointer, detail: `${plural} have no field ${quoted(target.name)}${hint}` });
    }
    if (target.kind === "relation") {
      const fault = relationFault(schema, kind, target);
      if (fault) faults.push({ pointer, detail: fault });
    }
  }
  return faults;
}

function checkSubtype(subtype: string | undefined, kind: Kind, schema: Schema): Fault[] {
  const known = [...(schema.subtypes.get(kind)?.keys() ?? [])];
  if (subtype === undefined || known.includes(subtype)) return [];
  const detail = `${quoted(subtype)} is no ${kinds[kind].subtypeKey}; there are ${known.join(", ")}`;
  return [{ pointer: "", detail }];
}

function relationFault(
  schema: Schema,
  kind: Kind,
  wish: { relation_type: string; to_type: Kind },
): string | undefined {
  const direction = orientRelation(schema, kind, wish);
  if (typeof direction !== "string") return undefined;
  const names = [...schema.relationTypes.values()].flatMap(({ name, inverse }) => [name, inverse]);
  const fitting = names.filter(
    (relation_type) =>
      typeof orientRelation(schema, kind, { relation_type, to_type: wish.to_type }) !== "string",
  );
  const known = relationTypeNamed(schema, wish.relation_type) !== null;
  const hint = known ? "" : didYouMean(wish.relation_type, names);
  const fault = known ? direction : `there is no relation type ${quoted(wish.relation_type)}`;
  if (hint !== "") return `${fault}${hint}`;
  const from = `from ${kind} to ${wish.to_type}`;
  return fitting.length === 0
    ? `${fault}; none leads ${from}`
    : `${fault}; those that lead ${from}: ${[...new Set(fitting)].join(", ")}`;
}
