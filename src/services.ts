/** All ports of the core: everything it gets from outside. */
import type { Sql as PostgresSql, TransactionSql } from "postgres";
import type { Config } from "./config/read.ts";
import type { RateLimit } from "./config/value-kinds.ts";
import type { Log } from "./log.ts";
import type { Said } from "./messages/said.ts";
import type { NamedFiles } from "./ports/named-files.ts";
import type { SearchIndex } from "./ports/search-index.ts";

/** The same driver for both databases (`adapters/database/`). */
export type Sql = PostgresSql;
/** A transaction. Writes take this, so that giving them the pool does not compile. */
export type Tx = TransactionSql;

export type Services = {
  config: Config;
  sql: Sql;
  /** Where the database runs; the embedded one needs its housekeeping done for it. */
  database: "embedded" | "external";
  search: SearchIndex;
  passwords: Passwords;
  /** Files with initial passwords; a runtime without files has none. */
  givenPasswords?: GivenPasswords;
  namedFiles?: NamedFiles;
  /** Null: mail is off. */
  mail: Mail | null;
  images: Images;
  /** Null: `images` answers image requests. */
  imageServer: ImageServer | null;
  /** Null: the triple store is off. */
  graphs: Graphs | null;
  counter: Counter;
  files: Files;
  /** MEDIA_ROOT on this machine; logos are here even if `files` are elsewhere. */
  localFiles: Files;
  /** The public dumps, written each night; on this machine. */
  dumps: Files;
  /** The bucket with all or older `files`; null: all are on this machine. */
  bucket: Bucket | null;
  assets: Assets;
  /** Null: the runtime does not tell. */
  vitals: ProcessFigures | null;
  backups: Backups;
  arks: Arks;
  /** The key that signs access tokens (HS256). Loaded when needed, since it may be in the database. */
  signingKey(): Promise<Uint8Array>;
  log: Log;
  /** Aborted when the service starts to stop; it ends long-lived streams. */
  stopping: AbortSignal;
  /**
   * Called after each commit with the changed records, so that the writer makes the first projection attempt and
   * reads its own write. Never throws: failures stay in the outbox.
   */
  changed(ids: readonly string[]): Promise<void>;
};

/** Hashes carry their algorithm and parameters (PHC string format), so that they can be renewed. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** Throws if `hash` is not an Argon2id hash. */
  verify(password: string, hash: string): Promise<boolean>;
  /** Whether `hash` was made with an older algorithm or parameters. */
  isOutdated(hash: string): boolean;
};

export type GivenPasswords = {
  /** Called when the account has chosen a password: deletes the files with its initial one. Never fails. */
  forget(email: string): Promise<void>;
};

/** One mail to one address, in plain text and as HTML with the same words. */
export type OutgoingMail = { to: string; subject: string; text: string; html: string };

export type Mail = {
  /**
   * Null if the relay has accepted the mail; `refused`, with the reason, if it never will. Throws if a later attempt
   * may succeed: the relay is unreachable, has the wrong certificate, or is busy.
   */
  send(mail: OutgoingMail): Promise<{ refused: string } | null>;
};

/** The properties of a picture from its header. */
export type ImageFacts = {
  format: "jpeg" | "png" | "tiff" | "webp" | "gif" | "avif";
  /** Pixels after applying the EXIF orientation. */
  width: number;
  height: number;
  /** Pages of a TIFF, or single pictures of an animation. */
  pages: number;
  animated: boolean;
};

/**
 * An image to render from `page` (in a pyramid, the level) of the file `key`: its `region`, or all of it if null,
 * scaled to `width` × `height`, mirrored, then rotated clockwise by `rotation` degrees.
 */
export type ImageOrder = {
  key: string;
  page: number;
  region: { x: number; y: number; width: number; height: number } | null;
  width: number;
  height: number;
  mirror: boolean;
  rotation: number;
  quality: "default" | "color" | "gray" | "bitonal";
  format: "jpg" | "png" | "webp" | "tif";
};

