/** Whether the time of a refused sign-in tells who has an account: unknown and disabled against a wrong password. */
import { insertAccount } from "../../src/accounts/store.ts";
import { createApp } from "../../src/app.ts";
import { openGround, type Where } from "./ground.ts";

const ROUNDS = 60;
const WHO = ["known", "unknown", "disabled"] as const;

export async function benchSignIn(where: Where): Promise<void> {
  const ground = await openGround(where);
  const { services } = ground;
  try {
    const { app } = createApp(services);
    const passwordHash = await services.passwords.hash("a quiet depot, 1888");
    for (const name of ["known", "disabled"]) {
      const account = { email: `${name}@museum.example`, displayName: name, role: "viewer", passwordHash };
      await services.sql.begin((tx) =>
        insertAccount(tx, { ...account, id: crypto.randomUUID(), mustChangePassword: false }),
      );
    }
    await services.sql`update accounts set disabled_at = now() where email like 'disabled@%'`;
    const times = new Map<string, number[]>(WHO.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of WHO) {
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
