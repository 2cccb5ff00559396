/**
 * A file system for PGlite that syncs to the disk.
 *
 * PGlite starts PostgreSQL with fsync off, and Emscripten's file system for Node has no fsync. So a power failure could lose
 * committed rows and corrupt the directory. With this file system every fsync of PostgreSQL reaches the disk: WAL at each
 * commit, data files at checkpoints, directories after files are created or renamed.
 *
 * It depends on internals of PGlite 0.5.16. That version is pinned, and a test counts the calls.
 */
import { fdatasyncSync, fsyncSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { keepParserPlain } from "./plain-parser.ts";

/** Error number of an input/output error in WASI. */
const EIO = 29;
const FILE_TYPE = 0o170000;
const DIRECTORY = 0o040000;

/** Emscripten's object for an open file. */
type Stream = { nfd?: number; node: { mode: number } };
/** Emscripten's object for a file or directory. */
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
      // fdatasync need not write the entries of a directory (ext4 does not, if its size is the same)
      if ((stream.node.mode & FILE_TYPE) === DIRECTORY) fsyncSync(stream.nfd);
      else fdatasyncSync(stream.nfd);
      this.syncs++;
      return 0;
    } catch {
      return EIO; // PostgreSQL stops then, instead of confirming a commit that may not be on the disk
    }
  }
}

/**
 * Emscripten records a file before it creates it. If creating fails (no descriptor left, disk full), the file would seem to
 * exist, and PostgreSQL could not create it until the next start. So this removes the record again.
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
  // half of the default, because ANALYZE keeps a sample of whole rows in memory, which WebAssembly never gives back
  "default_statistics_target=50",
  // the timer of this feature would survive a failed start and keep its memory
  "log_startup_progress_interval=0",
];

/** Parameters of PostgreSQL: PGlite's own, but with fsync, in UTC, and with more memory for sorting. */
export const START_PARAMETERS: readonly string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...SETTINGS.flatMap((setting) => ["-c", setting]),
];
