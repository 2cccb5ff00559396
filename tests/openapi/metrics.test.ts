import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { metric } from "../../src/health/exposition.ts";
import { createMeter, meterRoute, observe } from "../../src/http/meter.ts";
import { createObject, withKey } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

/** A line of the text format: https://prometheus.io/docs/instrumenting/exposition_formats */
const LINE =
  /^(# (HELP|TYPE) [a-z_]+ \S.*|[a-z_]+(\{[a-z_]+="([^"\\\n]|\\["\\n])*"(,[a-z_]+="([^"\\\n]|\\["\\n])*")*\})? (\+Inf|[-+.e\d]+))$/;

/** The value of the sample with this name and these labels. */
function value(text: string, sample: string): number | undefined {
  const line = text.split("\n").find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

describe.each(databases)("metrics of a museum with the %s database", async (database) => {
  const museum = await museumHere({ database });
  const admin = await museum.as("admin");
  const viewer = await museum.as("viewer");

  const numbers = async () => (await admin("/metrics")).text();

  it("are in the format of Prometheus, with each metric announced once", async () => {
    await museum.ask("/health");
    const answer = await admin("/metrics");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const text = await answer.text();
    expect(text.endsWith("\n")).toBe(true);
    const lines = text.trimEnd().split("\n");
    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    const announced = lines.filter((line) => line.startsWith("# TYPE")).map((line) => line.split(" ")[2]!);
    expect(new Set(announced).size).toBe(announced.length);
    expect(
      lines.filter((line) => !line.startsWith("#") && !announced.some((name) => line.startsWith(name))),
    ).toEqual([]);
  });

  it("can be read with metrics:read, also by a key that may do nothing else", async () => {
    expect((await museum.ask("/metrics")).status).toBe(401);
    expect((await viewer("/metrics")).status).toBe(403);
    const prometheus = await withKey(museum, admin, "metrics:read");
    expect((await prometheus("/metrics")).status).toBe(200);
    expect((await prometheus("/v1/users")).status).toBe(403);
  });

  it("stay open to roles and keys that could read them through jobs:read", async () => {
    const { sql } = museum.services;
    const me = (await (await admin("/v1/auth/me")).json()) as { id: string };
    await admin(`/v1/users/${me.id}/api-keys`, { json: { name: "Old", permissions: ["jobs:read"] } });
    await admin(`/v1/users/${me.id}/api-keys`, { json: { name: "Website", permissions: ["records:read"] } });
    const features = ["media:write", "jobs:read"];
    await sql`insert into roles (name, permissions) values ('desk', ${sql.json({ records: {}, features })})`;
    const updates = (await readFile("sql/0021_signing_in.sql", "utf8")).match(/^update [^;]+;/gm)!;
    for (let round = 0; round < 2; round++) await sql.unsafe(updates.join("\n")).simple();
    expect(await sql`select permissions -> 'features' as of from roles where name = 'desk'`).toEqual([
      { of: ["media:write", "jobs:read", "metrics:read"] },
    ]);
    expect(
      await sql`select permissions as of from api_keys where name in ('Old', 'Website') order by name`,
    ).toEqual([{ of: ["jobs:read", "metrics:read"] }, { of: ["records:read"] }]);
  });

  it("count requests by route, method and class of status, not by address", async () => {
    const id = crypto.randomUUID();
    const before = await numbers();
    const missing = 'svc_http_requests_total{method="GET",route="/v1/objects/{id}",status="4xx"}';
    const lists = 'svc_http_requests_total{method="GET",route="/v1/objects",status="2xx"}';
    for (const path of [`/v1/objects/${id}`, `/api/v1/objects/${id}`, "/v1/objects?page=1"])
      await museum.ask(path);
    const after = await numbers();
    expect((value(after, missing) ?? 0) - (value(before, missing) ?? 0)).toBe(2);
    expect((value(after, lists) ?? 0) - (value(before, lists) ?? 0)).toBe(1);
    expect(after).not.toContain(id);
  });

  it("do not grow with unknown addresses, which count as one route", async () => {
    for (const method of ["GET", "PROPFIND"]) await museum.ask("/never/was", { method });
    const before = (await numbers()).split("\n").length;
    const unrouted = 'svc_http_requests_total{method="",route="",status="4xx"}';
    const counted = value(await numbers(), unrouted)!;
    for (let n = 0; n < 50; n++) await museum.ask(`/never/was/${n}`, { method: n % 2 ? "GET" : "PROPFIND" });
    const after = await numbers();
    expect(after.split("\n").length).toBe(before);
    expect(value(after, unrouted)).toBe(counted + 25);
  });

  it("contain the durations of answers as a histogram that adds up", async () => {
    await museum.ask("/v1/objects");
    const text = await numbers();
    const name = "svc_http_request_duration_seconds";
    const labels = 'method="GET",route="/v1/objects"';
    const buckets = text
      .split("\n")
      .filter((line) => line.startsWith(`${name}_bucket{${labels},`))
      .map((line) => Number(line.split(" ").at(-1)));
    expect(buckets).toHaveLength(12);
    expect(buckets).toEqual([...buckets].sort((one, other) => one - other));
    expect(buckets.at(-1)).toBe(value(text, `${name}_count{${labels}}`));
    expect(value(text, `${name}_sum{${labels}}`)).toBeGreaterThan(0);
  });

  it("count the requests in flight: this one, and none that has ended", async () => {
    await museum.ask("/never/was");
    expect(value(await numbers(), "svc_http_requests_in_flight")).toBe(1);
    expect(museum.api.meter.inFlight).toBe(0);
  });

  it("show how many records wait for each projection, since when, and how many fail", async () => {
    const { sql } = museum.services;
    await sql`delete from outbox`;
    expect(value(await numbers(), 'svc_outbox_rows{target="search"}')).toBe(0);
    await sql`insert into outbox (target, record_id, due_at, last_error)
      values ('search', gen_random_uuid(), now() - interval '90 seconds', 'down'),
        ('search', gen_random_uuid(), now() + interval '90 seconds', null)`;
    const text = await numbers();
    await sql`delete from outbox`;
    expect(value(text, 'svc_outbox_rows{target="search"}')).toBe(2);
    expect(value(text, 'svc_outbox_failing_rows{target="search"}')).toBe(1);
    expect(value(text, 'svc_outbox_overdue_seconds{target="search"}')).toBeGreaterThanOrEqual(90);
    expect(value(text, 'svc_outbox_overdue_seconds{target="search"}')).toBeLessThan(120);
  });

  it("show how many mails wait and how many were given up", async () => {
    const { sql } = museum.services;
    await sql`insert into mail_queue (id, kind, given_up_at)
      values (gen_random_uuid(), 'password_reset', null), (gen_random_uuid(), 'password_reset', null),
        (gen_random_uuid(), 'password_reset', now())`;
    const text = await numbers();
    await sql`delete from mail_queue`;
    expect(value(text, 'svc_mail_queue_rows{state="waiting"}')).toBe(2);
    expect(value(text, 'svc_mail_queue_rows{state="given_up"}')).toBe(1);
  });

  it("show the jobs by kind and state, also with a count of zero", async () => {
    const { sql } = museum.services;
    await sql`insert into jobs (id, kind, state, finished_at) values (gen_random_uuid(), 'backup', 'failed', now()),
      (gen_random_uuid(), 'backup', 'failed', now()), (gen_random_uuid(), 'import', 'queued', null),
      (gen_random_uuid(), 'of-old', 'done', now())`;
    const text = await numbers();
    await sql`delete from jobs`;
    expect(value(text, 'svc_jobs{kind="backup",state="failed"}')).toBe(2);
    expect(value(text, 'svc_jobs{kind="import",state="queued"}')).toBe(1);
    expect(value(text, 'svc_jobs{kind="of-old",state="done"}')).toBe(1);
    expect(value(text, 'svc_jobs{kind="backup",state="running"}')).toBe(0);
    expect(value(await numbers(), 'svc_jobs{kind="import",state="queued"}')).toBe(0);
  });

  it("show the age of the last backup, ignoring failed ones", async () => {
    const { sql } = museum.services;
    await sql`delete from backups`;
    expect(await numbers()).not.toContain("svc_backup_age_seconds");
    await sql`insert into backups (id, file, finished_at, last_error) values
      (gen_random_uuid(), 'x', now() - interval '90 minutes', null), (gen_random_uuid(), null, null, 'the disk is full')`;
    const age = value(await numbers(), "svc_backup_age_seconds")!;
    expect(age).toBeGreaterThanOrEqual(5_400);
    expect(age).toBeLessThan(5_430);
    await sql`update backups set finished_at = now() + interval '1 day' where finished_at is not null`;
    expect(value(await numbers(), "svc_backup_age_seconds")).toBe(0);
    await sql`delete from backups`;
  });

  it("describe the build, its memory and, with a database server, its connections", async () => {
    const text = await numbers();
    expect(text).toMatch(new RegExp(`^svc_build_info\\{version="[^"]+",database="${database}"\\} 1$`, "m"));
    expect(value(text, "process_resident_memory_bytes")).toBeGreaterThan(20e6);
    expect(value(text, "process_start_time_seconds")).toBeGreaterThan(Date.now() / 1000 - 3_600);
    expect(value(text, "process_start_time_seconds")).toBeLessThan(Date.now() / 1000);
    expect(value(text, "svc_database_connections_max")).toBe(database === "external" ? 10 : 4);
    const active = value(text, 'svc_database_connections{state="active"}');
    if (database === "external") expect(active).toBeGreaterThan(0);
    else expect(active).toBeUndefined();
  });

  it("start again with the process, and contain nothing about records", async () => {
    const { id } = await createObject(await museum.as("editor"), "Harbour at dusk");
    await museum.ask(`/v1/objects/${id}`);
    expect(await numbers()).not.toContain(id);
    const fresh = createApp(museum.services);
    expect(
      [...fresh.meter.routes, fresh.meter.unrouted].every(({ statuses }) => statuses.every((n) => n === 0)),
    ).toBe(true);
  });
});

describe("a histogram", () => {
  it("puts a duration equal to a bound below that bound, and a duration above all bounds into none", () => {
    const meter = createMeter();
    const route = meterRoute(meter, "GET", "/v1/objects");
    for (const [seconds, status] of [
      [0.005, 200],
      [0.0051, 304],
      [10, 404],
      [11, 503],
      [0, 101],
    ] as const) {
      observe(route, status, seconds);
    }
    expect(route.statuses).toEqual([0, 1, 1, 1, 1, 1]);
    expect(route.buckets).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });
});

describe("a metric", () => {
  it("is not announced without samples, and escapes the values of its labels", () => {
    expect(metric("svc_x", "gauge", "X.", [])).toBe("");
    expect(metric("svc_x", "gauge", "X.", [{ labels: { a: 'b"c\\d\ne' }, value: 1e21 }])).toBe(
      '# HELP svc_x X.\n# TYPE svc_x gauge\nsvc_x{a="b\\"c\\\\d\\ne"} 1e+21\n',
    );
  });
});
