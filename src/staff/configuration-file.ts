/** The configuration of an installation as one JSON file, to be applied to another one. Its order never varies. */
import { z } from "zod";
import { readAs } from "../http/faults.ts";
import { demandSingleKeys } from "../http/request/json-keys.ts";
import { readJson } from "../http/request/json-text.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { KINDS } from "../records/kinds.ts";
import { currentSchema } from "../records/schema.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { readSettings } from "../settings/settings.ts";
import { SettingsContentShape } from "../settings/shape.ts";
import { FieldDraftShape, fieldJson } from "../vocabularies/fields/shape.ts";
import { RelationTypeDraftShape, relationTypeJson } from "../vocabularies/relation-types/shape.ts";
import { NameShape } from "../vocabularies/shape.ts";
import { SubtypeReplacementShape, subtypeJson } from "../vocabularies/subtypes/shape.ts";
import { listTerms, type TermRow } from "../vocabularies/terms/store.ts";
import {
  MOST_BROADER,
  TermDraftShape,
  VocabularyDraftShape,
} from "../vocabularies/terms/vocabulary-shape.ts";
import { listVocabularies } from "../vocabularies/terms/vocabulary-store.ts";
import { SUPERUSER } from "./actor.ts";
import { RoleDraftShape, roleJson } from "./role-shape.ts";
import { listRoles } from "./role-store.ts";

const FORMAT = "svc-configuration";
const VERSION = 1;
/** Of one vocabulary. */
export const MOST_TERMS = 100_000;

const record_type = z.enum(KINDS);

const {
  shape: { value, label, uri, sort_order, alt_label, hidden_label, definition, scope_note },
} = TermDraftShape;

/** Terms name their broader terms by their values, because ids differ between installations. */
const TermShape = z.strictObject({
  ...{ value, label, uri, sort_order, broader: z.string().nullable().default(null) },
  also_broader: z.array(z.string()).max(MOST_BROADER).default([]),
  // older files have none of these, which then stay as they are
  alt_label: alt_label.unwrap().optional(),
  hidden_label: hidden_label.unwrap().optional(),
  definition: definition.unwrap().optional(),
  scope_note: scope_note.unwrap().optional(),
});

/** A part that is left out stays as it is. */
export const ConfigurationShape = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  vocabularies: z
    .array(
      VocabularyDraftShape.omit({ term_count: true }).extend({ terms: z.array(TermShape).max(MOST_TERMS) }),
    )
    .default([]),
  fields: z.array(FieldDraftShape.extend({ record_type })).default([]),
  subtypes: z.array(SubtypeReplacementShape.extend({ name: NameShape, record_type })).default([]),
  relation_types: z.array(RelationTypeDraftShape).default([]),
  roles: z.array(RoleDraftShape).default([]),
  // another installation has other records to highlight
  settings: SettingsContentShape.omit({ highlights: true }).partial().default({}),
});

export type Configuration = z.output<typeof ConfigurationShape>;

/** What a file says; 422 with what is wrong in it. */
export function configurationIn(text: string): Configuration {
  const json = readJson(text, (place) =>
    invalid([{ pointer: "/file", detail: said("fault.file.not_json", place) }]),
  );
  demandSingleKeys(text);
  const read = readAs(ConfigurationShape, json);
  if ("faults" in read) throw invalid(read.faults.slice(0, 20));
  return read.data;
}

const sorted = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

/** The present configuration, without accounts, keys, records and the logo. The role superuser is the same everywhere. */
export async function readConfiguration(sql: Sql | Tx): Promise<Configuration> {
  const schema = await currentSchema(sql as Services["sql"]);
  const all = <T>(kinds: ReadonlyMap<string, ReadonlyMap<string, T>>) =>
    [...kinds.values()].flatMap((ofKind) => [...ofKind.values()]);
  const vocabularies = [];
  for (const { term_count: _, ...row } of sorted(await listVocabularies(sql as Sql), ({ name }) => name)) {
    const terms = await listTerms(sql, row.name, {}, { limit: MOST_TERMS, offset: 0 });
    vocabularies.push({ ...row, terms: termsOf(terms) });
  }
  const { logo: _logo, version: _version, highlights: _highlights, ...settings } = await readSettings(sql);
  const byKind = (row: { record_type: string; name: string }) => `${row.record_type} ${row.name}`;
  // parsed like a file, so that both have the same form
  return ConfigurationShape.parse({
    format: FORMAT,
    version: VERSION,
    vocabularies,
    fields: sorted(all(schema.fields), byKind).map(fieldJson),
    subtypes: sorted(all(schema.subtypes), byKind).map((row) => ({
      record_type: row.record_type,
      ...subtypeJson(row),
    })),
    relation_types: sorted([...schema.relationTypes.values()], ({ name }) => name).map(relationTypeJson),
    roles: sorted(await listRoles(sql as Sql), ({ name }) => name)
      .filter(({ name }) => name !== SUPERUSER)
      .map(roleJson),
    settings,
  });
}

function termsOf(terms: readonly TermRow[]): Configuration["vocabularies"][number]["terms"] {
  const values = new Map(terms.map(({ id, value }) => [id, value]));
  return terms.map(({ id: _, vocabulary: _in, broader_id, also_broader, ...term }) => ({
    ...term,
    broader: (broader_id && values.get(broader_id)) ?? null,
    also_broader: also_broader.flatMap((id) => values.get(id) ?? []),
  }));
}
