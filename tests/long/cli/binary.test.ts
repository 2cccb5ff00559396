/** svc-manage as one file, used by an unprivileged user in an otherwise empty directory. */
import { execFileSync } from "node:child_process";
import { chown, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { type Ask, asked, freePort, type Settings } from "../../runtimes/started.ts";
import { begin, type Program } from "../../support/programs/processes.ts";
import { ROOT } from "../../support/sources.ts";

const PASSWORD = "one file in an empty room";
const MAPPING = { number: "__idno__", title: { target: "title", lang: "en" } };
const [bun] = runtimesHere("Bun");
/** Root can become an unprivileged user. Any other user is unprivileged already. */
const somebody = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

describe.runIf(bun)("svc-manage as one file", () => {
  let directory: string;
  let settings: Settings;
  let service: Program;
  let token: string;
  const ask: Ask = (path, options) =>
    asked(new URL(path, `http://127.0.0.1:${settings.PORT}`), { token, ...options });
  const run = (...words: string[]) => begin(["./svc-manage", ...words], settings, directory, somebody);
  const ended = async (...words: string[]) => {
    const program = run(...words);
    return { code: await program.ended, text: program.lines.join("\n") };
  };
  const serve = async () => {
    service = run("serve");
    await service.said(/"message":"ready"/);
  };
  const enter = async (password: string) => {
    const json = { email: "admin@example.org", password };
    token = (await ask("/v1/auth/login", { json })).json.access_token;
  };

  beforeAll(async () => {
    const PATH = `${dirname(bun![1].program)}${delimiter}${process.env.PATH}`;
    execFileSync("npm", ["run", "build:binary"], { cwd: ROOT, stdio: "pipe", env: { ...process.env, PATH } });
    directory = await mkdtemp(join(tmpdir(), "svc-one-file-"));
    await copyFile(`${ROOT}dist/svc-manage`, join(directory, "svc-manage"));
    if (somebody.uid) await chown(directory, somebody.uid, somebody.gid);
    // without PATH and home, nothing of this machine is found
    settings = {
      PORT: await freePort(),
      LOG_FORMAT: "json",
      TRIPLESTORE_ENABLED: "true",
      SPARQL_REQUIRE_AUTH: "false",
    };
  });
  afterAll(async () => {
    await service?.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  });

  it("starts, with native code for passwords and pictures, and the first administrator can sign in", async () => {
    await serve();
    expect(service.lines.join("\n")).not.toContain('"level":"warn"');
    const credentials = await readFile(join(directory, "data/first-run-credentials.txt"), "utf8");
    const first = /^password: (.+)$/m.exec(credentials)![1]!;
    await enter(first);
    const json = { current_password: first, new_password: PASSWORD };
    token = (await ask("/v1/auth/password", { json })).json.access_token;
    await expect.poll(async () => (await ask("/health")).json).toMatchObject({ status: "ok" });
  });

  it("imports a list while it serves, and shows a page, a tile and a SPARQL result", async () => {
    await writeFile(join(directory, "list.csv"), "number,title\n1887.1,Harbour at dusk\n");
    await writeFile(join(directory, "mapping.json"), JSON.stringify(MAPPING));
    const words =
      "import-csv list.csv --type object --subtype painting --mapping mapping.json --auto-publish";
    expect(await ended(...words.split(" "))).toMatchObject({
      code: 0,
      text: expect.stringContaining("1 created"),
    });
    const { json: found } = await ask("/v1/search?q=harbour");
    const { id } = found.items[0];
    const page = await ask(`/objects/${id}`, { headers: { Accept: "text/html" } });
    expect([page.status, page.text.includes("Harbour at dusk")]).toEqual([200, true]);

    const picture = sharp({ create: { width: 1_300, height: 1_100, channels: 3, background: "#336699" } });
    const { json: sent } = await ask(`/v1/objects/${id}/media`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: new Response(new Uint8Array(await picture.jpeg().toBuffer())).body!,
    });
    const tile = await fetch(
      `http://127.0.0.1:${settings.PORT}/iiif/3/${sent.media_id}/512,512,512,512/512,/0/default.jpg`,
    );
    expect(await sharp(new Uint8Array(await tile.arrayBuffer())).metadata()).toMatchObject({
      width: 512,
      height: 512,
    });

    const query = encodeURIComponent(
      "select ?o { graph ?g { ?s ?p ?o } filter(str(?o) = 'Harbour at dusk') } limit 1",
    );
    const headers = { Accept: "application/sparql-results+json" };
    await expect
      .poll(async () => (await ask(`/sparql?query=${query}`, { headers })).text)
      .toContain("Harbour");
  });

  it("makes a backup and restores it", async () => {
    expect(await ended("backup")).toMatchObject({ code: 0 });
    const backup = (await readdir(join(directory, "data/backups"))).find((name) => /^db_.*\.gz$/.test(name))!;
    service.child.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    await rm(join(directory, "data/database"), { recursive: true });
    const restored = await ended("restore", join("data/backups", backup));
    expect(restored).toMatchObject({ code: 0 });
    await serve();
    await enter(PASSWORD);
    expect((await ask("/v1/objects?q=harbour")).json).toMatchObject({ total: 1 });
  });
});
