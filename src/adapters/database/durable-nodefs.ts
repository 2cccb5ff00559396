/**
 * A file system for PGlite that really writes to the disk.
 *
 * PGlite starts PostgreSQL with fsync off, and the Node file system of Emscripten has no fsync at all: a power failure
 * could lose acknowledged rows and corrupt the directory. Here every fsync of PostgreSQL reaches the disk: WAL at each
 * commit, data files at checkpoints, and directories when files are created or renamed in them.
 *
 * It relies on how PGlite 0.5.16 is built: the version is pinned, and a test counts the calls.
 */
import { fdatasyncSync, fsyncSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { keepParserPlain } from "./plain-parser.ts";

/** Error number of an input/output error in WASI. */
const EIO = 29;
const FILE_TYPE = 0o170000;
const DIRECTORY = 0o040000;

/** What Emscripten hands to the operations of an open file. */
type Stream = { nfd?: number; node: { mode: number } };
/** A file or directory as Emscripten remembers it. */
type Node = { name: string };
type Mknod = (parent: Node, name: string, mode: number, dev: number) => Node;
type NodeFileSystem = {
  stream_ops: { fsync?: (stream: Stream) => number };
  node_ops: { mknod: Mknod };
};
type FileSystem = { lookupNode(parent: Node, name: string): Node; destroyNode(node: Node): void };

export class DurableNodeFS extends NodeFS {
  /** Number of syncs that reached the disk. */
  syncs = 0;

  override async init(...[pg, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pg, options);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (module) => {
            const { NODEFS, FS } = module as unknown as { NODEFS: NodeFileSystem; FS: FileSystem };
            NODEFS.stream_ops.fsync = (stream) => this.#sync(stream);
            NODEFS.node_ops.mknod = forgetUnmade(NODEFS.node_ops.mknod, FS);
            keepParserPlain(module as unknown as Parameters<typeof keepParserPlain>[0]);
          },
        ],
      },
    };
  }

  #sync(stream: Stream): number {
    if (stream.nfd === undefined) return 0;
    try {
      // Of a directory the entries count, and fdatasync need not write those (ext4 does not, if the size is the same).
      if ((stream.node.mode & FILE_TYPE) === DIRECTORY) fsyncSync(stream.nfd);
      else fdatasyncSync(stream.nfd);
      this.syncs++;
      return 0;
    } catch {
      return EIO; // PostgreSQL then stops, rather than acknowledge what may not be on the disk
    }
  }
}

/**
 * Emscripten remembers a file before it makes it. One that cannot be made (no descriptor is left, the disk is full) would
 * be said to exist from then on, so that PostgreSQL could never make it until the next start.
 */
function forgetUnmade(make: Mknod, files: FileSystem): Mknod {
  return (parent, name, mode, dev) => {
    try {
      return make(parent, name, mode, dev);
    } catch (error) {
      files.destroyNode(files.lookupNode(parent, name));
      throw error;
    }
  };
}

const SETTINGS = [
  "fsync=on",
  "wal_sync_method=fsync",
  "timezone=UTC",
  "jit=off",
  "work_mem=64MB",
  // Its timer would outlive a start that fails, and keep all the memory of it.
  "log_startup_progress_interval=0",
];

/** How PostgreSQL is started: PGlite's own parameters, but with fsync, in UTC, and with room to sort. */
export const START_PARAMETERS: readonly string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...SETTINGS.flatMap((setting) => ["-c", setting]),
];
