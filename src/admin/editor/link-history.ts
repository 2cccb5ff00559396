/** What versions of a record changed in its links, from the notes of its history. */
import { html } from "hono/html";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Kind } from "../../records/kinds.ts";
import { attributedName, partedNotes } from "../../records/links/attributions.ts";
import { kindsOf } from "../../records/outbox.ts";
import type { HistoryItem } from "../../records/read/history.ts";
import { findRecords } from "../../records/read/store.ts";
import type { Entry, Metadata, RecordRow } from "../../records/record.ts";
import { relationLabels, type Schema } from "../../records/schema.ts";
import { maySeeLinksOf } from "../../records/visibility.ts";
import type { Sql } from "../../services.ts";
import { namePlainly } from "../field-names.ts";
import { titleOf } from "../lists/record-list.ts";

/** How many links of one version are shown. */
const MOST = 50;

/** `from_id`: not noted for a link that was added alone. `metadata`: not noted by earlier versions of the program. */
type Noted = { relation_type: string; to_id: string; from_id?: string; metadata?: Metadata };
type LinkChange = { link: Noted; was: Metadata | null; is: Metadata | null };
/** The records at the other ends that the reader may see: their kinds and names, by id. */
export type OtherEnds = ReadonlyMap<string, { kind: Kind; name: string }>;

/** A link that changes is in the note of its change, or among the removed and the added ones. */
function linkChanges({ action, note }: HistoryItem): LinkChange[] {
  const {
    added = [],
    removed = [],
    now,
    ...own
  } = (note ?? {}) as Partial<Noted> & {
    added?: Noted[];
    removed?: Noted[];
    now?: Metadata;
  };
  const all: LinkChange[] = [];
  if (own.relation_type !== undefined && own.to_id !== undefined) {
    const link = own as Noted;
    const metadata = link.metadata ?? {};
    if (now) all.push({ link, was: metadata, is: now });
    else if (action === "relation_removed") all.push({ link, was: metadata, is: null });
    else all.push({ link, was: null, is: metadata });
  }
  const ends = ({ relation_type, from_id, to_id }: Noted) => `${relation_type} ${from_id} ${to_id}`;
  const left = [...removed];
  for (const link of added) {
    const at = left.findIndex((each) => ends(each) === ends(link));
    const [before] = at < 0 ? [] : left.splice(at, 1);
    all.push({ link, was: before ? (before.metadata ?? {}) : null, is: link.metadata ?? {} });
  }
  return [...all, ...left.map((link) => ({ link, was: link.metadata ?? {}, is: null }))];
}

const otherEnd = ({ id }: RecordRow, { from_id = id, to_id }: Noted): string =>
  from_id === id ? to_id : from_id;

export async function otherEndsOf(
  sql: Sql,
  view: View,
  schema: Schema,
  row: RecordRow,
  items: readonly HistoryItem[],
): Promise<OtherEnds> {
  const shown = items.flatMap((item) => linkChanges(item).slice(0, MOST));
  const kinds = await kindsOf(sql, [...new Set(shown.map(({ link }) => otherEnd(row, link)))]);
  const rows = await Promise.all(
    [...new Set([...kinds.values()].flatMap((kind) => kind ?? []))].map((kind) =>
      findRecords(
        sql,
        view.caller,
        kind,
        [...kinds].flatMap(([id, of]) => (of === kind ? id : [])),
      ),
    ),
  );
  return new Map(
    rows
      .flat()
      .map((end) => [end.id, { kind: end.record_type, name: titleOf(view, schema, end) ?? end.idno }]),
  );
}

/** Rows of the table of a version: of a link that stayed, what it says differently; of others, the whole link. */
export function linkRows(
  view: View,
  schema: Schema,
  row: RecordRow,
  item: HistoryItem,
  others: OtherEnds,
): Html[] {
  const all = linkChanges(item);
  const rows = all.slice(0, MOST).flatMap(({ link, was, is }) => {
    const type = schema.relationTypes.get(link.relation_type);
    const end = others.get(otherEnd(row, link));
    const isOutgoing = (link.from_id ?? row.id) === row.id;
    if (!type || !end || !maySeeLinksOf(view.caller, type, isOutgoing ? row.record_type : end.kind))
      return [];
    const labels = relationLabels(schema, isOutgoing ? type.name : type.inverse);
    const label = labelIn(labels, view.t.language, type.name);
    if (was === null || is === null) {
      const told = (notes: Metadata | null) => (notes ? linkIn(view, schema, end.name, notes) : "–");
      return [rowOf(label, told(was), told(is))];
    }
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) => {
      const [before, after] = [was, is].map((notes) => valueIn(view, schema, name, notes[name] ?? []));
      const what = namePlainly(view, schema, row.record_type, name);
      return before === after ? [] : [rowOf(`${label} (${end.name}): ${what}`, before!, after!)];
    });
  });
  const hidden = all.length - MOST;
  return hidden > 0 ? [...rows, rowOf(view.t("job.report.more", { count: hidden }), "", "")] : rows;
}

const rowOf = (name: string, was: string, is: string): Html =>
  html`<tr><th scope="row" dir="auto">${name}</th><td dir="auto">${was}</td><td dir="auto">${is}</td></tr>`;

/** The other record, with what the link says: "workshop of Aert Moons, potter". */
function linkIn(view: View, schema: Schema, name: string, metadata: Metadata): string {
  const notes = Object.entries(partedNotes(metadata).notes);
  const said = notes.map(([each, entries]) => valueIn(view, schema, each, entries));
  return [attributedName(view.t, schema, metadata, name), ...said].join(", ");
}

function valueIn({ t }: View, { qualifiers }: Schema, name: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return "–";
  const term = (value: string) =>
    name === "qualifier" ? labelIn(qualifiers.get(value) ?? {}, t.language, value) : value;
  return entries.map(({ value, lang }) => (lang ? `${value} (${lang})` : term(value))).join("; ");
}
