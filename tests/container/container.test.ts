/**
 * The container without Docker: follows the Dockerfile and runs the result as an unprivileged user on read-only
 * files.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../runtimes/started.ts";
import { notTried } from "../support/lane/skipped.ts";
import { begin, type Program } from "../support/programs/processes.ts";
import { build, type Image, inRoot } from "./dockerfile.ts";

const MAPPING = { number: "__idno__", title: { target: "title", lang: "en" } };

/** Mounts and chroot need root, and the host's /usr needs a Node that reads TypeScript. */
function isPossible(): boolean {
  const can = spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0;
  if (can && Number.parseInt(process.versions.node, 10) >= 24 && existsSync("/usr/bin/npm")) return true;
  notTried("the container (needs Linux, root, npm in /usr and Node 24)");
  return false;
}

describe.runIf(isPossible())("the container", () => {
  let image: Image;
  let directory: string;
  let volumes: Record<string, string>;
  let port: string;
  let container: Program;
  const url = (path: string) => `http://127.0.0.1:${port}${path}`;
  const environment = () => ({ ...image.env, PORT: port });
  const exec = (...command: string[]) => begin(inRoot(image, command, "read-only", volumes), environment());

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-volumes-"));
    port = await freePort();
    image = await build();
    volumes = Object.fromEntries(
      image.volumes.map((path) => [path, join(directory, path.replaceAll("/", "_"))]),
    );
    for (const place of Object.values(volumes)) {
      await mkdir(place);
      await chown(place, 1000, 1000);
    }
  });
  afterAll(async () => {
    await container?.kill("SIGKILL");
    await image?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  test("keeps all data in the volumes of the contract, as UID 1000", () => {
    expect(Object.keys(volumes)).toEqual(["/var/lib/svc", "/srv/svc/backups"]);
    expect(image.user).toBe("1000:1000");
  });

  test("starts, is healthy, and listens on all addresses", async () => {
    container = begin(inRoot(image, image.command, "read-only", volumes), environment());
    await container.said(/"message":"ready"/);
    const health = await fetch(url("/health"));
    expect({ status: health.status, ...((await health.json()) as object) }).toMatchObject({
      status: "ok",
    });
    expect(await exec(...image.healthcheck).ended).toBe(0);
    const sockets = await readFile("/proc/net/tcp", "utf8");
    expect(sockets).toContain(`00000000:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`);
  });

  test("imports a list with svc-manage and serves it", async () => {
    const place = volumes["/var/lib/svc"]!;
    await writeFile(join(place, "list.csv"), "number,title\n1887.1,Harbour at dusk\n");
    await writeFile(join(place, "mapping.json"), JSON.stringify(MAPPING));
    const words = "svc-manage import-csv list.csv --type object --subtype painting";
    const imported = exec(...words.split(" "), ...["--mapping", "mapping.json", "--auto-publish"]);
    await imported.ended;
    expect(imported.lines.join("\n")).toContain("1 created");
    const found = await fetch(url("/v1/search?q=harbour"));
    expect(await found.json()).toMatchObject({ total: 1, items: [{ title: "Harbour at dusk" }] });
  });

  test("has the commands of the contract, and stores its backup where the contract says", async () => {
    const migrated = exec("alembic", "upgrade", "head");
    expect({ code: await migrated.ended, lines: migrated.lines }).toMatchObject({ code: 0 });
    expect(await exec("svc-manage", "backup").ended).toBe(0);
    const made = await readdir(volumes["/srv/svc/backups"]!);
    expect(made).toContainEqual(expect.stringMatching(/^db_\d{8}T\d{6}Z\.sql\.gz$/));
  });

  test("stops properly on SIGTERM, although it is the first process of its container", async () => {
    const children = `/proc/${container.child.pid}/task/${container.child.pid}/children`;
    const first = Number((await readFile(children, "utf8")).trim());
    const status = await readFile(`/proc/${first}/status`, "utf8");
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    process.kill(first, "SIGTERM");
    expect(await container.ended).toBe(0);
    expect(container.lines.join("\n")).toContain('"message":"stopping"');
  });
});