/** Pictures among the files of `Files`, by their keys there. */
export type Images = {
  /**
   * Reads only the header. `refused` is a message for the uploader: the file is not a supported picture, is
   * incomplete, or has more than MEDIA_MAX_PIXELS. `unreadable`: the first of these.
   */
  describe(key: string): Promise<ImageFacts | { refused: Said; unreadable?: true }>;
  /** A cached image of this name; null if there is none (any more). */
  kept(
    name: string,
  ): Promise<{ bytes: number; content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> } | null>;
  /** Renders a complete image. Returns it, or null for a large one, which is then in the cache under this name. */
  render(name: string, order: ImageOrder, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Whether the picture can be decoded completely. Stores its pyramid under `pyramidKey`, unless that is null: a TIFF
   * of all its sizes, in JPEG tiles of 512 pixels. Throws on any other error.
   */
  prepare(
    picture: { key: string; width: number; height: number },
    pyramidKey: string | null,
  ): Promise<boolean>;
  /** Throws with the reason if images cannot be delivered. */
  ping(): Promise<void>;
};

/** An image server beside this program. */
export type ImageServer = {
  /** Requests the part of a IIIF address after the version: `<identifier>/full/max/0/default.jpg`. */
  get(path: string, signal: AbortSignal): Promise<Response>;
  /** Throws with the reason if images cannot be delivered. */
  ping(): Promise<void>;
};

/** A graph of the triple store, `urn:svc:graph:<type>:<uuid>`, as N-Triples; empty to remove it. `UnfitGraph`: the store cannot read it. */
export type NamedGraph = { name: string; triples: string };
export type UnfitGraph = { name: string; reason: string };

/** A SPARQL 1.1 query; `type`: the media type of its answer; `client`: who asks, so that slow queries of one do not hinder others. */
export type GraphQuery = {
  text: string;
  base: string; // relative IRIs are resolved against it (SPARQL 1.1 §4.1.1.2)
  type: string;
  defaultGraphs: readonly string[]; // they replace those named in the query
  namedGraphs: readonly string[];
  union: boolean; // the default graph is all named graphs together
  client?: string;
};

/** The results of a query, in UTF-8. `over` settles when they were read completely, or reading has stopped. */
export type GraphAnswer = { content: ReadableStream<Uint8Array>; over: Promise<void> };

/** The triple store: one named graph for each public record. */
export type Graphs = {
  /** Replaces the graphs of these names. Leaves out, and returns, those that the store cannot read. */
  replace(graphs: readonly NamedGraph[]): Promise<readonly UnfitGraph[]>;
  /** Ids of the records with a graph, in order. */
  idsAfter(after: string | null, limit: number): Promise<string[]>;
  /**
   * Sees all earlier replacements. Throws problems: `malformed` with the error in the query, `timed_out` after
   * SPARQL_QUERY_TIMEOUT or because others wait, `too_large` for an answer above 64 MiB, `unavailable`. An answer
   * fails while being read if that takes as long again, or if it becomes too large.
   * @param until aborted when the client is gone; a query that has begun may go on
   */
  query(query: GraphQuery, until: AbortSignal): Promise<GraphAnswer>;
  /** Throws with the reason if it is unavailable. */
  ping(): Promise<void>;
};

/**
 * A rate limit and its name, made of `a-z` and `-`. `loose`: each of several instances may count for itself.
 */
export type NamedLimit = RateLimit & { readonly name: string; readonly loose?: boolean };

/** `resetSeconds`: a whole number of at least 1: until the window ends, or after a refusal, until the next hit is allowed. */
export type Tally = { allowed: boolean; remaining: number; resetSeconds: number };

/**
 * Counts hits per client and limit in a sliding window. A window starts with the first hit; the hits of the previous
 * window count in proportion to its overlap with the last `windowSeconds`. Refused hits are not counted. Synchronous
 * if it is counted in the process, so that a request does not wait.
 */
export type Counter = {
  hit(limit: NamedLimit, who: string): Tally | Promise<Tally>;
  /** Resets the count of `who`. */
  forget(limit: NamedLimit, who: string): void | Promise<void>;
  /** Throws with the reason if the counts are not shared as configured. */
  ping(): Promise<void>;
};

export type StoredFile = { key: string; bytes: number; modifiedAt: Date };

/**
 * Uploaded files, by a key such as `objects/0198c0de/original.jpg`: segments of letters, digits, `-`, `_` and `.`,
 * separated by `/`, none starting with a dot; at most 500 characters. Other keys throw.
 */
export type Files = {
  /**
   * Writes the whole file or nothing: after a failure, the previous file remains. When this resolves, the file
   * survives a power failure. Throws what the stream throws.
   */
  put(key: string, content: ReadableStream<Uint8Array>): Promise<{ bytes: number }>;
  /** Null if there is none. `range`: first and last byte, both counted from 0 (RFC 9110 §14.1.2). */
  get(
    key: string,
    range?: { first: number; last: number },
  ): Promise<{ file: StoredFile; content: ReadableStream<Uint8Array> } | null>;
  stat(key: string): Promise<StoredFile | null>;
  /** Does nothing if there is none. */
  remove(key: string): Promise<void>;
  /** Files whose keys begin with this, in any order. */
  list(prefix: string): AsyncIterable<StoredFile>;
};

export type Bucket = Files & {
  /** Throws with the reason if it is unavailable. */
  ping(): Promise<void>;
};

/** Files that come with the program: styles, fonts and scripts of its pages. */
export type Assets = {
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
};

/** What the runtime tells of this process. */
export type ProcessFigures = {
  /** Bytes; seconds of both kinds of CPU time; `startedAt` in seconds since 1970. */
  read(): { residentBytes: number; heapBytes: number; cpuSeconds: number; startedAt: number };
};

/** `ark`: the name itself, `ark:/12345/x54xz321`. `url`: where it is resolved, by ARK_RESOLVER_URL. */
export type Ark = { ark: string; url: string };

/** Persistent names of records (contract §8.4), for rooms that may not import `arks/`. */
export type Arks = {
  /**
   * Runs in the transaction that publishes these records: each without a name gets one, unless ARK_ENABLED is false.
   * Throws `unavailable` if nearly all names are taken.
   */
  mint(tx: Tx, ids: readonly string[]): Promise<void>;
  /** The names by record, for those that have one; the caller must have checked their visibility. */
  of(sql: Sql | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Ark>>;
};

/** One file of a backup. */
export type BackupFile = {
  /** `db_20261121T030000Z.sql.gz` or `media_20261121T030000Z.tar.gz`. */
  name: string;
  /** With its directory. */
  path: string;
  bytes: number;
  /** When it was started, in UTC (ISO 8601). */
  madeAt: string;
};

export type BackupOptions = {
  /** Instead of BACKUP_ROOT. */
  directory?: string;
  /** false: of the database only. */
  media?: boolean;
  signal?: AbortSignal;
  /** `part` from 0 to 1, of what is being done. */
  report?: (doing: "database" | "media", part: number) => void;
};

export type Backups = {
  dump: Dump;
  /**
   * Backs up the database and the media while writes continue. Both files get their names when both are on the disk; after a
   * failure neither is left. Throws a Refusal if the directory is not usable, `NoRoom` if its disk is full.
   */
  make(options?: BackupOptions): Promise<{ database: BackupFile; media: BackupFile | null; notes: Said[] }>;
  /** See `pruneBackups`. `proven`: names of backups that `make` has just read back. */
  prune(days: number, proven?: readonly string[]): Promise<string[]>;
  /** The complete backups in BACKUP_ROOT, newest first. */
  list(): Promise<BackupFile[]>;
  /** One of them; null if there is none of this name. */
  open(name: string): Promise<{ file: BackupFile; content: ReadableStream<Uint8Array> } | null>;
  /** Restores a dump into a temporary database; returns its contents by name. Throws a Refusal if that fails. */
  verify(name: string, signal?: AbortSignal): Promise<Record<string, unknown> | null>;
};

/** Receives the pieces of a dump. The first stays first and the last stays last; the others may come in any order. */
export type DumpSink = {
  /** Returns a number for the piece; `drop` takes it when the piece is outdated. */
  put(text: string): Promise<number>;
  drop(piece: number): void;
};

export type DumpWatch = { signal?: AbortSignal; report?: (part: number) => void };
/** Writes the whole database, as of one moment, as SQL. */
export type Dump = (sink: DumpSink, watch?: DumpWatch) => Promise<void>;
