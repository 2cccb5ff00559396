/** The sections of the staff interface, in the order of its rail; nobody sees what they may not use. */
import { type Caller, mayDo, mayUse } from "../caller.ts";
import type { MessageKey } from "../messages/translate.ts";
import { KINDS, type Kind, kinds } from "../records/kinds.ts";

type Entry = { path: string; label: MessageKey };
export type Section = { label: MessageKey; entries: readonly Entry[] };

/** The list of all records of a kind. */
export const listPath = (kind: Kind): string => `/admin/${kinds[kind].plural}`;
/** Where records of a kind are changed together; `id`: of those that were chosen. */
export const bulkPath = (kind: Kind, id?: string): string =>
  `${listPath(kind)}/bulk${id === undefined ? "" : `/${id}`}`;
/** Kinds of which labels are printed. */
export const LABELLED: readonly Kind[] = ["object", "storage_location"];
/** Many photographs at once. */
export const photosPath = "/admin/photos";
/** All kinds of record together. */
export const findPath = "/admin/find";
/** What such a list finds as a file. */
export const exportPath = (kind: Kind): string => `${listPath(kind)}/export`;
export const trashPath = (kind: Kind): string => `${listPath(kind)}/trash`;
/** Records of a kind that may be one. */
export const duplicatesPath = (kind: Kind): string => `${listPath(kind)}/duplicates`;
/** Where a record is merged into another one. */
export const mergePath = (kind: Kind, id: string): string => `${recordPath(kind, id)}/merge`;
export const unmergePath = (kind: Kind, id: string): string => `${recordPath(kind, id)}/unmerge`;
/** Where several records are merged into one of them; the page refuses too many. */
export const mergeAddress = (kind: Kind, records: readonly { id: string }[]): string =>
  `${listPath(kind)}/merge?${new URLSearchParams(records.slice(0, MOST_MERGED + 1).map(({ id }) => ["id", id]))}`;
/** Records of one merge. */
export const MOST_MERGED = 10;
/** The page on which one record is edited. */
export const recordPath = (kind: Kind, id: string): string => `${listPath(kind)}/${id}`;

const CARE = new Set<Kind>(["procedure", "storage_location"]);
/** What is due. */
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

/** Of the list of what can be undone: who may not import finds their batch edits there. */
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
          ? ([{ path: "/admin/imports", label: importsLabel(caller) }] as const)
          : []),
        ...(mayUse(caller, "media:write") ? ([{ path: photosPath, label: "photos.title" }] as const) : []),
      ],
    },
    { label: "admin.configuration", entries: offered(CONFIGURATION) },
    { label: "admin.system", entries: offered(SYSTEM) },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}
