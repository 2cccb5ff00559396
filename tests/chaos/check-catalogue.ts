/**
 * Compares the ledger with the database and the files: nothing acknowledged is missing, and nothing refused is there.
 */
import { createHash } from "node:crypto";
import type { Files, Sql } from "../../src/services.ts";
import { COMMON, type Ledger, REFUSED, type State } from "./ledger.ts";

type Wrong = Set<string>;
type Values = { value: string }[];
type Content = { title?: Values; description?: Values };
type Row = { id: string; idno: string; status: string; version: number; metadata: Content; deleted: boolean };
type Revision = { version: number; before: { status: string; metadata: Content } | null };

const noteOf = ({ description }: Content) => description?.[0]?.value;

export async function checkCatalogue(sql: Sql, files: Files, ledger: Ledger, wrong: Wrong): Promise<void> {
  const rows = await sql<Row[]>`
    select id, idno, status, version, metadata, deleted_at is not null as deleted
    from records where record_type = 'object' and title like ${`${COMMON} %`}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  await checkRecords(sql, byId, ledger, wrong);
  checkUnanswered(byId, ledger, wrong);
  await checkImports(sql, rows, ledger, wrong);
  await checkNumbers(sql, wrong);
  await checkFiles(sql, files, wrong);
  const refused = await sql`select idno from records where metadata::text like ${`%${REFUSED}%`}`;
  for (const { idno } of refused) wrong.add(`${idno} holds what was refused`);
  const waiting = await sql<{ target: string; n: number }[]>`
    select target, count(*)::int as n from outbox group by target`;
  for (const { target, n } of waiting) wrong.add(`${n} records still wait for ${target}`);
}

async function checkRecords(
  sql: Sql,
  byId: ReadonlyMap<string, Row>,
  ledger: Ledger,
  wrong: Wrong,
): Promise<void> {
  for (const { id, number, versions, maybe, mark } of ledger.entries) {
    const row = byId.get(id);
    if (!row) {
      wrong.add(`${number} was acknowledged and is lost`);
      continue;
    }
    const found = await stateOf(sql, row);
    const last = versions.at(-1)!;
    const fits = [last, ...maybe].filter(
      (state) => row.version === versions.length + (state === last ? 0 : 1),
    );
    if (row.idno !== number || row.metadata.title?.[0]?.value !== `${COMMON} ${mark}`)
      wrong.add(`${number} has another number or title`);
    if (!fits.some((state) => JSON.stringify(state) === JSON.stringify(found)))
      wrong.add(
        `${number} is ${JSON.stringify(found)} at version ${row.version}; acknowledged was ` +
          `${JSON.stringify(last)} at version ${versions.length}, and perhaps ${JSON.stringify(maybe)}`,
      );
    const revisions = await sql<Revision[]>`
      select version, before from revisions where record_id = ${id} order by version`;
    const numbered = revisions.map(({ version }) => version).join();
    if (numbered !== Array.from({ length: row.version }, (_, n) => n + 1).join())
      wrong.add(`${number} has version ${row.version} and the history ${numbered}`);
    for (const { version, before } of revisions) {
      const state = versions[version - 2];
      if (state && (before?.status !== state.status || noteOf(before.metadata) !== state.note))
        wrong.add(`version ${version - 1} of ${number} is not in its history as it was acknowledged`);
    }
  }
}

async function stateOf(sql: Sql, { id, metadata, status, deleted }: Row): Promise<State> {
  const [links] = await sql`select 1 from relations where from_id = ${id}`;
  const media = await sql<{ sha256: string }[]>`
    select sha256 from object_media where object_id = ${id} and deleted_at is null order by position`;
  return {
    note: noteOf(metadata) ?? "",
    status: status as State["status"],
    deleted,
    linked: links !== undefined,
    media: media.map(({ sha256 }) => sha256),
  };
}

/** Each record was acknowledged, or its acknowledgement was lost; in that case there is only one of it. */
function checkUnanswered(byId: ReadonlyMap<string, Row>, ledger: Ledger, wrong: Wrong): void {
  const known = new Set(ledger.entries.map(({ id }) => id));
  const left = new Set(ledger.unanswered);
  for (const { id, idno, metadata } of byId.values()) {
    const mark = metadata.title?.[0]?.value.slice(COMMON.length + 1) ?? "";
    if (!known.has(id) && !idno.startsWith("IMP-") && !left.delete(mark))
      wrong.add(`${idno} is there, though nobody was told so, or twice`);
  }
}

async function checkImports(sql: Sql, rows: readonly Row[], ledger: Ledger, wrong: Wrong): Promise<void> {
  const imported = new Map<string, Row[]>();
  for (const row of rows.filter(({ idno }) => idno.startsWith("IMP-"))) {
    const name = row.idno.split("-")[1]!;
    imported.set(name, [...(imported.get(name) ?? []), row]);
  }
  for (const { name, rows: sent, job } of ledger.imports) {
    const found = imported.get(name) ?? [];
    imported.delete(name);
    const [state] = job ? await sql`select state from jobs where id = ${job}` : [];
    const once = new Set(found.map(({ idno }) => idno)).size;
    if (once !== found.length) wrong.add(`rows of the import ${name} are there twice`);
    if (job && state?.state !== "done") wrong.add(`the import ${name} is ${state?.state ?? "forgotten"}`);
    if (job && found.length !== sent) wrong.add(`${found.length} of ${sent} rows of the import ${name}`);
    for (const { idno, status, metadata } of found)
      if (status !== "public" || noteOf(metadata) !== `note ${idno.split("-")[2]}`)
        wrong.add(`${idno} is not as it was imported`);
  }
  for (const name of imported.keys()) wrong.add(`rows of ${name} are there, which nobody sent`);
}

/** No number is used twice, also among deleted records, and none is left out. */
async function checkNumbers(sql: Sql, wrong: Wrong): Promise<void> {
  const [numbers] = await sql<{ all: number; different: number; highest: number; next: number }[]>`
    select count(*)::int as all, count(distinct idno)::int as different,
      coalesce(max(substr(idno, 5)::int), 0) as highest,
      (select next_number::int from idno_patterns where record_type = 'object') as next
    from records where record_type = 'object' and idno ~ '^OBJ-[0-9]+$'`;
  const { all, different, highest, next } = numbers!;
  if (all !== different || highest !== all || next !== all + 1)
    wrong.add(`numbers: ${all} given, ${different} different, the highest ${highest}, the next ${next}`);
}

/** Every file named in a row exists, byte for byte; every other file is noted for removal. */
async function checkFiles(sql: Sql, files: Files, wrong: Wrong): Promise<void> {
  const media = await sql<{ storage_key: string; sha256: string; pyramid_key: string | null }[]>`
    select storage_key, sha256, pyramid_key from object_media`;
  const stray = await sql<{ key: string }[]>`select key from stray_files`;
  const named = new Set([
    ...media.flatMap(({ storage_key, pyramid_key }) => [storage_key, pyramid_key]),
    ...stray.map(({ key }) => key),
  ]);
  for (const folder of ["originals/", "pyramids/"])
    for await (const { key } of files.list(folder))
      if (!named.has(key)) wrong.add(`the file ${key} is named nowhere`);
  for (const { storage_key, sha256 } of media) {
    const found = await files.get(storage_key);
    if (found === null) {
      wrong.add(`${storage_key} is missing`);
      continue;
    }
    const hash = createHash("sha256");
    for await (const bytes of found.content) hash.update(bytes);
    if (hash.digest("hex") !== sha256) wrong.add(`${storage_key} is not what was sent`);
  }
}
