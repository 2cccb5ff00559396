/** Calls operations by their templates, fills in known values, and notes what does not fit. */
import type { Answer, Ask } from "./started.ts";

/** `statuses`: those in the description; null where it contains none, as for pages. */
export type Operation = { id: string; method: string; path: string; statuses: readonly string[] | null };

export type Sent = NonNullable<Parameters<Ask>[1]> & {
  /** The expected status, if it is not a success. */
  status?: number;
  query?: string;
  /** Unknown what it accepts: it may be refused. */
  guess?: boolean;
};

export type Asking = {
  /** By the end of a template (`roles/{name}`, `{name}`); the longest match counts. */
  known: Map<string, string>;
  done: ReadonlySet<string>;
  /** One line for each answer that does not fit. */
  wrong: string[];
  call(operation: Operation, sent: Sent): Promise<Answer>;
};

const NOTHING = "00000000-0000-4000-8000-000000000000";

/** @param elsewhere operations that always answer 501 */
export function asking(ask: Ask, elsewhere: ReadonlySet<string>): Asking {
  const known = new Map<string, string>();
  const done = new Set<string>();
  const wrong: string[] = [];

  function valueAt(template: string): string | undefined {
    const ends = [...known.keys()].filter((end) => template.endsWith(end));
    return known.get(ends.sort((a, b) => b.length - a.length)[0] ?? "");
  }

  function addressOf(path: string): { address: string; isKnown: boolean } {
    let isKnown = true;
    const address = path.replace(/\{\w+\}/g, (name, at: number) => {
      const value = valueAt(path.slice(0, at + name.length));
      isKnown &&= value !== undefined;
      return encodeURIComponent(value ?? NOTHING);
    });
    return { address, isKnown };
  }

  return {
    known,
    done,
    wrong,
    async call({ id, method, path, statuses }, sent) {
      done.add(id);
      const { status, query = "", guess = false, ...options } = sent;
      const { address, isKnown } = addressOf(path);
      const answer = await ask(address + query, { ...options, method });
      // a page may need more than its address, and a change needs something to be changed
      const mayLack =
        statuses === null || (method === "PATCH" && Object.keys(options.json ?? {}).length === 0);
      const isElsewhere = elsewhere.has(id);
      const fits = isElsewhere
        ? answer.status === 501
        : status === undefined
          ? answer.status < (isKnown && !guess ? 400 : 500) || (mayLack && answer.status === 422)
          : answer.status === status;
      const isNamed = isElsewhere || statuses === null || statuses.includes(String(answer.status));
      if (!fits || !isNamed) wrong.push(`${id} (${address}): ${answer.status} ${answer.text.slice(0, 300)}`);
      if (method === "GET" && !isElsewhere) {
        const head = await ask(address + query, { ...options, method: "HEAD" });
        if (head.status !== answer.status)
          wrong.push(`HEAD ${address}: ${head.status}, GET ${answer.status}`);
      }
      return answer;
    },
  };
}
