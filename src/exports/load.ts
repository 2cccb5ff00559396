/**
 * Imports an export into an empty catalogue, all or nothing. It is one transaction, because progress that survives a
 * kill would need rows of its own in the catalogue.
 */
import { randomPassword } from "../accounts/passwords/passwords.ts";
import { said } from "../messages/said.ts";
import { markChanged } from "../records/outbox.ts";
import { Refusal } from "../refusal.ts";
import type { Services, Tx } from "../services.ts";
import { beginning } from "../text.ts";
import { lockConfiguration } from "../vocabularies/configuration-store.ts";
import { loadAccounts, type SignIn, whoMaySignIn } from "./account-load.ts";
import { loadArks } from "./ark-load.ts";
import { type Header, readRow } from "./format.ts";
import {
  allowSeveralPlaces,
  dropKeptVocabularies,
  emptyConfiguration,
  isEmpty,
  keepOnePlace,
  lockRecords,
  writePart,
} from "./part-store.ts";
import { PARTS } from "./parts.ts";
import { loadRoles } from "./role-load.ts";

const BATCH = 500;

type Loaded = { counts: Record<string, number>; signIn: SignIn };

/**
 * One transaction: after a kill, nothing of it remains. Records must then get their sort keys (`makeSortKeys`), and everything
 * must be projected (`drainOutbox`).
 *
 * @param lines the rows of a checked file (`format.ts`), in order
 */
export async function load(
  services: Services,
  header: Header,
  lines: AsyncIterable<string>,
): Promise<Loaded> {
  // unknown to everybody: the owner of the account sets a new one
  const passwordHash = await services.passwords.hash(randomPassword());
  const counts: Record<string, number> = Object.fromEntries(
    Object.keys(header.parts).map((kind) => [kind, 0]),
  );
  const signIn = await services.sql.begin(async (tx) => {
    await lockConfiguration(tx);
    await lockRecords(tx);
    if (!(await isEmpty(tx))) {
      throw new Refusal(said("problem.export.not_empty"));
    }
    await emptyConfiguration(tx);
    await allowSeveralPlaces(tx);
    let kind = "";
    let rows: string[] = [];
    const write = async () => {
      if (rows.length > 0) await writeRows(tx, header, kind, rows, passwordHash);
      counts[kind] = (counts[kind] ?? 0) + rows.length;
      rows = [];
    };
    for await (const line of lines) {
      const read = readRow(line);
      if (!read || !header.parts[read.kind]) {
        throw new Refusal(said("problem.export.line", { line: beginning(line, 80) }));
      }
      if (read.kind !== kind || rows.length === BATCH) {
        if (kind !== "") await write();
        kind = read.kind;
      }
      rows.push(read.row);
    }
    if (kind !== "") await write();
    await keepOnePlace(tx);
    return whoMaySignIn(tx, passwordHash);
  });
  return { counts, signIn };
}

async function writeRows(
  tx: Tx,
  header: Header,
  kind: string,
  rows: readonly string[],
  passwordHash: string,
): Promise<void> {
  if (kind === "role") return loadRoles(tx, rows);
  if (kind === "account") return loadAccounts(tx, rows, passwordHash);
  if (kind === "ark") return loadArks(tx, rows);
  const part = PARTS.find((each) => each.kind === kind)!;
  const json = `[${rows.join(",")}]`;
  if (kind === "vocabulary") await dropKeptVocabularies(tx, json);
  const written = await writePart(tx, part, header.parts[kind]!, json);
  if (kind === "record")
    await markChanged(
      tx,
      written.map(({ id }) => id!),
      { by: "worker", hides: true },
    );
}
