import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { createApp } from "../../src/app.ts";
import type { Counter } from "../../src/services.ts";
import { newAccount } from "../support/museum/signed-in.ts";
import { openGround, type Where } from "./ground.ts";

const ROUNDS = 120;
const WHO = ["known", "unknown", "disabled"] as const;

export async function benchSignIn(where: Where): Promise<void> {
  const ground = await openGround(where);
  const { services } = ground;
  try {
    // counted as usual and then forgotten, because limits are not measured here
    const own = inProcessCounter();
    const counter: Counter = {
      ...own,
      async hit(limit, who) {
        const tally = await own.hit(limit, who);
        await own.forget(limit, who);
        return tally;
      },
    };
    const { app } = createApp({ ...services, counter });
    const passwordHash = await services.passwords.hash("a quiet depot, 1888");
    for (const name of ["known", "disabled"]) {
      const account = { displayName: name, role: "viewer", passwordHash };
      await newAccount(services.sql, `${name}@museum.example`, account);
    }
    await services.sql`update accounts set disabled_at = now() where email like 'disabled@%'`;
    const times = new Map<string, number[]>(WHO.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      // a different kind is first in each round
      for (let turn = 0; turn < WHO.length; turn++) {
        const name = WHO[(round + turn) % WHO.length]!;
        const started = performance.now();
        const answer = await app.request("/v1/auth/login", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ email: `${name}@museum.example`, password: "not the password" }),
        });
        await answer.text();
        if (answer.status !== 401) throw new Error(`A refused sign-in was answered with ${answer.status}`);
        times.get(name)!.push(performance.now() - started);
      }
    }
    const median = (name: string) => times.get(name)!.sort((a, b) => a - b)[ROUNDS / 2]!;
    const known = median("known");
    console.log(
      `refused sign-in, ${where} database: wrong password ${known.toFixed(1)} ms, unknown address × ` +
        `${(median("unknown") / known).toFixed(2)}, disabled account × ${(median("disabled") / known).toFixed(2)}`,
    );
  } finally {
    await ground.close();
  }
}
