/** Changes of fields, and what must hold for them. Lock → read → check → write → mark what must be projected again. */
import { type Account, mayDo } from "../../caller.ts";
import { demandUnchanged, type Expected } from "../../http/answer/resource-answers.ts";
import { type Said, said } from "../../messages/said.ts";
import { type Fault, invalid, invalidAt, Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds, oneOf } from "../../records/kinds.ts";
import type { Field } from "../../records/schema.ts";
import { recordShapes } from "../../records/shape.ts";
import { wholeKinds } from "../../records/visibility.ts";
import type { Services, Tx } from "../../services.ts";
import { changeConfiguration, demandUnused } from "../configuration-store.ts";
import { demandSame } from "../shape.ts";
import { findVocabulary } from "../terms/vocabulary-store.ts";
import { findMisfits, mayMisfit } from "./fit.ts";
import { type FieldDraft, type FieldReplacement, fieldJson } from "./shape.ts";
import {
  allFields,
  countOtherFacets,
  deleteField,
  fieldUsage,
  findField,
  hiddenVocabularies,
  insertField,
  markFieldChanged,
  nextFieldOrder,
  updateField,
} from "./store.ts";

/** The search index numbers facets with seven bits (sql/0006_search.sql). */
const MOST_FACETS = 127;

export async function createField(
  services: Services,
  caller: Account,
  kind: Kind,
  draft: FieldDraft,
): Promise<Field> {
  demandSame("record_type", draft.record_type, kind);
  demandFreeName(kind, draft.name);
  if (draft.is_public) demandReader(caller, kind, said("problem.field.unreadable", { kind: oneOf(kind) }));
  return changeFields(services, async (tx) => {
    if (await findField(tx, kind, draft.name)) {
      throw new Problem("conflict", said("problem.field.exists"));
    }
    const sort_order = draft.sort_order ?? (await nextFieldOrder(tx, kind));
    const field: Field = { ...draft, record_type: kind, sort_order };
    await demandSound(tx, field);
    return keepHidden(tx, caller, [field.vocabulary], () => insertField(tx, field));
  });
}

/** Parameters and facets of searches over all kinds of record. */
const OF_SEARCHES = ["record_type", "collection_status", ...KINDS.map((kind) => kinds[kind].subtypeKey)];

/** Two columns of a CSV file would have the same name, and `facets` would count the other one. A field that exists stays. */
function demandFreeName(kind: Kind, name: string): void {
  if (!OF_SEARCHES.includes(name) && !Object.hasOwn(recordShapes[kind].shape, name)) return;
  throw invalidAt("/name", said("fault.field.built_in"));
}

/** `edit` makes the new definition from the current one. */
export async function changeField(
  services: Services,
  caller: Account,
  kind: Kind,
  name: string,
  expected: Expected,
  edit: (current: Field) => FieldReplacement,
): Promise<Field> {
  return changeFields(services, async (tx) => {
    const before = await demandField(tx, kind, name, expected);
    const wish = edit(before);
    demandSame("record_type", wish.record_type, kind);
    demandSame("name", wish.name, name);
    const after: Field = {
      ...wish,
      record_type: kind,
      name,
      sort_order: wish.sort_order ?? before.sort_order,
    };
    if (after.is_public && !before.is_public)
      demandReader(caller, kind, said("problem.field.unreadable", { kind: oneOf(kind) }));
    await demandSound(tx, after);
    if (mayMisfit(before, after)) await demandFit(tx, caller, after);
    const vocabularies = [before.vocabulary, after.vocabulary];
    return keepHidden(tx, caller, vocabularies, () => updateField(tx, after));
  });
}

/** Marks the records whose search documents change (`search/document.ts`), also those of other kinds: a facet counts them all. */
function changeFields<T>({ sql }: Services, change: (tx: Tx) => Promise<T>): Promise<T> {
  return changeConfiguration(sql, async (tx) => {
    const before = howSearched(await allFields(tx));
    const done = await change(tx);
    const after = howSearched(await allFields(tx));
    for (const [key, { field, how }] of before) {
      const now = after.get(key);
      if (now === undefined || now.how === how) continue;
      await markFieldChanged(tx, field.record_type, field.name, field.is_public && !now.field.is_public);
    }
    return done;
  });
}

function howSearched(fields: readonly Field[]): Map<string, { field: Field; how: string }> {
  const facets = fields.filter(({ is_facet }) => is_facet);
  const names = new Set(facets.map(({ name }) => name));
  const trees = new Set(facets.map(({ vocabulary }) => vocabulary));
  return new Map(
    fields.map((field) => {
      const { record_type, name, field_type, vocabulary, is_searchable, is_public, mapping } = field;
      const asFacet = names.has(name) && [mapping.pattern === "right", trees.has(vocabulary)];
      const how = JSON.stringify([field_type, vocabulary, is_searchable, is_public, asFacet]);
      return [`${record_type}.${name}`, { field, how }];
    }),
  );
}

