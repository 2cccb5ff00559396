/** How often a page waits for the database: statements that do not need each other's rows are sent together. */
import type { Sql } from "../../src/services.ts";

type Statement = { handle(): Promise<unknown>; then(done: () => void, failed: () => void): unknown };

export type Rounds = { sql: Sql; of(work: () => Promise<unknown>): Promise<number> };

/** A statement is one round later than those that had ended when it was sent. */
export function countRounds(counted: Sql): Rounds {
  /** The round of the last statement that has ended, and the latest round of any statement. */
  let ended = 0;
  let rounds = 0;
  const sql = new Proxy(counted, {
    apply(target, self, parameters) {
      const statement: Statement = Reflect.apply(target as never, self, parameters);
      const send = statement.handle?.bind(statement);
      if (!send) return statement;
      let isSent = false;
      statement.handle = () => {
        if (isSent) return send();
        isSent = true;
        const round = ended + 1;
        rounds = Math.max(rounds, round);
        const end = () => {
          ended = Math.max(ended, round);
        };
        const sent = send();
        Promise.prototype.then.call(statement, end, end);
        return sent;
      };
      return statement;
    },
  });
  return {
    sql,
    async of(work) {
      ended = 0;
      rounds = 0;
      await work();
      return rounds;
    },
  };
}
