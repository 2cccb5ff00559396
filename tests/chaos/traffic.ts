/** Sends all requests: at an even pace, to each service in turn, counted, timed, and checked for secrets. */
import { setTimeout } from "node:timers/promises";
import { type Answer, asked } from "../runtimes/started.ts";
import { SECRET } from "./ledger.ts";

export type Options = NonNullable<Parameters<typeof asked>[1]>;

/** Milliseconds; a service stopped twice in a row for longer than any lease answers before. */
const LONGEST_ANSWER = 120_000;

export class Traffic {
  readonly statuses = new Map<string, number>();
  /** What must never happen, each once. */
  readonly wrong = new Set<string>();
  requests = 0;
  longest = 0;
  over = false;
  token = "";
  readonly #urls: readonly string[];
  #rate: number;
  #next = 0;

  constructor(urls: readonly string[], rate: number) {
    this.#urls = urls;
    this.#rate = rate;
  }

  /** From now on, no request waits for its turn. */
  hurry(): void {
    this.#rate = Number.POSITIVE_INFINITY;
  }

  visitor(path: string, options: Options = {}): Promise<Answer | null> {
    return this.#ask(path, options);
  }

  staff(path: string, options: Options = {}): Promise<Answer | null> {
    return this.#ask(path, { ...options, token: this.token });
  }

  /** For requests that must be answered in the end: repeated while the service is busy. */
  async answer(path: string, options: Options = {}): Promise<Answer> {
    for (let tries = 0; tries < 60; tries++) {
      const answer = await this.visitor(path, options);
      if (answer && !answer.headers.has("X-Search-Degraded")) return answer;
      await setTimeout(1_000);
    }
    throw new Error(`${path} was not answered in sixty tries`);
  }

  /** Null: unknown whether it was done, because the connection broke or the answer was a 503. */
  async #ask(path: string, options: Options): Promise<Answer | null> {
    await this.#turn();
    const url = this.#urls[this.requests++ % this.#urls.length]!;
    const begun = performance.now();
    const answer = await Promise.race([
      asked(new URL(path, url), options).catch(() => "lost" as const),
      setTimeout(LONGEST_ANSWER, "late" as const, { ref: false }),
    ]);
    const what = `${options.method ?? (options.json || options.body ? "POST" : "GET")} ${path}`;
    const said = typeof answer === "string" ? answer : String(answer.status);
    this.statuses.set(said, (this.statuses.get(said) ?? 0) + 1);
    if (answer === "late") this.wrong.add(`${what}: no answer in ${LONGEST_ANSWER / 1000} s`);
    if (typeof answer === "string") return null;
    this.longest = Math.max(this.longest, performance.now() - begun);
    if (answer.status >= 500) {
      if (answer.status !== 503) this.wrong.add(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
      return null;
    }
    if (options.token === undefined && answer.text.includes(SECRET))
      this.wrong.add(`${what}: a visitor was shown a field that is not public`);
    return answer;
  }

  async #turn(): Promise<void> {
    const at = Math.max(this.#next, performance.now());
    this.#next = at + 1000 / this.#rate;
    const wait = at - performance.now();
    if (wait > 1) await setTimeout(wait);
  }
}
