/** HTTP over a Unix socket with a long path, both ends on each runtime. The cases are in tests/support/programs/socket-program.ts. */
import { chmod, chown, lstat, mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bindPrivately, connectPrivately } from "../../src/adapters/database/pglite/unix-socket.ts";
import { answerOnSocket, type SocketServer } from "../../src/runtimes/socket-server.ts";
import { differingRuntimes, runtimeOfTests } from "../runtimes/runtimes.ts";
import { environment } from "../runtimes/started.ts";
import { inLong, isShort } from "../support/lane/lane.ts";
import { begin, type Program } from "../support/programs/processes.ts";

/** Megabytes of each transfer, and requests at once. */
const SIZE = isShort ? "4" : "64";

let scratch: string;
let path: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "svc-socket-"));
  const long = join(scratch, "a museum with a long name".repeat(6));
  await mkdir(long);
  path = join(long, "private", "socket");
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const TRIED = isShort ? [runtimeOfTests()] : differingRuntimes();

describe.each(TRIED)("HTTP over a socket on %s", (_name, runtime) => {
  const programs: Program[] = [];
  const run = (task: string) => {
    const program = begin(runtime.runs("socket-program.ts", task, path, SIZE), environment({}));
    programs.push(program);
    return program;
  };
  let server: Program;
  beforeEach(async () => {
    server = run("serve");
    await server.said(/^listens$/);
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) await program.kill("SIGKILL");
  });

  it("streams in both directions, waits for slow readers, and ends nothing silently", async () => {
    const client = run("ask");
    await client.ended;
    expect(client.lines.filter((line) => line.startsWith("failed"))).toEqual([]);
    expect(client.lines.filter((line) => line.startsWith("ok"))).toHaveLength(11);
    // the abort, the cancelled body
    expect(server.lines.filter((line) => line === "nobody reads")).toHaveLength(2);
    expect(server.lines).toContain("broke off: cannot go on");
    expect(server.lines).toContain("broken upload: Error");
  }, 300_000);

  it("tells a client that the service was killed", async () => {
    const client = run("download");
    await client.said(/^half-way$/);
    await server.kill("SIGKILL");
    client.child.stdin?.write("go on\n");
    await client.said(/^an error$/);
  });

  it("tells the service that a client was killed", async () => {
    const client = run("upload");
    await client.said(/^half-way$/);
    await client.kill("SIGKILL");
    await server.said(/^broken upload/);
  });

  inLong(it)(
    "stops when asked, also while a client holds its connection",
    async () => {
      const client = run("upload");
      await client.said(/^half-way$/);
      server.child.stdin?.write("stop\n");
      await server.said(/^stopped$/);
      expect(await server.ended).toBe(0);
    },
    60_000,
  );
});

describe("the socket", () => {
  let server: SocketServer;
  beforeEach(async () => {
    server = answerOnSocket({ fetch: () => new Response("well") }, () => undefined);
    await bindPrivately(path, server.listen);
  });
  afterEach(() => server.stop());

  it("can be opened by this user only, and replaces one that was left behind", async () => {
    expect((await lstat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    const next = answerOnSocket({ fetch: () => new Response("well") }, () => undefined);
    await bindPrivately(path, next.listen);
    (await connectPrivately(path)).destroy();
    await next.stop();
  });

  it("is not used where others could have put theirs", async () => {
    const refused = /may belong to another user/;
    await chmod(join(path, ".."), 0o770);
    await expect(connectPrivately(path)).rejects.toThrow(refused);
    await chmod(join(path, ".."), 0o700);
    await rename(path, `${path}.moved`);
    await symlink(`${path}.moved`, path);
    await expect(connectPrivately(path)).rejects.toThrow(refused);
    const elsewhere = join(scratch, "link");
    await symlink(join(path, ".."), elsewhere);
    await expect(bindPrivately(join(elsewhere, "socket"), server.listen)).rejects.toThrow(refused);
  });

  it("makes the directory private again after it was copied", async () => {
    await chmod(join(path, ".."), 0o755);
    const next = answerOnSocket({ fetch: () => new Response("well") }, () => undefined);
    await bindPrivately(path, next.listen);
    (await connectPrivately(path)).destroy();
    await next.stop();
  });

  it.skipIf(process.getuid?.() !== 0)("is refused when it belongs to another user", async () => {
    const refused = /may belong to another user/;
    await chown(path, 65534, 65534);
    await expect(connectPrivately(path)).rejects.toThrow(refused);
    await chown(path, 0, 0);
    (await connectPrivately(path)).destroy();
    await chown(join(path, ".."), 65534, 65534);
    await expect(connectPrivately(path)).rejects.toThrow(refused);
  });
});
