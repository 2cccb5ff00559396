/**
 * The right to use the one session that PGlite has, handed on in the order of asking.
 *
 * A holder that does nothing for `idleLimit` milliseconds while others wait must give it up: a forgotten transaction
 * (a psql left open, a request that waits for the network inside `sql.begin`) would otherwise stop the service for ever.
 */
import { setTimeout } from "node:timers";

export type LeaseHolder = {
  /** Since when (`Date.now()`) the holder has kept the lease without using it; 0 while it uses it. */
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

  /** Nothing is returned when the lease is had at once: most queries do not wait. */
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

  /** One timer at most, and only while somebody waits: the hot path sets none. */
  #watch(milliseconds: number): void {
    if (this.#watched) return;
    this.#watched = true;
    setTimeout(() => this.#look(), milliseconds).unref();
  }

  #look(): void {
    this.#watched = false;
    const holder = this.#holder;
    if (this.#waiting.length === 0 || holder === undefined) return;
    const idle = holder.idleSince === 0 ? 0 : Date.now() - holder.idleSince;
    if (idle >= this.#idleLimit) {
      void holder.giveUp();
      this.#watch(this.#idleLimit);
    } else this.#watch(this.#idleLimit - idle);
  }
}
