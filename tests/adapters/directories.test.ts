import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demandDirectory, directoryFault } from "../../src/adapters/directories.ts";
import { writeCredentials } from "../../src/adapters/files/credentials.ts";
import { mediaDirectory } from "../../src/adapters/images/media-root.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { inLong, isShort } from "../support/lane/lane.ts";
import { begin } from "../support/programs/processes.ts";

const NOBODY = 65_534;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-directories-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const sentence = (path: string, reason: string) =>
  new RegExp(
    `^SVC_DATA_DIR not writable for UID \\d+: ${path} \\(${reason}\\)\\. ` +
      "Correct that, or set SVC_DATA_DIR to another directory$",
  );

/** Paths that cannot become a data directory, and why. */
async function oddPlaces(): Promise<[path: string, reason: string][]> {
  const at = (name: string) => join(directory, name);
  await writeFile(at("letter.txt"), "Dear museum");
  await symlink(at("nowhere"), at("dangling"));
  await symlink(at("circle"), at("circle"));
  return [
    [at("letter.txt"), "a file has this name"],
    [at("letter.txt/data"), "there is a file where one of its directories should be"],
    [at("dangling"), "it is a broken link"],
    [at("dangling/data"), "it is a broken link"],
    [at("circle"), "symbolic links form a loop"],
    [at("x".repeat(300)), "the name is too long"],
    // Node itself would loop for ever there
    ...(existsSync("/proc/self") ? [["/proc/museum/data", "no directory can be made there"] as const] : []),
  ] as [string, string][];
}

describe("a directory of the configuration", () => {
  it("is created with its parents, for this user only, and left unchanged if it exists", async () => {
    const path = join(directory, "deep", "data");
    await demandDirectory("SVC_DATA_DIR", path);
    await demandDirectory("SVC_DATA_DIR", path);
    expect(await readdir(path)).toEqual([]);
    for (const made of [path, join(path, "..")]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it("for media can be read by an image server, but written by nobody else, under any umask", async () => {
    const path = join(directory, "deep", "media");
    const before = process.umask(0);
    try {
      await mediaDirectory(path).ping();
    } finally {
      process.umask(before);
    }
    for (const made of [path, join(path, "..")]) expect((await stat(made)).mode & 0o777).toBe(0o755);
  });

  it("may be created by several starts at once", async () => {
    const path = join(directory, "a", "b", "c");
    await Promise.all(Array.from({ length: 8 }, () => demandDirectory("SVC_DATA_DIR", path)));
  });

  it("is refused in a sentence if it cannot be created", async () => {
    for (const [path, reason] of await oddPlaces()) {
      const refusal = await demandDirectory("SVC_DATA_DIR", path).catch((error: Error) => error);
      expect((refusal as Error).message).toMatch(sentence(path, reason));
    }
  });

  it("is refused if it belongs to somebody else", async () => {
    const path = join(directory, "theirs");
    await mkdir(path);
    await chmod(path, 0o555);
    await chmod(directory, 0o755);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      const fault = await directoryFault("MEDIA_ROOT", path);
      expect(say(ENGLISH, fault!)).toMatch(
        /^MEDIA_ROOT not writable for UID \d+: \S+theirs \(permission denied\)$/,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it("fails without delay where credentials or media should go", async () => {
    for (const [path] of await oddPlaces()) {
      await expect(writeCredentials(join(path, "credentials.txt"), "x")).rejects.toThrow();
      await expect(mediaDirectory(path).ping()).rejects.toThrow();
    }
  });
});

inLong(describe.each(["serve", "migrate"]))("svc-manage %s", (command) => {
  it("ends soon with one line and exit code 1 if the data directory cannot be used", async () => {
    for (const [path, reason] of (await oddPlaces()).filter((_, index) =>
      (isShort ? [0] : [0, 1, 2, 6]).includes(index),
    )) {
      const program = begin([process.execPath, "cli/svc-manage.mjs", command], {
        PATH: process.env.PATH,
        PORT: "0",
        SVC_DATA_DIR: path,
      });
      expect(await program.ended).toBe(1);
      expect(program.lines).toEqual([expect.stringMatching(sentence(path, reason))]);
    }
  });
});

inLong(describe)("the start of the service", () => {
  it("warns of directories in which it cannot write media and backups, and continues", async () => {
    const letter = join(directory, "letter.txt");
    await writeFile(letter, "Dear museum");
    const program = begin([process.execPath, "cli/svc-manage.mjs", "serve"], {
      PATH: process.env.PATH,
      PORT: "0",
      LOG_FORMAT: "json",
      SVC_DATA_DIR: join(directory, "data"),
      MEDIA_ROOT: letter,
      BACKUP_ROOT: letter,
    });
    await program.said(/"message":"ready"/);
    const warned = program.err.flatMap((line) => /"level":"warn","message":"([^"]+)"/.exec(line)?.[1] ?? []);
    const reason = `not writable for UID ${process.getuid?.()}: ${letter} (a file has this name)`;
    expect(warned).toEqual([`MEDIA_ROOT ${reason}`, `BACKUP_ROOT ${reason}`]);
    await program.kill("SIGTERM");
  });
});
