/**
 * Unix sockets with paths of any length.
 *
 * The calls that bind and connect accept at most 108 bytes on Linux and 104 on macOS. For a longer path, they use a short
 * symbolic link to the directory. It is private, in the temporary directory, and is deleted after the call.
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { said } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";

const LIMIT = 100;

export type Listener = {
  close(): Promise<void>;
};

/** Connects; rejects with `ECONNREFUSED` if nobody listens any more. */
export function connectTo(path: string): Promise<Socket> {
  return withShortPath(path, async (short) => {
    const socket = connect(short);
    await once(socket, "connect");
    return socket;
  });
}

/** Listens at a path that does not exist yet, for this user only. It closes each connection at once: that one could connect is the sign. */
export async function listenAt(path: string): Promise<Listener> {
  const server = createServer((socket) => socket.destroy());
  await withShortPath(path, async (short) => {
    server.listen(short);
    await once(server, "listening");
  });
  await chmod(path, 0o600);
  server.on("error", () => {}); // too many open files: the client is not accepted
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * Lets `listen` create a socket that from its first moment only this user can open, in a directory that only this user can
 * enter. It replaces the socket of a process that has ended.
 */
export async function bindPrivately(path: string, listen: (path: string) => Promise<void>): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { mode: 0o700 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  await demandOwn(directory, (found) => found.isDirectory());
  // a copy of it may have another mode
  await chmod(directory, 0o700);
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  await withShortPath(fresh, listen);
  await chmod(fresh, 0o600);
  await rename(fresh, path);
}

/** Connects to a socket of `bindPrivately`. Throws a Refusal if somebody else may answer there. */
export async function connectPrivately(path: string): Promise<Socket> {
  await demandOwn(path, (found) => found.isSocket());
  await demandOwn(dirname(path), (found) => found.isDirectory() && (found.mode & 0o077) === 0);
  return connectTo(path);
}

async function demandOwn(path: string, isRight: (found: Stats) => boolean): Promise<void> {
  const found = await lstat(path);
  if (!isOwn(found.uid) || !isRight(found)) throw new Refusal(said("cli.socket.foreign", { path }));
}

/** Of this user or of root. */
const isOwn = (uid: number): boolean => uid === 0 || uid === process.getuid?.();

async function withShortPath<T>(path: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= LIMIT) return use(path);
  const shortcut = await mkdtemp(join(tmpdir(), "svc-"));
  try {
    const link = join(shortcut, "d");
    await symlink(dirname(path), link);
    return await use(join(link, basename(path)));
  } finally {
    await rm(shortcut, { recursive: true, force: true });
  }
}