/** A vocabulary that only private fields use is opened by nobody who may not read their records. */
async function keepHidden<T>(
  tx: Tx,
  caller: Account,
  vocabularies: readonly (string | null)[],
  change: () => Promise<T>,
): Promise<T> {
  const before = await hiddenVocabularies(tx, vocabularies);
  const done = await change();
  const after = await hiddenVocabularies(tx, vocabularies);
  for (const [name, readers] of before) {
    if (after.has(name)) continue;
    for (const kind of readers)
      demandReader(caller, kind, said("problem.vocabulary.unreadable", { kind: oneOf(kind), name }));
  }
  return done;
}

/** Nobody shows to everybody what they may not see. */
export function demandReader(caller: Account, kind: Kind, refused: Said): void {
  if (!mayDo(caller, "read", kind)) throw new Problem("forbidden", refused);
}

/** Only when no record uses it: values that nobody could see or correct any more would not be deleted, but lost. */
export async function removeField(
  services: Services,
  caller: Account,
  kind: Kind,
  name: string,
  expected: Expected,
): Promise<void> {
  await changeFields(services, async (tx) => {
    const { vocabulary } = await demandField(tx, kind, name, expected);
    if (name === kinds[kind].titleField) {
      throw new Problem("conflict", said("problem.field.title_kept", { field: name }));
    }
    const usage = await fieldUsage(tx, kind, name);
    demandUnused(usage, "problem.field.in_use", { field: `${kind}.${name}` });
    await keepHidden(tx, caller, [vocabulary], () => deleteField(tx, kind, name));
  });
}

export function noField(kind: Kind, name: string): Problem {
  return new Problem("not_found", said("problem.field.not_found", { kind, name: name.slice(0, 80) }));
}

async function demandField(tx: Tx, kind: Kind, name: string, expected: Expected): Promise<Field> {
  const field = await findField(tx, kind, name);
  if (!field) throw noField(kind, name);
  await demandUnchanged(expected, fieldJson(field));
  return field;
}

async function demandSound(tx: Tx, field: Field): Promise<void> {
  const faults = [...titleFaults(field), ...vocabularyFaults(field)];
  if (field.record_type === "storage_location" && field.is_public) {
    faults.push({ pointer: "/is_public", detail: said("fault.field.location_public") });
  }
  if (field.vocabulary !== null && !(await findVocabulary(tx, field.vocabulary))) {
    faults.push({
      pointer: "/vocabulary",
      detail: said("fault.vocabulary.not_found", { name: field.vocabulary }),
    });
  }
  if (field.is_facet && (await countOtherFacets(tx, field.name)) >= MOST_FACETS) {
    faults.push({
      pointer: "/is_facet",
      detail: said("fault.field.facets", { most: MOST_FACETS }),
    });
  }
  if (faults.length > 0) throw invalid(faults);
}

/** Lists, pages and exports name a record by this field. */
function titleFaults(field: Field): Fault[] {
  const { kind, titleField } = kinds[field.record_type];
  if (field.name !== titleField) return [];
  const faults: Fault[] = [];
  if (field.field_type !== "text") {
    faults.push({
      pointer: "/field_type",
      detail: said("fault.field.title_text", { name: titleField }),
    });
  }
  if (!field.is_public && kind !== "storage_location") {
    faults.push({
      pointer: "/is_public",
      detail: said("fault.field.title_public", { name: titleField }),
    });
  }
  return faults;
}

function vocabularyFaults(field: Field): Fault[] {
  if (field.field_type === "vocab" && field.vocabulary === null) {
    return [{ pointer: "/vocabulary", detail: said("fault.field.vocabulary_missing") }];
  }
  if (field.vocabulary !== null && field.field_type !== "vocab" && field.field_type !== "vocab_free") {
    return [
      { pointer: "/vocabulary", detail: said("fault.field.vocabulary_extra", { type: field.field_type }) },
    ];
  }
  return [];
}

async function demandFit(tx: Tx, caller: Account, field: Field): Promise<void> {
  const misfits = await findMisfits(tx, field);
  if (misfits.records === 0) return;
  const values = { records: misfits.records, name: `${field.record_type}.${field.name}` };
  const more = misfits.records > misfits.idnos.length ? ", …" : "";
  throw new Problem(
    "conflict",
    wholeKinds(caller).includes(field.record_type)
      ? said("problem.field.misfits_named", { ...values, idnos: misfits.idnos.join(", ") + more })
      : said("problem.field.misfits", values),
  );
}
