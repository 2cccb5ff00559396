/** The sections of the staff interface, in the order of the rail. People see only what they may use. */
import { type Caller, mayDo, mayUse } from "../caller.ts";
import type { MessageKey } from "../messages/translate.ts";
import { KINDS, type Kind, kinds } from "../records/kinds.ts";

type Entry = { path: string; label: MessageKey };
export type Section = { label: MessageKey; entries: readonly Entry[] };

/** The list of all records of a kind. */
export const listPath = (kind: Kind): string => `/admin/${kinds[kind].plural}`;
/** The batch edit of a kind of record; `id`: of the selection. */
export const bulkPath = (kind: Kind, id?: string): string =>
  `${listPath(kind)}/bulk${id === undefined ? "" : `/${id}`}`;
/** Kinds that have labels to print. */
export const LABELLED: readonly Kind[] = ["object", "storage_location"];
/** The page for many photographs. */
export const photosPath = "/admin/photos";
/** Imports and batch edits. */
export const importsPath = "/admin/imports";
/** The search in all kinds of records. */
export const findPath = "/admin/find";
/** The results of such a list as a file. */
export const exportPath = (kind: Kind): string => `${listPath(kind)}/export`;
export const trashPath = (kind: Kind): string => `${listPath(kind)}/trash`;
/** Possible duplicates of a kind of record. */
export const duplicatesPath = (kind: Kind): string => `${listPath(kind)}/duplicates`;
/** Merging a record into another one. */
export const mergePath = (kind: Kind, id: string): string => `${recordPath(kind, id)}/merge`;
export const unmergePath = (kind: Kind, id: string): string => `${recordPath(kind, id)}/unmerge`;
/** Merging several records into one of them. The page refuses too many. */
export const mergeAddress = (kind: Kind, records: readonly { id: string }[]): string =>
  `${listPath(kind)}/merge?${new URLSearchParams(records.slice(0, MOST_MERGED + 1).map(({ id }) => ["id", id]))}`;
/** The most records in one merge. */
export const MOST_MERGED = 10;
/** The editor page of a record. */
export const recordPath = (kind: Kind, id: string): string => `${listPath(kind)}/${id}`;

const CARE = new Set<Kind>(["procedure", "storage_location"]);
export const duePath = "/admin/due";
const DUE: Entry = { path: duePath, label: "admin.due" };
const STORAGE: Entry = { path: "/admin/storage", label: "admin.storage" };

const CONFIGURATION = [
  { path: "/admin/fields", label: "fields.title", needs: "schemas:manage" },
  { path: "/admin/vocabularies", label: "vocabularies.title", needs: "schemas:manage" },
  { path: "/admin/relation-types", label: "relationTypes.title", needs: "schemas:manage" },
  { path: "/admin/users", label: "users.title", needs: "users:manage" },
  { path: "/admin/roles", label: "roles.title", needs: "users:manage" },
  { path: "/admin/settings", label: "settings.title", needs: "settings:manage" },
  { path: "/admin/configuration", label: "transfer.title", needs: "settings:manage" },
] as const;

const SYSTEM = [
  { path: "/admin/jobs", label: "jobs.title", needs: "jobs:read" },
  { path: "/admin/backups", label: "backups.title", needs: "backup:run" },
  { path: "/admin/security", label: "security.title", needs: "users:manage" },
] as const;

/** The label of the list of undoable changes. People without permission to import find their batch edits there. */
export const importsLabel = (caller: Caller): MessageKey =>
  mayUse(caller, "import:run") ? "admin.imports" : "admin.edits";

export function sectionsFor(caller: Caller): Section[] {
  const lists = (those: (kind: Kind) => boolean): Entry[] =>
    KINDS.filter((kind) => those(kind) && mayDo(caller, "read", kind)).map((kind) => ({
      path: listPath(kind),
      label: `kind.${kind}`,
    }));
  const offered = (all: readonly (Entry & { needs: string })[]): Entry[] =>
    all.filter(({ needs }) => mayUse(caller, needs));
  const sections: Section[] = [
    { label: "admin.overview", entries: [{ path: "/admin", label: "desk.title" }] },
    { label: "admin.records", entries: lists((kind) => !CARE.has(kind)) },
    {
      label: "admin.collectionsCare",
      entries: [
        ...lists((kind) => CARE.has(kind)),
        ...(mayDo(caller, "read", "procedure") ? [DUE] : []),
        ...(mayDo(caller, "read", "storage_location") ? [STORAGE] : []),
      ],
    },
    {
      label: "admin.lists",
      entries: [
        ...(mayUse(caller, "import:run") || KINDS.some((kind) => mayDo(caller, "update", kind))
          ? ([{ path: importsPath, label: importsLabel(caller) }] as const)
          : []),
        ...(mayUse(caller, "media:write") ? ([{ path: photosPath, label: "photos.title" }] as const) : []),
      ],
    },
    { label: "admin.configuration", entries: offered(CONFIGURATION) },
    { label: "admin.system", entries: offered(SYSTEM) },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}
