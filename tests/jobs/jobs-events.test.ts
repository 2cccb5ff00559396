import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import type { Started } from "../runtimes/started.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";

type Event = { event: string; id: number; data: { job_id: string; state: string; done: number } };

const WAITING = 5;

/** The events in the text of a stream, and its comments. */
function parsed(text: string): { events: Event[]; comments: string[] } {
  const blocks = text.split("\n\n").filter((block) => block !== "");
  const events = blocks.flatMap((block) => {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
    if (!fields.event) return [];
    return [{ event: fields.event, id: Number(fields.id), data: JSON.parse(fields.data) } as Event];
  });
  return { events, comments: blocks.filter((block) => block.startsWith(":")) };
}

describe.each(databases)("the event stream of a job over HTTP, with the %s database", async (database) => {
  const office = await officeHere(database);
  let service: Started;
  let token: string;
  /** Jobs that are due only in an hour. */
  const waiting: string[] = [];
  beforeAll(async () => {
    await office.look(async ({ sql }) => {
      for (let n = 0; n < WAITING; n++) {
        const { job } = await enqueueJob(sql, { kind: "housekeeping", createdBy: null });
        waiting.push(job.id);
      }
      await sql`update jobs set run_after = now() + interval '1 hour'`;
    });
    ({ service, token } = await office.serve());
  });

  const cancel = async (id: string) => {
    const { status } = await service.ask(`/v1/jobs/${id}/cancel`, { method: "POST", token });
    expect(status).toBe(200);
  };
  const watch = (id: string, more: { headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
    fetch(`${service.url}/v1/jobs/${id}/events`, {
      ...more,
      headers: { Authorization: `Bearer ${token}`, ...more.headers },
    });

  it("shows the job's progress to its end, and ends with it", async () => {
    const object = { object_type: "painting", metadata_: { title: [{ value: "Slack tide" }] } };
    expect((await service.ask("/v1/objects", { token, json: object })).status).toBe(201);
    const { json } = await service.ask("/v1/search/reindex", { method: "POST", token });
    const id: string = json.job_id;
    const answer = await watch(id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/event-stream");
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    const { events } = parsed(await answer.text());
    const last = events.at(-1)!;
    expect(last).toMatchObject({ event: "done", data: { job_id: id, state: "done" } });
    expect(last.data.done).toBeGreaterThan(0);
    expect(events.slice(0, -1).every(({ event }) => event === "progress")).toBe(true);
    const ids = events.map((event) => event.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  inLong(it)("continues after an interruption, and answers 204 when nothing more will come", async () => {
    const id = waiting.pop()!;
    const leave = new AbortController();
    const first = await watch(id, { signal: leave.signal });
    const reader = first.body!.getReader();
    let text = "";
    while (!text.includes("data:")) text += new TextDecoder().decode((await reader.read()).value);
    leave.abort();
    const [{ event, id: seen }] = parsed(text).events as [Event];
    expect(event).toBe("progress");

    const again = await watch(id, { headers: { "Last-Event-ID": String(seen) } });
    await cancel(id);
    const { events } = parsed(await again.text());
    expect(events.map((each) => each.event)).toEqual(["cancelled"]);
    const end = await watch(id, { headers: { "Last-Event-ID": String(events[0]!.id) } });
    expect([end.status, await end.text()]).toEqual([204, ""]);
    // a client that has not seen the end still gets it
    expect(parsed(await (await watch(id)).text()).events.map((each) => each.event)).toEqual(["cancelled"]);
  });

  inLong(it)(
    "ends for a caller who may no longer watch: after a key is revoked, a role changed or an account disabled",
    async () => {
      const id = waiting.pop()!;
      const { json: me } = await service.ask("/v1/auth/me", { token });
      const person = async (n: number) => {
        const account = { email: `watcher${n}@example.org`, display_name: "Watcher", role: "editor" };
        const password = "somebody who watches jobs";
        const { json } = await service.ask("/v1/users", { token, json: { ...account, password } });
        const settled = { method: "PATCH", token, json: { must_change_password: false } };
        expect((await service.ask(`/v1/users/${json.id}`, settled)).status).toBe(200);
        const signIn = { email: account.email, password };
        const { json: session } = await service.ask("/v1/auth/login", { json: signIn });
        return { id: json.id as string, headers: { Authorization: `Bearer ${session.access_token}` } };
      };
      const [disabled, demoted] = [await person(1), await person(2)];
      const { json: key } = await service.ask(`/v1/users/${me.id}/api-keys`, {
        token,
        json: { name: "Watcher", permissions: ["jobs:read"] },
      });
      const streams = [disabled.headers, demoted.headers, { "X-API-Key": key.key as string }].map((headers) =>
        fetch(`${service.url}/v1/jobs/${id}/events`, { headers }),
      );
      for (const answer of await Promise.all(streams)) expect(answer.status).toBe(200);
      const stays = await watch(id);
      await service.ask(`/v1/users/${disabled.id}`, { method: "PATCH", token, json: { disabled: true } });
      await service.ask(`/v1/users/${demoted.id}`, { method: "PATCH", token, json: { role: "viewer" } });
      await service.ask(`/v1/users/${me.id}/api-keys/${key.id}`, { method: "DELETE", token });
      // while the job still waits
      for (const answer of await Promise.all(streams)) {
        expect(parsed(await answer.text()).events.map(({ event }) => event)).toEqual(["progress"]);
      }
      await cancel(id);
      expect(parsed(await stays.text()).events.map(({ event }) => event)).toEqual(["progress", "cancelled"]);
    },
  );

  it("is open to those who may read jobs", async () => {
    const id = waiting.pop()!;
    expect((await fetch(`${service.url}/v1/jobs/${id}/events`)).status).toBe(401);
    expect((await watch(newId())).status).toBe(404);
    expect((await watch(id, { headers: { Accept: "application/json" } })).status).toBe(406);
  });

  it("is open to fifty at a time, and makes room when one leaves", async () => {
    const id = waiting.pop()!;
    const leave = new AbortController();
    const answers = await Promise.all(Array.from({ length: 50 }, () => watch(id, { signal: leave.signal })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    const refused = await watch(id);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "30"]);
    expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
    leave.abort();
    await expect
      .poll(
        async () => {
          const one = await watch(id);
          await one.body?.cancel();
          return one.status;
        },
        { timeout: 10_000 },
      )
      .toBe(200);
  });

  it("does not keep the service from stopping", async () => {
    const id = waiting.pop()!;
    const text = watch(id).then((answer) => answer.text());
    await expect.poll(() => service.lines.some((line) => line.includes(`/v1/jobs/${id}/events`))).toBe(true);
    const { code, seconds } = await service.stop();
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(5);
    expect(parsed(await text).events.map(({ event }) => event)).toEqual(["progress"]);
  });
});

describe("a stream of events", async () => {
  const museum = await museumHere();

  it("is not taken up by a HEAD request", async () => {
    const admin = await museum.as("admin");
    const { job } = await enqueueJob(museum.services.sql, { kind: "housekeeping", createdBy: null });
    const path = `/v1/jobs/${job.id}/events`;
    for (let n = 0; n < 60; n++) expect((await admin(path, { method: "HEAD" })).status).toBe(200);
    const answer = await admin(path);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  });
});
