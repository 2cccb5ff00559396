/**
 * Makes the configuration what a file says, as a whole or not at all. The plan is what happened when it was tried: the
 * same rules hold as for every change of configuration, so nothing is done by which a record would lose a value.
 */
import { recordSecurityEvent } from "../accounts/security-events.ts";
import { OPERATOR } from "../caller.ts";
import { newId } from "../ids.ts";
import { invalid, Problem } from "../problem.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { readSettings, writeSettings } from "../settings/settings.ts";
import { lockConfiguration } from "../vocabularies/configuration-store.ts";
import { changeField, createField, removeField } from "../vocabularies/field-write.ts";
import {
  changeRelationType,
  createRelationType,
  removeRelationType,
} from "../vocabularies/relation-type-write.ts";
import { putSubtype, removeSubtype } from "../vocabularies/subtype-write.ts";
import { listTerms, type TermRow } from "../vocabularies/term-store.ts";
import { removeTerm, writeTerms } from "../vocabularies/term-write.ts";
import { changeVocabulary, createVocabulary, removeVocabulary } from "../vocabularies/vocabulary-write.ts";
import { SUPERUSER } from "./actor.ts";
import { type Configuration, readConfiguration } from "./configuration-file.ts";
import { ordered } from "./permissions.ts";
import { countHolders, deleteRole, insertRole, updateRole } from "./role-store.ts";

/** `what`: for example `field object.title`. `fault`: why it cannot be done. */
export type Step = {
  what: string;
  step: "add" | "change" | "remove";
  /** Of a change: the parts that become others. */
  parts: string[];
  fault?: string;
};

export type ApplyOptions = {
  /** False: only tries, and leaves everything as it was. */
  commit: boolean;
  /** Also takes away what the file does not have, of the parts that it has. */
  remove: boolean;
};

const CLIENT = "svc-manage";

/** Thrown to leave everything as it was. */
class Tried extends Error {}

/** All steps, in the order in which they are made. Nothing is changed when one of them has a fault. */
export async function applyConfiguration(
  services: Services,
  wish: Configuration,
  { commit, remove }: ApplyOptions,
): Promise<Step[]> {
  const steps: Step[] = [];
  await services.sql
    .begin("isolation level read committed", async (tx) => {
      await lockConfiguration(tx);
      const work: Work = { tx, services: { ...services, sql: within(tx) }, steps };
      const present = await readConfiguration(tx);
      await vocabularies(work, present, wish);
      await fields(work, present, wish);
      await subtypes(work, present, wish);
      await relationTypes(work, present, wish);
      await roles(work, present, wish);
      await settings(work, present, wish);
      if (remove) await removeOthers(work, present, wish);
      if (!commit || steps.some(({ fault }) => fault !== undefined)) throw new Tried();
    })
    .catch((error) => {
      if (!(error instanceof Tried)) throw error;
    });
  return steps;
}

type Work = { tx: Tx; services: Services; steps: Step[] };

/** The transaction in the place of the database: what begins one of its own is a part of this one. */
function within(tx: Tx): Sql {
  return new Proxy(tx as unknown as Sql, {
    get: (target, key) =>
      key === "begin"
        ? (...given: unknown[]) => tx.savepoint(given.at(-1) as (inner: Tx) => Promise<unknown>)
        : Reflect.get(target, key),
  });
}

async function make(
  { steps, tx }: Work,
  step: Omit<Step, "fault">,
  doIt: () => Promise<unknown>,
): Promise<void> {
  try {
    await tx.savepoint(doIt);
    steps.push(step);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    steps.push({ ...step, fault: error.message });
  }
}

/** The keys whose values differ, in any order of theirs; what `after` leaves out stays. */
function partsThatDiffer(before: object, after: object): string[] {
  const keys = Object.entries(after).flatMap(([key, value]) => (value === undefined ? [] : key));
  const text = (object: object, key: string) => spelled((object as Record<string, unknown>)[key]);
  return keys.filter((key) => text(before, key) !== text(after, key));
}

