/** How often pages of staff wait for the database. */
import { beforeAll, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { museumHere } from "../support/museum/museum.ts";
import { type StaffBrowser, staffBrowser } from "../support/museum/staff-browser.ts";
import { countRounds } from "../support/rounds.ts";

let curator: StaffBrowser;

const museum = await museumHere({ database: "embedded", demo: true });
const rounds = countRounds(museum.services.sql);
beforeAll(async () => {
  const api = createApp({ ...museum.services, sql: rounds.sql });
  curator = await staffBrowser({ ...museum, api }, "admin");
});

async function roundsOf(path: string): Promise<number> {
  // the first time also reads the configuration
  await curator.text(path);
  return rounds.of(async () => {
    const answer = await curator.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.text();
  });
}

it("lists ask who reads and for the settings, then for records, and then for their pictures and links", async () => {
  const waits = {
    "/admin/objects?column=@maker": 4,
    "/admin/objects": 4,
    "/admin/entities?status=public": 3,
  };
  for (const [path, count] of Object.entries(waits))
    expect([path, await roundsOf(path)]).toEqual([path, count]);
});

it("the first page waits for the database at most six times", async () => {
  const count = await roundsOf("/admin");
  expect(count).toBeGreaterThan(2);
  expect(count).toBeLessThanOrEqual(6);
});
