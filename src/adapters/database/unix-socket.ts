/**
 * Unix sockets by path.
 *
 * The path may not be longer than about 100 bytes (108 on Linux, 104 on macOS), a limit of the calls that bind and
 * connect, not of the file system. Where it is longer, the call is made through a short symbolic link to the directory:
 * private, in the temporary directory, and gone when the call is over.
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { chmod, mkdtemp, rm, symlink } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const LIMIT = 100;

export type Listener = {
  /** Accepts those who connected since it began to listen, and all who come. */
  open(accept: (socket: Socket) => void): void;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
};

/** Connects; rejects with `ECONNREFUSED` when nobody listens any more. */
export function connectTo(path: string): Promise<Socket> {
  return withShortPath(path, async (short) => {
    const socket = connect(short);
    await once(socket, "connect");
    return socket;
  });
}

/** Listens at a path that does not exist yet, for this user only. */
export async function listenAt(path: string): Promise<Listener> {
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  let accept: ((socket: Socket) => void) | undefined;
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}); // a client that vanished; "close" follows
    socket.on("close", () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
    if (accept) accept(socket);
    else waiting.add(socket);
  });
  await withShortPath(path, async (short) => {
    server.listen(short);
    await once(server, "listening");
  });
  await chmod(path, 0o600);
  server.on("error", () => {}); // too many open files: that client is not let in
  return {
    open(how) {
      accept = how;
      for (const socket of waiting) how(socket);
      waiting.clear();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

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