function spelled(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** Adds what is not there, changes what differs. */
async function each<T extends object>(
  work: Work,
  what: string,
  { present, wish, name }: { present: readonly T[]; wish: readonly T[]; name: (row: T) => string },
  add: (row: T) => Promise<unknown>,
  change: (row: T) => Promise<unknown>,
): Promise<void> {
  const known = new Map(present.map((row) => [name(row), row]));
  for (const row of wish) {
    const before = known.get(name(row));
    const parts = before ? partsThatDiffer(before, row) : [];
    const subject = `${what} ${name(row)}`;
    if (!before) await make(work, { what: subject, step: "add", parts: [] }, () => add(row));
    else if (parts.length > 0) {
      await make(work, { what: subject, step: "change", parts }, () => change(row));
    }
  }
}

type Part = Configuration["fields"][number];
const ofKind = ({ record_type, name }: { record_type: string; name: string }) => `${record_type}.${name}`;
const ofName = ({ name }: { name: string }) => name;

async function vocabularies(work: Work, present: Configuration, wish: Configuration): Promise<void> {
  const { tx, services } = work;
  const alone = ({ terms: _, ...row }: Configuration["vocabularies"][number]) => row;
  const lists = {
    present: present.vocabularies.map(alone),
    wish: wish.vocabularies.map(alone),
    name: ofName,
  };
  await each(
    work,
    "vocabulary",
    lists,
    (row) => createVocabulary(services, row),
    (row) => changeVocabulary(services, row.name, null, () => row),
  );
  for (const { name, terms } of wish.vocabularies) {
    const before = present.vocabularies.find((row) => row.name === name)?.terms ?? [];
    const known = new Map(before.map((term) => [term.value, term]));
    const added = terms.filter(({ value }) => !known.has(value));
    const changed = terms.filter((term) => {
      const other = known.get(term.value);
      return other && partsThatDiffer(other, term).length > 0;
    });
    if (added.length + changed.length === 0) continue;
    const parts = [
      ...(added.length > 0 ? [`${added.length} added`] : []),
      ...(changed.length > 0 ? [`${changed.length} changed`] : []),
    ];
    const what = `terms of ${name}`;
    await make(work, { what, step: known.size === 0 ? "add" : "change", parts }, async () => {
      const rows = await listTerms(tx, name, {}, { limit: 100_000, offset: 0 });
      await writeTerms(tx, rows, rowsOf(name, rows, terms));
    });
  }
}

function rowsOf(
  vocabulary: string,
  rows: readonly TermRow[],
  terms: Configuration["vocabularies"][number]["terms"],
): TermRow[] {
  const ids = new Map(rows.map(({ id, value }) => [value, id]));
  const places = new Map(rows.map((row) => [row.value, row.sort_order]));
  const wished = new Set<string>();
  for (const { value } of terms) {
    if (wished.has(value))
      throw invalid([{ pointer: "/terms", detail: `${JSON.stringify(value)} stands twice` }]);
    wished.add(value);
    if (!ids.has(value)) ids.set(value, newId());
  }
  return terms.map(({ value, label, uri, broader, sort_order }, place) => {
    const broader_id = broader === null ? null : ids.get(broader);
    if (broader_id === undefined) {
      const detail = `${JSON.stringify(value)} lies below ${JSON.stringify(broader)}, which is no term`;
      throw invalid([{ pointer: "/terms", detail }]);
    }
    return {
      id: ids.get(value)!,
      vocabulary,
      value,
      label,
      uri,
      broader_id,
      sort_order: sort_order ?? places.get(value) ?? place * 10,
    };
  });
}

const fields = ({ services, ...rest }: Work, present: Configuration, wish: Configuration) =>
  each(
    { services, ...rest },
    "field",
    { present: present.fields, wish: wish.fields, name: ofKind },
    (row: Part) => createField(services, OPERATOR, row.record_type, row),
    (row: Part) => changeField(services, OPERATOR, row.record_type, row.name, null, () => row),
  );

async function subtypes(work: Work, present: Configuration, wish: Configuration): Promise<void> {
  const put = ({ record_type, ...row }: Configuration["subtypes"][number]) =>
    putSubtype(work.services, record_type, row.name, row, null);
  await each(work, "subtype", { present: present.subtypes, wish: wish.subtypes, name: ofKind }, put, put);
}

const relationTypes = (work: Work, present: Configuration, wish: Configuration) =>
  each(
    work,
    "relation type",
    { present: present.relation_types, wish: wish.relation_types, name: ofName },
    (row) => createRelationType(work.services, row),
    (row) => changeRelationType(work.services, OPERATOR, row.name, null, () => row),
  );

async function roles(work: Work, present: Configuration, wish: Configuration): Promise<void> {
  const { tx } = work;
  type Role = Configuration["roles"][number];
  const note = (event: "role_created" | "role_changed", { name }: Role) =>
    recordSecurityEvent(tx, {
      event,
      actorId: null,
      accountId: null,
      client: CLIENT,
      detail: { role: name },
    });
  const named = (role: Role) => {
    if (role.name === SUPERUSER)
      throw new Problem("conflict", "The role superuser permits everything and stays as it is");
    return { ...role, permissions: ordered(role.permissions) };
  };
  await each(
    work,
    "role",
    { present: present.roles, wish: wish.roles, name: ofName },
    async (row) => {
      await insertRole(tx, named(row));
      await note("role_created", row);
    },
    async (row) => {
      await updateRole(tx, named(row));
      await note("role_changed", row);
    },
  );
}

async function settings(work: Work, present: Configuration, wish: Configuration): Promise<void> {
  const { tx } = work;
  const parts = partsThatDiffer(present.settings, { ...present.settings, ...wish.settings });
  if (parts.length === 0) return;
  await make(work, { what: "settings", step: "change", parts }, async () => {
    await writeSettings(tx, { ...(await readSettings(tx)), ...wish.settings });
    const detail = { changed: parts };
    await recordSecurityEvent(tx, {
      event: "settings_changed",
      actorId: null,
      accountId: null,
      client: CLIENT,
      detail,
    });
  });
}

/** Of the parts that the file has something of. */
async function removeOthers(work: Work, present: Configuration, wish: Configuration): Promise<void> {
  const { tx, services } = work;
  const gone = async <T>(
    what: string,
    name: (row: T) => string,
    [rows, kept]: readonly [readonly T[], readonly T[]],
    takeAway: (row: T) => Promise<unknown>,
  ) => {
    if (kept.length === 0) return;
    const names = new Set(kept.map(name));
    for (const row of rows.filter((one) => !names.has(name(one)))) {
      await make(work, { what: `${what} ${name(row)}`, step: "remove", parts: [] }, () => takeAway(row));
    }
  };
  await gone("field", ofKind, [present.fields, wish.fields], (row) =>
    removeField(services, OPERATOR, row.record_type, row.name, null),
  );
  await gone("subtype", ofKind, [present.subtypes, wish.subtypes], (row) =>
    removeSubtype(services, row.record_type, row.name, null),
  );
  await gone("relation type", ofName, [present.relation_types, wish.relation_types], (row) =>
    removeRelationType(services, row.name, null),
  );
  for (const { name, terms } of wish.vocabularies) {
    const values = new Set(terms.map(({ value }) => value));
    for (const term of await listTerms(tx, name, {}, { limit: 100_000, offset: 0 })) {
      if (values.has(term.value)) continue;
      const what = `term ${JSON.stringify(term.value)} of ${name}`;
      await make(work, { what, step: "remove", parts: [] }, () => removeTerm(services, name, term.id, null));
    }
  }
  await gone("vocabulary", ofName, [present.vocabularies, wish.vocabularies], (row) =>
    removeVocabulary(services, row.name, null),
  );
  await gone("role", ofName, [present.roles, wish.roles], async ({ name }) => {
    if (name === "admin") throw new Problem("conflict", "The role admin cannot be deleted");
    const holders = await countHolders(tx, name);
    if (holders > 0) throw new Problem("conflict", `The role ${name} is that of ${holders} accounts`);
    await deleteRole(tx, name);
    const detail = { role: name };
    await recordSecurityEvent(tx, {
      event: "role_deleted",
      actorId: null,
      accountId: null,
      client: CLIENT,
      detail,
    });
  });
}
