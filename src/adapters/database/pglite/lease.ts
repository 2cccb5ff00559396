/**
 * The lease of PGlite's only session: connections get it one after the other, in the order in which they asked.
 *
 * A holder that does nothing for `idleLimit` milliseconds while others wait loses the lease. Otherwise a forgotten
 * transaction (a request that waits for the network inside `sql.begin`) would block the service for ever.
 */
import { setTimeout } from "node:timers";

export type LeaseHolder = {
  /**
   * Since when the holder has not used the lease; 0 while it uses it. By `performance.now()`, because `Date.now()` also counts
   * the time while the machine sleeps.
   */
  readonly idleSince: number;
  /** Ends what is open and gives the lease back. */
  giveUp(): Promise<void>;
};

export class Lease {
  readonly #idleLimit: number;
  #holder: LeaseHolder | undefined;
  #waiting: { holder: LeaseHolder; go: () => void }[] = [];
  #watched = false;

  constructor(idleLimit: number) {
    this.#idleLimit = idleLimit;
  }

  isHeldBy(holder: LeaseHolder): boolean {
    return this.#holder === holder;
  }

  /** Returns undefined if the lease is free, so that most queries need no promise. */
  take(holder: LeaseHolder): Promise<void> | undefined {
    if (this.#holder === holder) return;
    if (this.#holder === undefined) {
      this.#holder = holder;
      return;
    }
    this.#watch(this.#idleLimit);
    return new Promise((go) => this.#waiting.push({ holder, go }));
  }

  give(holder: LeaseHolder): void {
    if (this.#holder !== holder) return;
    const next = this.#waiting.shift();
    this.#holder = next?.holder;
    next?.go();
  }

  /** Sets a timer only while somebody waits, because setting one for each query would be slow. */
  #watch(milliseconds: number): void {
    if (this.#watched) return;
    this.#watched = true;
    setTimeout(() => this.#look(), milliseconds).unref();
  }

  #look(): void {
    this.#watched = false;
    const holder = this.#holder;
    if (this.#waiting.length === 0 || holder === undefined) return;
    const idle = holder.idleSince === 0 ? 0 : performance.now() - holder.idleSince;
    if (idle >= this.#idleLimit) {
      void holder.giveUp();
      this.#watch(this.#idleLimit);
    } else this.#watch(this.#idleLimit - idle);
  }
}
