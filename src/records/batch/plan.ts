/** The new state of an item's record, and whether the caller may write it. */
import { type Account, lacks, mayDo, permissionTo, type RecordAction } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import { type Kind, oneOf } from "../kinds.ts";
import {
  type Entry,
  languageOf,
  type Metadata,
  mergedEntries,
  type RecordRow,
  type RecordState,
  stateOf,
} from "../record.ts";
import type { Schema } from "../schema.ts";
import type { Draft } from "../shape.ts";
import { maySee, unseenOf } from "../visibility.ts";
import {
  mayChangeStatus,
  mergedState,
  newState,
  replacedState,
  stateFaults,
  unseenFaults,
} from "../write/rules.ts";
import { takenFault } from "../write/taken-number.ts";
import type { BatchItem, Upsert } from "./item.ts";

/** The new state of an item's record, or why it is refused. `hidden`: parents that the caller may not see. */
export function planItem(
  schema: Schema,
  caller: Account,
  kind: Kind,
  item: BatchItem,
  row: RecordRow | undefined,
  upsert: Upsert,
  hidden: ReadonlySet<string>,
): { state: RecordState } | { faults: readonly Fault[] } {
  const given = row && item.isUnordered ? inOrderOf(row, item.draft) : item.draft;
  const draft = filled(
    row ? withoutOldWordings(given, item.wordings, row) : given,
    item.fills,
    upsert === "replace" ? undefined : row,
  );
  if (!row && upsert === "link") return { faults: [missingItemFault(kind, draft.idno)] };
  if (row && !maySee(caller, row)) return { faults: [takenFault(kind)] };
  if (row && (upsert === "deferred_links" || upsert === "link")) return { state: stateOf(row) };
  if (!row && draft.id !== undefined) {
    return {
      faults: [
        {
          pointer: "/id",
          detail: said("fault.id.unknown", { kind: oneOf(kind), id: draft.id }),
        },
      ],
    };
  }
  if (row && upsert === "refuse") {
    return {
      faults: [{ pointer: "/idno", detail: said("fault.idno.exists", { idno: row.idno }) }],
    };
  }
  const unseen = row && unseenOf(schema, caller, row, hidden);
  const state = !unseen
    ? newState(schema, kind, draft)
    : upsert === "merge"
      ? stateOf(mergedState(schema, row, draft, unseen))
      : replacedState(schema, row, draft, unseen);
  const check = (metadata: Metadata) =>
    stateFaults(schema, kind, { ...state, metadata }, { unseen: unseen?.metadata, before: row?.metadata });
  const found = check(state.metadata);
  // the place of a fault is its place in the item, not among the merged values
  const own =
    found.length > 0 && unseen && upsert === "merge"
      ? check({ ...state.metadata, ...replacedState(schema, row, draft, unseen).metadata })
      : [];
  const faults = [
    ...(row ? unseenFaults(schema, caller, kind, draft.metadata ?? {}) : []),
    ...(own.length > 0 ? own : found),
  ];
  if (faults.length > 0) return { faults };
  const lacking = lackingPermission(caller, kind, row?.status ?? null, state.status);
  return lacking
    ? { faults: [{ pointer: "", detail: lacks(caller, permissionTo(lacking, kind)) }] }
    : { state };
}

function withoutOldWordings(
  draft: Draft,
  wordings: BatchItem["wordings"] = {},
  { metadata }: RecordRow,
): Draft {
  const valuesOf = (entries: readonly Entry[] = []) => entries.map(({ value }) => value).join("\n");
  const old = Object.entries(wordings).filter(
    ([wording, date]) =>
      draft.metadata?.[wording] === undefined &&
      valuesOf(draft.metadata?.[date]) !== valuesOf(metadata[date]),
  );
  const emptied = Object.fromEntries(old.map(([wording]) => [wording, []]));
  return old.length === 0 ? draft : { ...draft, metadata: { ...draft.metadata, ...emptied } };
}

function filled(draft: Draft, fills: Metadata | undefined, row: RecordRow | undefined): Draft {
  const fresh = Object.entries(fills ?? {}).filter(([name]) => !row?.metadata[name]?.length);
  return fresh.length === 0
    ? draft
    : { ...draft, metadata: { ...Object.fromEntries(fresh), ...draft.metadata } };
}

/** The draft, with the values of each field in the order in which the record has them. */
function inOrderOf({ metadata }: RecordRow, draft: Draft): Draft {
  const given = Object.entries(draft.metadata ?? {}).map(([name, entries]) => {
    const languages = new Set(entries.map(languageOf));
    const old = (metadata[name] ?? []).filter((entry) => languages.has(languageOf(entry)));
    return [name, mergedEntries(old, entries)];
  });
  return { ...draft, metadata: Object.fromEntries(given) };
}

function missingItemFault(kind: Kind, idno: string | undefined): Fault {
  const detail =
    idno === undefined
      ? said("fault.link.unknown_key", { kind: oneOf(kind) })
      : said("fault.link.unknown_number", { kind: oneOf(kind), idno });
  return { pointer: "", detail };
}

function lackingPermission(
  caller: Account,
  kind: Kind,
  from: string | null,
  to: string,
): RecordAction | null {
  if (!mayDo(caller, from === null ? "create" : "update", kind)) return from === null ? "create" : "update";
  return mayChangeStatus(caller, kind, from, to) ? null : "publish";
}
