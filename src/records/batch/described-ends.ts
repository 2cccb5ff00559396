/**
 * Far ends with more than a name: people, places and events with authority identifiers. Each is found by these, else
 * by its number, else by its name, and created with all its data if it is missing.
 */
import { type Account, mayDo, permissionTo, refuse } from "../../caller.ts";
import { newId } from "../../ids.ts";
import type { Sql, Tx } from "../../services.ts";
import { composed, type NameMatch, similarSortKey } from "../../text.ts";
import { type Kind, kinds, type Status } from "../kinds.ts";
import type { NewRelation } from "../links/relations.ts";
import { isFindable, joinNow } from "../read/store.ts";
import type { Metadata } from "../record.ts";
import { fieldsOf, relationTypeNamed, type Schema } from "../schema.ts";
import { authorityOf } from "../write/authority-ids.ts";
import { giveNumbers } from "../write/numbers.ts";
import { insertRecords, type Writer } from "../write/store.ts";
import { authorities, type Called, Directory, type Known, nameOf, type SaidOfEnds } from "./directory.ts";
import { type Candidate, type End, type NewEnd, newEnd } from "./ends.ts";
import { enrich, type NewFacts, newFacts } from "./enriched-ends.ts";

export type DescribedEnd = {
  /** Equal for everything in one import that means the same record. */
  key: string;
  /** The source gives its name with several numbers of one authority: only its own number finds it. */
  isShared?: true;
  /** The id in this catalogue, if the source has it. */
  id?: string;
  idno?: string;
  /** What the source calls it, if a record in this catalogue may have that as its number or whole title. */
  called?: readonly string[];
  subtype?: string;
  metadata: Metadata;
  lat?: number;
  lon?: number;
  /** Where the event took place and who took part, for a record that is new or that the same import has made. `relation_type`: its name in this direction. */
  links?: readonly { relation_type: string; to_type: Kind; end: DescribedEnd; metadata?: Metadata }[];
};

/** `requestedBy`: the item that names it. `isMade`: create it if it is missing. */
type Wanted = DescribedEnd & {
  kind: Kind;
  status: Status;
  requestedBy: string;
  isMade: boolean;
  match?: NameMatch;
};
type Made = NewEnd & { key: string; kind: Kind; requestedBy: string };
/** `enriches`: what is empty in a record that is there is filled. */
type EndWriting = { schema: Schema; caller: Account; writer: Writer; enriches: boolean; told?: SaidOfEnds };

/**
 * `ends`: by kind and key. `made`: created records. `enriched`: ids of existing records that were extended. `links`:
 * links of the created records, still to be written.
 */
export async function saveDescribed(
  tx: Tx,
  by: EndWriting,
  requests: readonly Wanted[],
): Promise<{ ends: Map<string, End>; made: Made[]; enriched: string[]; links: NewRelation[] }> {
  const ends = new Map<string, End>();
  const made: Made[] = [];
  const enriched: string[] = [];
  const further = requests.flatMap(({ links = [], status, requestedBy, isMade }) =>
    links.map(({ end, to_type }): Wanted => ({ ...end, kind: to_type, status, requestedBy, isMade })),
  );
  const all = [...requests, ...further];
  for (const kind of new Set(all.map((request) => request.kind))) {
    const wanted = new Map<string, Wanted>();
    // if one is described twice, the first name counts, and all other data is merged
    for (const request of all.filter((each) => each.kind === kind)) {
      const known = wanted.get(request.key);
      const isMade = request.isMade || known?.isMade === true;
      const called = [...(known?.called ?? []), ...(request.called ?? [])];
      wanted.set(request.key, { ...merged(request, known), isMade, called });
    }
    enriched.push(...(await saveOfKind(tx, by, kind, [...wanted.values()], ends, made)));
  }
  const idOf = ({ kind, key }: Wanted) => ends.get(`${kind} ${key}`)?.id;
  const linked = requests.flatMap((request) => (request.links?.length ? (idOf(request) ?? []) : []));
  const own = await createdBy(tx, by.writer.importId, linked);
  for (const { id } of made) own.add(id);
  const links = requests.flatMap((request) => {
    const id = idOf(request);
    if (id === undefined || !own.has(id)) return [];
    return (request.links ?? []).flatMap(({ relation_type, to_type, end, metadata = {} }) => {
      const found = relationTypeNamed(by.schema, relation_type);
      const other = ends.get(`${to_type} ${end.key}`)!.id;
      const [from_id, to_id] = found?.inverse ? [other, id] : [id, other];
      return found ? [{ id: newId(), relation_type: found.type.name, from_id, to_id, metadata }] : [];
    });
  });
  return { ends, made, enriched, links };
}

/** One description with all that an earlier one says, which counts. */
const merged = <T extends { metadata: Metadata }>(one: T, earlier: Partial<T> | undefined): T => ({
  ...one,
  ...earlier,
  metadata: { ...one.metadata, ...earlier?.metadata },
});

type Found = Known & { former: Called | null };

