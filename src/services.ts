/** The outside world on one page: what the core is given, and nothing else. */
import type { Sql as PostgresSql, TransactionSql } from "postgres";
import type { Config } from "./config/read.ts";
import type { RateLimit } from "./config/value-kinds.ts";
import type { Log } from "./log.ts";
import type { SearchIndex } from "./search-index.ts";

/** One driver, two places where the database runs (`adapters/database/`). */
export type Sql = PostgresSql;
/** A transaction. Writes take this, so that giving them the pool does not compile. */
export type Tx = TransactionSql;

export type Services = {
  config: Config;
  sql: Sql;
  /** Where the database runs; the embedded one needs its housekeeping done for it. */
  database: "embedded" | "door" | "external";
  search: SearchIndex;
  passwords: Passwords;
  /** Files with a password that somebody was given to begin with. Without files there are none. */
  givenPasswords?: GivenPasswords;
  /** Null: mail is off. */
  mail: Mail | null;
  images: Images;
  /** Null: what is asked of images is answered by `images`. */
  imageServer: ImageServer | null;
  /** Null: the triple store is off. */
  graphs: Graphs | null;
  counter: Counter;
  files: Files;
  /** MEDIA_ROOT on this machine, where logos are even when `files` are elsewhere. */
  localFiles: Files;
  /** What everybody may download, made anew each night; on this machine. */
  dumps: Files;
  /** Where `files` are, all or older ones; null: on this machine only. */
  bucket: Bucket | null;
  assets: Assets;
  /** Null: the runtime does not tell. */
  vitals: Vitals | null;
  backups: Backups;
  arks: Arks;
  /** Key that signs access tokens (HS256). Asked for when it is needed: it may lie in the database. */
  signingKey(): Promise<Uint8Array>;
  log: Log;
  /** Aborted when the service begins to stop: streams that would go on by themselves end then. */
  stopping: AbortSignal;
  /**
   * Told after each commit which records changed, so that the writer makes the first projection attempt itself and
   * reads its own write. Never throws: what fails stays in the outbox.
   */
  changed(ids: readonly string[]): Promise<void>;
};

/** Hashes carry their algorithm and parameters (PHC string format), so that they can be renewed. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** Throws when `hash` is none of Argon2id. */
  verify(password: string, hash: string): Promise<boolean>;
  /** Whether `hash` was made with another algorithm or other parameters than are used now. */
  isOutdated(hash: string): boolean;
};

export type GivenPasswords = {
  /** The account has a password of its own now: removes the files that tell another one. Never fails. */
  forget(email: string): Promise<void>;
};

/** One mail to one address, in plain text and as HTML with the same words. */
export type OutgoingMail = { to: string; subject: string; text: string; html: string };

export type Mail = {
  /**
   * Null when the relay has taken the mail; `refused` when it never will, with its reason. Throws when another try later
   * may help: the relay cannot be reached, is not whom it should be, or is busy.
   */
  send(mail: OutgoingMail): Promise<{ refused: string } | null>;
};

/** What the head of a picture says of it. */
export type ImageFacts = {
  format: "jpeg" | "png" | "tiff" | "webp" | "gif" | "avif";
  /** Pixels as the picture is shown: turned as its EXIF orientation says. */
  width: number;
  height: number;
  /** Pages of a TIFF, or single pictures of an animation. */
  pages: number;
  animated: boolean;
};

