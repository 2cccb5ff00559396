/** Turns a mapped row into an item of a batch. Marks links and parents for which the file has a row. */
import { said } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import type { BatchItem } from "../../records/batch/item.ts";
import type { LinkRequest, LinkScope } from "../../records/batch/link-requests.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Draft } from "../../records/shape.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import type { Mapping } from "../mapping/mapping.ts";

export const IDNO_STRATEGIES = ["auto", "column", "skip"] as const;
export const UPSERT_STRATEGIES = ["skip", "merge", "replace", "link"] as const;

export type RowOptions = {
  kind: Kind;
  subtype?: string;
  idnoStrategy: (typeof IDNO_STRATEGIES)[number];
  autoPublish: boolean;
};

/** Whether the file has a row with this number (`number`), or with this number, key or title (`name`). */
export type FileHas = {
  number(idno: string): boolean;
  name(link: Pick<LinkRequest, "value" | "match" | "described">): boolean;
};

/** Why a row is left out without being refused: it has no number, an earlier row has its number, or its record exists. */
export type SkipReason = "unnumbered" | "repeated" | "there";

type RowPlan = { item: BatchItem; media: readonly string[] } | { faults: Fault[] } | { skip: SkipReason };

/** `found`: the existing record of the row (`knownId`), or why it is uncertain which one that is (`ambiguous`). */
export function planRow(
  mapped: MappedRow,
  options: RowOptions,
  found: { knownId?: string; ambiguous?: Fault; fileHas: FileHas; scopes?: readonly LinkScope[] },
): RowPlan {
  const faults: Fault[] = mapped.faults.map((detail) => ({ pointer: "", detail }));
  if (found.ambiguous) faults.push(found.ambiguous);
  const { parent, ...columns } = mapped.columns;
  const isFallback = ([name]: [string, unknown]) => mapped.fallbacks?.includes(name) ?? false;
  const fields = Object.entries(mapped.fields);
  const own = Object.fromEntries(fields.filter((each) => !isFallback(each)));
  const draft: Draft = { ...columns, metadata: own };
  if (options.idnoStrategy !== "auto") {
    if (mapped.idno !== undefined) draft.idno = mapped.idno;
    else if (options.idnoStrategy === "skip" && faults.length === 0) return { skip: "unnumbered" };
    else if (!mapped.idnoFaulty && found.knownId === undefined && !found.ambiguous)
      faults.push({ pointer: "", detail: said("fault.row.no_number") });
  }
  if (draft.idno !== undefined && draft.idno.length > 200) {
    faults.push({ pointer: "/idno", detail: said("fault.too_long", { most: 200 }) });
  }
  const subtype = mapped.subtype ?? options.subtype;
  if (subtype !== undefined) draft.subtype = subtype;
  if (draft.status === undefined && options.autoPublish) draft.status = "public";
  if (faults.length === 0 && isEmpty(mapped)) {
    faults.push({ pointer: "", detail: said("fault.row.empty") });
  }
  if (faults.length > 0) return { faults };
  return {
    item: {
      draft,
      isUnordered: true,
      wordings: mapped.wordings,
      fills: { ...mapped.fills, ...Object.fromEntries(fields.filter(isFallback)) },
      knownId: found.knownId,
      parent: parent === undefined ? undefined : { idno: parent, hasRow: found.fileHas.number(parent) },
      links:
        mapped.relations.length === 0 && !found.scopes?.length
          ? undefined
          : {
              requests: mapped.relations.map((link) =>
                link.to_type === options.kind && found.fileHas.name(link) ? { ...link, hasRow: true } : link,
              ),
              scopes: found.scopes,
              newStatus: options.autoPublish ? "public" : "draft",
            },
    },
    media: mapped.media,
  };
}

/** Whether the mapping found nothing: the row is blank, or the mapping belongs to another file. */
export function isEmpty({
  idno,
  subtype,
  fields,
  fills = {},
  relations,
  media,
  columns,
}: MappedRow): boolean {
  return (
    idno === undefined &&
    subtype === undefined &&
    [fields, fills, relations, media, columns].every((part) => Object.keys(part).length === 0)
  );
}

/** The relation types and record types to which the mapping can link. */
export function linkScopes(mapping: Mapping): LinkScope[] {
  const scopes = new Map<string, LinkScope>();
  for (const { target } of mapping) {
    if (target.kind !== "relation") continue;
    const { relation_type, to_type } = target;
    scopes.set(`${relation_type} ${to_type}`, { relation_type, to_type });
  }
  return [...scopes.values()];
}
