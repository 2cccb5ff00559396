/**
 * Applies a configuration file, completely or not at all. The plan is made by applying the file and rolling back. The
 * rules of every configuration change hold, so no record loses a value.
 */
import { recordSecurityEvent } from "../accounts/security-events.ts";
import { OPERATOR } from "../caller.ts";
import { said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import { tryOut } from "../records/batch/transaction.ts";
import { QUALIFIERS } from "../records/links/attributions.ts";
import type { Services, Tx } from "../services.ts";
import { readSettings, writeSettings } from "../settings/settings.ts";
import { lockConfiguration } from "../vocabularies/configuration-store.ts";
import { changeField, createField, removeField } from "../vocabularies/fields/write.ts";
import {
  changeRelationType,
  createRelationType,
  removeRelationType,
} from "../vocabularies/relation-types/write.ts";
import { putSubtype, removeSubtype } from "../vocabularies/subtypes/write.ts";
import { listTerms } from "../vocabularies/terms/store.ts";
import {
  changeVocabulary,
  createVocabulary,
  removeVocabulary,
} from "../vocabularies/terms/vocabulary-write.ts";
import { removeTerm } from "../vocabularies/terms/write.ts";
import { SUPERUSER } from "./actor.ts";
import { type Configuration, MOST_TERMS, readConfiguration } from "./configuration-file.ts";
import {
  addOrChange,
  asDatabase,
  make,
  partsThatDiffer,
  type Step,
  type Work,
} from "./configuration-plan.ts";
import { changeTerms } from "./configuration-terms.ts";
import { ordered } from "./permissions.ts";
import { countHolders, deleteRole, insertRole, updateRole } from "./role-store.ts";

type ApplyOptions = {
  /** False: only a plan; everything is rolled back. */
  commit: boolean;
  /** Also removes what the file lacks, in those parts that the file contains. */
  remove: boolean;
  /** Named in the security events; the command line by default. */
  by?: Applier;
};

type Applier = { actorId: string | null; client: string };

/** The command line. */
const OPERATED: Applier = { actorId: null, client: "svc-manage" };

/** Returns all steps in their order. If one has a fault, nothing is changed. */
export async function applyConfiguration(
  services: Services,
  wish: Configuration,
  { commit, remove, by = OPERATED }: ApplyOptions,
): Promise<Step[]> {
  const apply = async (tx: Tx): Promise<Step[]> => {
    const steps: Step[] = [];
    await lockConfiguration(tx);
    const work: Work = { tx, services: { ...services, sql: asDatabase(tx) }, steps };
    const current = await readConfiguration(tx);
    await vocabularies(work, current, wish);
    await fields(work, current, wish);
    await subtypes(work, current, wish);
    await relationTypes(work, current, wish);
    await roles(work, current, wish, by);
    await settings(work, current, wish, by);
    if (remove) await removeOthers(work, current, wish, by);
    return steps;
  };
  return tryOut(services, apply, (steps) => commit && steps.every(({ fault }) => fault === undefined));
}

const ofKind = ({ record_type, name }: { record_type: string; name: string }) => `${record_type}.${name}`;
const ofName = ({ name }: { name: string }) => name;

async function vocabularies(work: Work, current: Configuration, wish: Configuration): Promise<void> {
  const { services } = work;
  const alone = ({ terms: _, ...row }: Configuration["vocabularies"][number]) => row;
  const lists = {
    current: current.vocabularies.map(alone),
    wish: wish.vocabularies.map(alone),
    name: ofName,
  };
  await addOrChange(
    work,
    "plan.vocabulary",
    lists,
    (row) => createVocabulary(services, row),
    (row) => changeVocabulary(services, row.name, null, () => row),
  );
  await changeTerms(work, current, wish);
}

const fields = (work: Work, current: Configuration, wish: Configuration) =>
  addOrChange(
    work,
    "plan.field",
    { current: current.fields, wish: wish.fields, name: ofKind },
    (row) => createField(work.services, OPERATOR, row.record_type, row),
    (row) => changeField(work.services, OPERATOR, row.record_type, row.name, null, () => row),
  );

async function subtypes(work: Work, current: Configuration, wish: Configuration): Promise<void> {
  const put = ({ record_type, ...row }: Configuration["subtypes"][number]) =>
    putSubtype(work.services, record_type, row.name, row, null);
  await addOrChange(
    work,
    "plan.subtype",
    { current: current.subtypes, wish: wish.subtypes, name: ofKind },
    put,
    put,
  );
}

const relationTypes = (work: Work, current: Configuration, wish: Configuration) =>
  addOrChange(
    work,
    "plan.relation_type",
    { current: current.relation_types, wish: wish.relation_types, name: ofName },
    (row) => createRelationType(work.services, row),
    (row) => changeRelationType(work.services, OPERATOR, row.name, null, () => row),
  );

async function roles(work: Work, current: Configuration, wish: Configuration, by: Applier): Promise<void> {
  const { tx } = work;
  type Role = Configuration["roles"][number];
  const note = (event: "role_created" | "role_changed", { name }: Role) =>
    recordSecurityEvent(tx, { event, ...by, accountId: null, detail: { role: name } });
  const named = (role: Role) => {
    if (role.name === SUPERUSER) throw new Problem("conflict", said("problem.role.superuser_fixed"));
    return { ...role, permissions: ordered(role.permissions) };
  };
  await addOrChange(
    work,
    "plan.role",
    { current: current.roles, wish: wish.roles, name: ofName },
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

async function settings(work: Work, current: Configuration, wish: Configuration, by: Applier): Promise<void> {
  const { tx } = work;
  const parts = partsThatDiffer(current.settings, { ...current.settings, ...wish.settings });
  if (parts.length === 0) return;
  await make(work, { what: said("plan.settings"), step: "change", parts }, async () => {
    await writeSettings(tx, { ...(await readSettings(tx)), ...wish.settings });
    const detail = { changed: parts };
    await recordSecurityEvent(tx, { event: "settings_changed", ...by, accountId: null, detail });
  });
}

/** Removes what the file lacks, in those parts that the file contains. */
async function removeOthers(
  work: Work,
  current: Configuration,
  wish: Configuration,
  by: Applier,
): Promise<void> {
  const { tx, services } = work;
  const gone = async <T>(
    what: MessageKey,
    name: (row: T) => string,
    [rows, kept]: readonly [readonly T[], readonly T[]],
    takeAway: (row: T) => Promise<unknown>,
  ) => {
    if (kept.length === 0) return;
    const names = new Set(kept.map(name));
    for (const row of rows.filter((one) => !names.has(name(one)))) {
      const gone = said(what, { name: name(row) });
      await make(work, { what: gone, step: "remove", parts: [] }, () => takeAway(row));
    }
  };
  await gone("plan.field", ofKind, [current.fields, wish.fields], (row) =>
    removeField(services, OPERATOR, row.record_type, row.name, null),
  );
  await gone("plan.subtype", ofKind, [current.subtypes, wish.subtypes], (row) =>
    removeSubtype(services, row.record_type, row.name, null),
  );
  await gone("plan.relation_type", ofName, [current.relation_types, wish.relation_types], (row) =>
    removeRelationType(services, row.name, null),
  );
  for (const { name, terms } of wish.vocabularies) {
    const values = new Set(terms.map(({ value }) => value));
    for (const term of await listTerms(tx, name, {}, { limit: MOST_TERMS, offset: 0 })) {
      if (values.has(term.value)) continue;
      const what = said("plan.term", { value: term.value, name });
      await make(work, { what, step: "remove", parts: [] }, () => removeTerm(services, name, term.id, null));
    }
  }
  // files of earlier versions do not have it
  const others = current.vocabularies.filter(({ name }) => name !== QUALIFIERS);
  await gone("plan.vocabulary", ofName, [others, wish.vocabularies], (row) =>
    removeVocabulary(services, row.name, null),
  );
  await gone("plan.role", ofName, [current.roles, wish.roles], async ({ name }) => {
    if (name === "admin") throw new Problem("conflict", said("problem.role.kept", { role: name }));
    const count = await countHolders(tx, name);
    if (count > 0) throw new Problem("conflict", said("problem.role.in_use", { role: name, count }));
    await deleteRole(tx, name);
    const detail = { role: name };
    await recordSecurityEvent(tx, { event: "role_deleted", ...by, accountId: null, detail });
  });
}
