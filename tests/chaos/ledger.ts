/** What the service has acknowledged, written down by those who asked: the catalogue is compared with this at the end. */

/** An object as one of its versions had it. */
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
  /** The answer to the last change was lost: one of these may be one version more. Nobody touches the record again. */
  maybe: State[];
  /** Grows when a change begins and when it ends: odd while one is under way. */
  moves: number;
  images: string[];
};

/** A file that was sent to be imported: its rows are numbered `IMP-<name>-<row>`. */
export type Sent = { name: string; rows: number; job: string | null };

export class Ledger {
  readonly entries: Entry[] = [];
  /** Marks of records that may have been created: the answer was lost. */
  readonly unanswered = new Set<string>();
  readonly imports: Sent[] = [];
  /** What a harvester knows: ids of objects, and whether they are deleted. */
  readonly harvested = new Map<string, { deleted: boolean }>();
  /** Where the next harvest begins. */
  from = "";
  #count = 0;

  /** Another word each time. Begins with letters, so that no search takes it for a number. */
  word(kind: string): string {
    this.#count += 1;
    return `${kind}q${this.#count.toString(36)}z`;
  }

  /** One of those that are left to be changed or read; of these, when given. */
  any(from: readonly Entry[] = this.entries): Entry | undefined {
    const known = from.filter(({ maybe }) => maybe.length === 0);
    return known[Math.floor(Math.random() * known.length)];
  }
}

export const now = (entry: Entry): State => entry.versions.at(-1)!;

/** In every title, so that one search finds all. */
export const COMMON = "Chaosrun";
/** In fields that are not public; and in what is refused. */
export const SECRET = "secretword";
export const REFUSED = "refusedword";
