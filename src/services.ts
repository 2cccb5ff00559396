/** The outside world on one page: what the core is given, and nothing else. */
import type { Sql as PostgresSql, TransactionSql } from "postgres";
import type { Config } from "./config.ts";
import type { RateLimit } from "./config-kinds.ts";
import type { Log } from "./log.ts";

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
  /** Null: mail is off. */
  mail: Mail | null;
  images: ImageServer;
  counter: Counter;
  assets: Assets;
  vitals: Vitals;
  backups: Backups;
  /** Key that signs access tokens (HS256). */
  signingKey: Uint8Array;
  log: Log;
  /** Aborted when the service begins to stop: streams that would go on by themselves end then. */
  stopping: AbortSignal;
  /**
   * Told after each commit which records changed, so that the writer makes the first projection attempt itself and
   * reads its own write. Never throws: what fails stays in the outbox.
   */
  changed(ids: readonly string[]): Promise<void>;
};

/** A record as the search index keeps it. Built by `search/document.ts`, which decides what is public. */
export type SearchDocument = {
  id: string;
  recordType: string;
  status: "draft" | "internal" | "public";
  collectionStatus: string | null;
  /** Searchable text for everybody; empty unless the record is public. */
  publicText: readonly WeightedText[];
  /** Searchable text that only staff may find. */
  staffText: readonly WeightedText[];
  /** Titles of linked records that are not public: for staff who may read every kind of record. */
  linkedText: readonly WeightedText[];
  /** Values of the facet fields. */
  facets: ReadonlyMap<string, readonly string[]>;
};

export type WeightedText = { weight: "A" | "B" | "C" | "D"; text: string };

/** What a caller may find. Required in every query, so that forgetting it does not compile. */
export type SearchScope = {
  /**
   * `public`: only public records, by their public text. `staff`: everything of the types below, by all their text.
   * `limited`: the same for staff who may not read every kind, so not by the titles of linked records.
   */
  audience: "public" | "limited" | "staff";
  recordTypes: readonly string[];
  statuses: readonly ("draft" | "internal" | "public")[];
  /** Objects outside these collection statuses are not found; null: no such limit. */
  collectionStatuses: readonly string[] | null;
};

/** One condition on the words of a record. `words` longer than one are a phrase. */
export type SearchTerm = { words: readonly string[]; prefix: boolean; negated: boolean };

export type SearchQuery = {
  scope: SearchScope;
  terms: readonly SearchTerm[];
  /** Each field must have one of its values. `indexed`: it is a facet field. */
  filters: readonly { field: string; indexed: boolean; values: readonly string[] }[];
  /** Fields whose values are counted over all hits, most frequent first, at most 50 a field. */
  facets: readonly { field: string; indexed: boolean }[];
  offset: number;
  limit: number;
};

export type SearchAnswer = {
  total: number;
  hits: { id: string; score: number }[];
  facets: Record<string, { value: string; count: number }[]>;
};

export type SearchIndex = {
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  find(query: SearchQuery): Promise<SearchAnswer>;
  /** Throws with the reason when the index cannot answer. */
  ping(): Promise<void>;
};

/** Hashes carry their algorithm and parameters (PHC string format), so that they can be renewed. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
  /** Whether `hash` was made with another algorithm or other parameters than are used now. */
  isOutdated(hash: string): boolean;
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

export type ImageServer = {
  /** Throws with the reason when images could not be delivered. */
  ping(): Promise<void>;
};

/** A rate limit and the name under which it is counted: a word of `a-z` and `-`. */
export type NamedLimit = RateLimit & { readonly name: string };

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

/** Files that come with the program: the pages of the API description. */
export type Assets = {
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
};

/** What the runtime tells of this process. */
export type Vitals = {
  /** Bytes; seconds of both kinds of CPU time; `startedAt` in seconds since 1970. */
  read(): { residentBytes: number; heapBytes: number; cpuSeconds: number; startedAt: number };
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
