/**
 * The commands of docs/growing.md for a museum that grows, word for word: everything that was written while the service ran
 * arrives on the server, and comes back.
 */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Started } from "../../runtimes/started.ts";
import { type Office, openOffice } from "../../support/programs/command.ts";
import { createDatabase } from "../../support/servers/server.ts";

const LINE = /^(?:(?<on>DATABASE_URL=\S+) )?npm run svc-manage -- (?<words>[^#]+)/;

/** The blocks of commands in the section, line by line. */
async function blocks(): Promise<string[][]> {
  const page = await readFile(new URL("../../../docs/growing.md", import.meta.url), "utf8");
  const section = page.split(/^## /m).find((text) => text.startsWith("From the embedded database"))!;
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!.trim().split("\n"));
}

describe.runIf(inject("external"))("a catalogue that moves to a server and back", () => {
  let office: Office;
  let database: { url: string; drop(): Promise<void> };
  let service: Started | null = null;
  let token = "";
  let backup = "";
  const written: string[] = [];
  beforeAll(async () => {
    office = await openOffice("embedded");
    database = await createDatabase();
  });
  afterAll(async () => {
    await office.close();
    await database.drop();
  });

  const start = async () => {
    ({ service, token } = await office.serve());
  };
  const headers = () => ({ Authorization: `Bearer ${token}` });

  /** Somebody catalogues as long as the service runs. */
  async function catalogue(): Promise<void> {
    const idno = `N-${written.length + 1}`;
    const answer = await service!.ask("/v1/objects", { method: "POST", json: { idno }, headers: headers() });
    expect(answer.status).toBe(201);
    written.push(idno);
  }

  async function type(line: string): Promise<void> {
    if (service) await catalogue();
    if (line.startsWith("#")) {
      if (/\bstop\b/.test(line)) {
        await service!.stop();
        service = null;
      }
      if (/\bset DATABASE_URL/.test(line)) office.settings.DATABASE_URL = database.url;
      if (/\bremove DATABASE_URL/.test(line)) office.settings.DATABASE_URL = "";
      if (/\bstart the service/.test(line)) await start();
      return;
    }
    const { on, words } = LINE.exec(line)?.groups ?? {};
    if (words === undefined) return expect(line).toBe("createdb museum");
    const before = office.settings.DATABASE_URL!;
    office.settings.DATABASE_URL = on === undefined ? "" : database.url;
    const args = words.trim().replace("db_….sql.gz", backup).split(" ");
    const { code, out, err } = await office.run(...args, ...(args[0] === "backup" ? ["--json"] : []));
    office.settings.DATABASE_URL = before;
    expect(code, `${line}\n${err}`).toBe(0);
    if (args[0] === "backup") backup = JSON.parse(out).database.name;
  }

  it("contains everything that was written while the service ran", async () => {
    const [there, back] = await blocks();
    await start();
    for (const line of there!) await type(line);
    for (const line of back!) await type(line);
    await catalogue();
    const { json } = await service!.ask("/v1/objects?page_size=200", { headers: headers() });
    const found = (json.items as { idno: string }[]).map(({ idno }) => idno);
    expect(found.sort()).toEqual([...written].sort());
    expect(written.length).toBeGreaterThan(2);
  });
});