/**
 * An image to be made of the file `key`, of which `page` is shown (a level, in a pyramid): `region` of it, or all of it when
 * null, scaled to `width` × `height`, mirrored, then turned clockwise by `rotation` degrees.
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
  format: "jpg" | "png" | "webp" | "gif" | "tif";
};

/** Pictures among the files of `Files`, by their keys there. */
export type Images = {
  /**
   * Reads the head and decodes nothing. `refused` is a sentence for whoever sent the file: it is no picture that can be
   * read, it is cut off, or it has more than MEDIA_MAX_PIXELS.
   */
  describe(key: string): Promise<ImageFacts | { refused: string }>;
  /** An image that was made before under this name; null when it was not, or is not kept any more. */
  kept(
    name: string,
  ): Promise<{ bytes: number; content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> } | null>;
  /** Makes an image whole. Null for a large one that is kept now under this name; else the image. */
  render(name: string, order: ImageOrder, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Whether the picture can be decoded to its end; puts its pyramid under `pyramidKey`, unless that is null: a TIFF of all
   * its sizes in tiles of 512 pixels, JPEG inside. Throws when something else is at fault.
   */
  prepare(
    picture: { key: string; width: number; height: number },
    pyramidKey: string | null,
  ): Promise<boolean>;
  /** Throws with the reason when images could not be delivered. */
  ping(): Promise<void>;
};

/** An image server beside this program. */
export type ImageServer = {
  /** Asks for what stands behind the version in an address of IIIF: `<identifier>/full/max/0/default.jpg`. */
  get(path: string, signal: AbortSignal): Promise<Response>;
  /** Throws with the reason when images could not be delivered. */
  ping(): Promise<void>;
};

/** A graph of the triple store, `urn:svc:graph:<type>:<uuid>`, as N-Triples; empty when there is to be none. */
export type NamedGraph = { name: string; triples: string };

/** A query of SPARQL 1.1; `type`: in which media type its answer is wanted. */
export type GraphQuery = {
  text: string;
  type: string;
  /** Graphs that are asked instead of those that the query names. */
  defaultGraphs: readonly string[];
  namedGraphs: readonly string[];
  /** Whether the default graph is all named graphs together. */
  union: boolean;
};

/** What a query found, in UTF-8. `over` settles when it was read to its end, or is read no further. */
export type GraphAnswer = { content: ReadableStream<Uint8Array>; over: Promise<void> };

/** The triple store: one named graph for each public record, and nothing else of ours. */
export type Graphs = {
  /** Puts each in the place of the one that had its name. */
  replace(graphs: readonly NamedGraph[]): Promise<void>;
  /** Of the records that have a graph, in their order. */
  idsAfter(after: string | null, limit: number): Promise<string[]>;
  /**
   * Sees what was replaced before. Throws problems: `malformed` with what is wrong in the query, `timed_out` after
   * SPARQL_QUERY_TIMEOUT, when the work is stopped too, `too_large` for an answer beyond 64 MiB, `unavailable`. An answer
   * that is not read within the same time again, or turns out to be too large on the way, breaks off.
   *
   * @param until aborted when nobody waits for the answer any more
   */
  query(query: GraphQuery, until: AbortSignal): Promise<GraphAnswer>;
  /** Throws with the reason when it could not be asked. */
  ping(): Promise<void>;
};

/**
 * A rate limit and the name under which it is counted: a word of `a-z` and `-`. `loose`: where several instances count
 * together, each may let in a tenth more, so as not to ask for every request.
 */
export type NamedLimit = RateLimit & { readonly name: string; readonly loose?: boolean };

/**
 * `resetSeconds`: a whole number of at least 1; until the window ends, or when it is not allowed, until one more is.
 */
export type Tally = { allowed: boolean; remaining: number; resetSeconds: number };

/**
 * Counts who did what how often. The window begins with the first hit; what the window before had counts on for the
 * share of it that the last `windowSeconds` still reach. What is not allowed is not counted. At once where nothing
 * outside is asked, so that a request that is counted in the process does not wait.
 */
export type Counter = {
  hit(limit: NamedLimit, who: string): Tally | Promise<Tally>;
  /** As if `who` had never been counted. */
  forget(limit: NamedLimit, who: string): void | Promise<void>;
  /** Throws with the reason when the counts are not where they should be. */
  ping(): Promise<void>;
};

export type StoredFile = { key: string; bytes: number; modifiedAt: Date };

/**
 * Files that people bring, by a key such as `objects/0198c0de/original.jpg`: parts of letters, digits, `-`, `_` and `.`,
 * parted by `/`, none of which begins with a dot; 500 characters at most. Anything else is thrown back.
 */
export type Files = {
  /**
   * The whole file or none of it: what breaks off leaves what was there before. It is safe against a power failure when
   * this ends. Throws what the stream throws.
   */
  put(key: string, content: ReadableStream<Uint8Array>): Promise<{ bytes: number }>;
  /** Null when there is none. `range`: from its first to its last byte, both counted from 0 (RFC 9110 §14.1.2). */
  get(
    key: string,
    range?: { first: number; last: number },
  ): Promise<{ file: StoredFile; content: ReadableStream<Uint8Array> } | null>;
  stat(key: string): Promise<StoredFile | null>;
  /** Nothing happens when there is none. */
  remove(key: string): Promise<void>;
  /** Those whose keys begin so, in any order. */
  list(prefix: string): AsyncIterable<StoredFile>;
};

export type Bucket = {
  /** Throws with the reason when it cannot be asked. */
  ping(): Promise<void>;
};

/** Files that come with the program: styles, fonts and scripts of its pages. */
export type Assets = {
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
};

/** What the runtime tells of this process. */
export type Vitals = {
  /** Bytes; seconds of both kinds of CPU time; `startedAt` in seconds since 1970. */
  read(): { residentBytes: number; heapBytes: number; cpuSeconds: number; startedAt: number };
};

/** `ark`: the name itself, `ark:/12345/x54xz321`. `url`: where it is resolved, by ARK_RESOLVER_URL. */
export type Ark = { ark: string; url: string };

/** Persistent names of records (contract §8.4): what the rooms that do not know `arks/` ask of it. */
export type Arks = {
  /**
   * Part of the transaction that makes these records public: each that has no name gets one, unless ARK_ENABLED is false.
   * Throws `unavailable` when nearly all names are taken.
   */
  mint(tx: Tx, ids: readonly string[]): Promise<void>;
  /** The names of those that have one, by record; whoever asks has looked whether the records may be seen. */
  of(sql: Sql | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Ark>>;
};

/** One file of a backup. */
export type BackupFile = {
  /** `db_20261121T030000Z.sql.gz` or `media_20261121T030000Z.tar.gz`. */
  name: string;
  /** With its directory. */
  path: string;
  bytes: number;
  /** When it was begun, in UTC (ISO 8601). */
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
  /**
   * Writes a backup of the database and of the media directory as they are now, while writes go on; both files get
   * their names when they are complete and on the disk. Throws a Refusal when the directory cannot take them.
   */
  make(options?: BackupOptions): Promise<{ database: BackupFile; media: BackupFile | null; notes: string[] }>;
  /** Deletes what is older than `days`, but never the newest of each kind; answers the names. */
  prune(days: number): Promise<string[]>;
  /** Those that are complete in BACKUP_ROOT, the newest first. */
  list(): Promise<BackupFile[]>;
  /** One of them; null when there is none of this name. */
  open(name: string): Promise<{ file: BackupFile; content: ReadableStream<Uint8Array> } | null>;
  /** Restores a dump of them where it does not matter; answers what is in it, by name. A Refusal when it cannot be done. */
  verify(name: string, signal?: AbortSignal): Promise<Record<string, unknown> | null>;
};

/** Takes the pieces of a dump. The first stays first and the last last; the others may come in any order. */
export type DumpSink = {
  /** Answers a number for the piece. */
  put(text: string): Promise<number>;
  /** The piece is outdated. */
  drop(piece: number): void;
};

export type DumpWatch = { signal?: AbortSignal; report?: (part: number) => void };

/** Writes the whole database as SQL, as it was at one moment. */
export type Dump = (sink: DumpSink, watch?: DumpWatch) => Promise<void>;
