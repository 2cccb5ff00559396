/**
 * Who may see a job, and how much of it. A job may contain titles of drafts, values of private fields and file names:
 * these are shown only to callers who may read records of the kinds concerned. Its progress is shown to everybody who
 * may see the job.
 */

import type { OnBehalf } from "../accounts/on-behalf.ts";
import { type Account, type Caller, mayDo, mayUse } from "../caller.ts";
import { UUID } from "../ids.ts";
import { listOf, type Said, said, say } from "../messages/said.ts";
import type { Translate } from "../messages/translate.ts";
import { KINDS, type Kind } from "../records/kinds.ts";
import { type Job, jobJson } from "./job.ts";
import type { JobKind } from "./kinds.ts";

export const JOBS_READ = "jobs:read";

/** The kinds of record whose contents may occur in such a job. */
const KINDS_IN: Readonly<Record<JobKind, (params: Job["params"]) => readonly unknown[]>> = {
  // notes name media files, and those belong to objects
  backup: () => ["object"],
  "backup-verify": () => [],
  dump: () => [],
  import: ({ type }) => [type],
  edit: ({ record_type }) => [record_type],
  "import-undo": ({ record_type }) => [record_type],
  reindex: () => [],
  "prepare-images": () => [],
  rebuild: () => [],
  "ark-mint": () => [],
  "purge-trash": () => [],
  housekeeping: () => [],
};

/** Whether the caller started it: signed in, or with the same key. Another key of the account may have fewer permissions. */
function isMaker(caller: Caller, { created_by, params }: Job): boolean {
  if (caller.kind !== "account" || created_by !== caller.id) return false;
  const behalf = params.on_behalf as OnBehalf | undefined;
  return caller.keyId === undefined || behalf === undefined || behalf?.key === caller.keyId;
}

export function maySee(caller: Caller, job: Job): boolean {
  return mayUse(caller, JOBS_READ) || isMaker(caller, job);
}

/** Whether the caller may read records of every kind that may occur in the job. */
function mayReadAll(caller: Caller, job: Job): boolean {
  return kindsOf(job).every((kind) => mayDo(caller, "read", kind));
}

/** A preview names records that rows link to, of any kind. Its sender was allowed to read these kinds. */
export function mayReadPreview(caller: Caller, job: Job): boolean {
  const kinds = isMaker(caller, job) ? kindsOf(job) : KINDS;
  return kinds.every((kind) => mayDo(caller, "read", kind));
}

/** Whether the caller may know the contents of the file; its sender may. */
export function mayKnowFile(caller: Caller, job: Job): boolean {
  return mayReadAll(caller, job) || (job.kind === "import" && isMaker(caller, job));
}

/** The job as this caller may see it. @param nameOf what the reader calls a field */
export function jobFor(
  t: Translate,
  caller: Account,
  job: Job,
  nameOf?: (field: string) => string,
): ReturnType<typeof jobJson> {
  const json = jobJson(t, job, nameOf);
  if (mayKnowFile(caller, job)) return { ...json, result: readable(caller, json.result) };
  return {
    ...json,
    params: bare(job.params) as Job["params"],
    result: bare(json.result) as Job["result"],
    reason: job.reason === null ? null : say(t, hidden(kindsOf(job))),
    messages: [],
  };
}

const hidden = (kinds: readonly Kind[]): Said =>
  said("job.hidden", { types: listOf(kinds.map((kind) => said(`kind.one.${kind}`))) });

/** All of them when the job does not say which. */
function kindsOf({ kind, params }: Job): readonly Kind[] {
  const kinds = Object.hasOwn(KINDS_IN, kind) ? KINDS_IN[kind as JobKind](params) : [undefined];
  return kinds.every(isKind) ? kinds : KINDS;
}

function isKind(value: unknown): value is Kind {
  return (KINDS as readonly unknown[]).includes(value);
}

/** Without list entries that name a record of a kind that the caller may not read. */
function readable<T>(caller: Caller, value: T): T {
  if (Array.isArray(value)) return value.filter((entry) => namesOnlyReadable(caller, entry)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, readable(caller, each)]);
  return Object.fromEntries(entries) as T;
}

function namesOnlyReadable(caller: Caller, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, each]) =>
    name === "record_type" ? mayDo(caller, "read", String(each)) : namesOnlyReadable(caller, each),
  );
}

/** Counts, ids and record types: nothing from the contents of a record or file. */
function bare(value: unknown): unknown {
  if (typeof value === "string") return UUID.test(value) || isKind(value) ? value : undefined;
  if (Array.isArray(value)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, bare(each)]);
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
}
