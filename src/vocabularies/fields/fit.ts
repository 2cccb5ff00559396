/** Whether what records already hold in a field fits another definition of it. */
import { BEFORE_ALL_IDS } from "../../ids.ts";
import type { Field, Schema } from "../../records/schema.ts";
import { metadataFaults } from "../../records/write/fields.ts";
import type { Tx } from "../../services.ts";
import { termValues } from "../terms/store.ts";
import { nextFieldValues } from "./store.ts";

const PAGE = 1_000;
/** Identification numbers that are named, so that people know where to begin. */
const MOST_NAMED = 5;

/** Changes of these can make values wrong that were right. */
export function mayMisfit(before: Field, after: Field): boolean {
  return (
    before.field_type !== after.field_type ||
    before.vocabulary !== after.vocabulary ||
    before.is_repeatable !== after.is_repeatable ||
    before.is_translatable !== after.is_translatable
  );
}

/** The records whose values do not fit, by the same rules that hold when a record is written. */
export async function findMisfits(tx: Tx, field: Field): Promise<{ records: number; idnos: string[] }> {
  const schema = await schemaOf(tx, field);
  const found = { records: 0, idnos: [] as string[] };
  for (let after = BEFORE_ALL_IDS; ; ) {
    const page = await nextFieldValues(tx, field.record_type, field.name, after, PAGE);
    for (const { idno, entries } of page) {
      if (!entries) continue;
      const metadata = { [field.name]: entries };
      if (metadataFaults(schema, field.record_type, metadata, metadata).length === 0) continue;
      found.records++;
      if (found.idnos.length < MOST_NAMED) found.idnos.push(idno);
    }
    if (page.length < PAGE) return found;
    after = page.at(-1)!.id;
  }
}

/** A schema of this field alone. Not `currentSchema`: that keeps what it reads, and this may yet be rolled back. */
async function schemaOf(tx: Tx, field: Field): Promise<Schema> {
  const terms = new Map<string, ReadonlySet<string>>();
  if (field.vocabulary) terms.set(field.vocabulary, new Set(await termValues(tx, field.vocabulary)));
  return {
    version: 0,
    visibilityEpoch: 0,
    fields: new Map([[field.record_type, new Map([[field.name, field]])]]),
    subtypes: new Map(),
    relationTypes: new Map(),
    terms,
    termsNow: new Map(),
    qualifiers: new Map(),
    facets: new Set(),
    broader: new Map(),
  };
}