/** Returns the ids of existing records that were extended. */
async function saveOfKind(
  tx: Tx,
  by: EndWriting,
  kind: Kind,
  wanted: readonly Wanted[],
  ends: Map<string, End>,
  made: Made[],
): Promise<string[]> {
  const { schema, caller, writer } = by;
  // two simultaneous imports create one record for what both name
  await tx`select pg_advisory_xact_lock(hashtext(${`ends:${kind}`}))`;
  const known = new Directory(schema, kind, by.told);
  for (const row of await findDescribed(tx, schema, kind, wanted)) known.add(row, row.former);
  const missing: { request: Wanted; record: Known; similar: Candidate | undefined }[] = [];
  const facts = new Map<string, NewFacts>();
  // those with an authority identifier first, so that those with only a name find them
  const numbersOf = new Map(wanted.map((request) => [request, authorities(request.metadata).size]));
  for (const request of wanted.toSorted((a, b) => numbersOf.get(b)! - numbersOf.get(a)!)) {
    let record = known.find(request);
    if (!record && !request.isMade) continue;
    if (!record) {
      const number = composed(request.idno ?? "");
      const idno = known.hasNumber(number) ? "" : number;
      const { metadata, lat = null, lon = null } = request;
      record = { id: newId(), idno, title: nameOf(kind, request), metadata, lat, lon };
      missing.push({ request, record, similar: known.similarTo(record) });
      known.add(record);
    } else {
      const { id } = record;
      known.tell(record, request.metadata);
      const fresh = missing.find((each) => each.record.id === id);
      const more = newFacts(record, merged(request, facts.get(id)));
      if (fresh) fresh.request = merged(request, fresh.request);
      else if (more) facts.set(id, more);
    }
    ends.set(`${kind} ${request.key}`, { id: record.id, idno: record.idno, title: record.title });
  }
  if (!by.enriches) {
    // what this import has made itself it may go on describing
    const own = await createdBy(tx, writer.importId, [...facts.keys()]);
    for (const id of facts.keys()) if (!own.has(id)) facts.delete(id);
  }
  const enriched = await enrich(tx, by, kind, facts);
  if (missing.length === 0) return enriched;
  if (!mayDo(caller, "create", kind)) throw refuse(caller, permissionTo("create", kind));
  const records = missing.map(({ request: { status, subtype, metadata, lat, lon }, record }) => {
    const state = newEnd(schema, kind, { status, subtype, metadata, lat, lon }, record.title);
    state.idno = record.idno;
    return { id: record.id, state };
  });
  await giveNumbers(
    tx,
    kind,
    records.map(({ state }) => state),
  );
  await insertRecords(tx, kind, writer, records);
  for (const [index, { request, record, similar }] of missing.entries()) {
    const { key, requestedBy } = request;
    const { idno } = records[index]!.state;
    made.push({
      id: record.id,
      idno,
      title: record.title,
      key,
      kind,
      requestedBy,
      ...(similar && { similar }),
    });
  }
  return enriched;
}

/** Which of these records an import created. */
async function createdBy(tx: Tx, importId: string | null, ids: readonly string[]): Promise<Set<string>> {
  if (importId === null || ids.length === 0) return new Set();
  const rows = await tx<{ record_id: string }[]>`
    select distinct record_id from revisions
    where import_id = ${importId} and action = 'created' and record_id = any(${ids as string[]}::uuid[])`;
  return new Set(rows.map(({ record_id }) => record_id));
}

/** Records that might be meant: by id, by what authorities call them, by number, by name. */
async function findDescribed(
  tx: Tx,
  schema: Schema,
  kind: Kind,
  wanted: readonly Wanted[],
): Promise<Found[]> {
  const probes = wanted.flatMap(({ metadata }) => probesOf(schema, kind, metadata));
  const names = wanted.flatMap(({ metadata, called = [] }) => [
    ...called,
    ...(metadata[kinds[kind].titleField] ?? []).map(({ value }) => value),
  ]);
  const numbers = wanted.flatMap(({ idno = [], called = [] }) => [idno, called].flat().map(composed));
  const ids = wanted.flatMap(({ id }) => id ?? []);
  const columns = (sql: Sql | Tx) => sql`r.id, r.idno, r.title, r.metadata, r.lat, r.lon,
    case when f.merged_into is not null
      then jsonb_build_object('idno', f.idno, 'title', f.title, 'metadata', f.metadata) end as former`;
  const rows = await tx<Found[]>`
    select ${columns(tx)} from json_to_recordset(${tx.json(probes as never)}::json) as p(probe jsonb)
      cross join lateral (
        select * from records f where f.record_type = ${kind} and ${isFindable(tx)}
          and (case when f.record_type <> 'object' then f.metadata end) @> p.probe offset 0) f ${joinNow(tx)}
    union all
    select ${columns(tx)} from records f ${joinNow(tx)}
    where f.record_type = ${kind} and ${isFindable(tx)}
      and (f.idno = any(${numbers}) or similar_sort_key(f.sort_title) = any(${names.map(similarSortKey)}) or f.id = any(${ids}::uuid[]))`;
  return [...new Map(rows.map((row) => [`${row.id} ${row.former?.idno}`, row])).values()];
}

/** `{"gnd": [{"value": "118540238"}]}`, in every way in which it may be written, for every field of the authority. */
function probesOf(schema: Schema, kind: Kind, metadata: Metadata): { probe: Metadata }[] {
  const fields = [...fieldsOf(schema, kind).values()].filter(({ field_type }) => field_type === "authority");
  return fields.flatMap(({ name }) =>
    (metadata[name] ?? []).flatMap(({ value }) => {
      const known = authorityOf(name, value);
      return (known?.forms ?? [value]).map((form) => ({ probe: { [name]: [{ value: form }] } }));
    }),
  );
}
