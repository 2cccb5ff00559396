/** What the service has acknowledged, noted by the clients: at the end, the catalogue is compared with it. */

/** An object as it was in one of its versions. */
export type State = {
  note: string;
  status: "draft" | "public";
  deleted: boolean;
  linked: boolean;
  /** SHA-256 of its files. */
  media: readonly string[];
};

export type Entry = {
  id: string;
  number: string;
  /** A word in its title that no other record has. */
  mark: string;
  /** `versions[0]` is version 1. */
  versions: State[];
  /**
   * The answer to the last change was lost: one of these states may be another version. Nobody changes the record
   * again.
   */
  maybe: State[];
  /** Increased when a change begins and when it ends: odd while one is in progress. */
  moves: number;
  images: string[];
};

/** A file that was sent for import: its rows are numbered `IMP-<name>-<row>`. */
export type Sent = { name: string; rows: number; job: string | null };

export class Ledger {
  readonly entries: Entry[] = [];
  /** Marks of records whose answer was lost: they may have been created. */
  readonly unanswered = new Set<string>();
  readonly imports: Sent[] = [];
  /** The copy of a harvester: ids of objects, and whether they are deleted. */
  readonly harvested = new Map<string, { deleted: boolean }>();
  /** The time from which the next harvest begins. */
  from = "";
  #count = 0;

  /** A different word each time. Begins with letters, so that no search reads it as a number. */
  word(kind: string): string {
    this.#count += 1;
    return `${kind}q${this.#count.toString(36)}z`;
  }

  /** Any entry that may be changed or read; one of `from` if given. */
  any(from: readonly Entry[] = this.entries): Entry | undefined {
    const known = from.filter(({ maybe }) => maybe.length === 0);
    return known[Math.floor(Math.random() * known.length)];
  }
}

export const now = (entry: Entry): State => entry.versions.at(-1)!;

/** In every title, so that one search finds all records. */
export const COMMON = "Chaosrun";
/** In private fields; and in what must be refused. */
export const SECRET = "secretword";
export const REFUSED = "refusedword";
