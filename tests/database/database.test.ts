import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openScratch, type Scratch, scratchKinds } from "../support/servers/databases.ts";

describe.each(scratchKinds)("the %s database", (kind) => {
  let scratch: Scratch;
  let sql: Sql;

  beforeAll(async () => {
    scratch = await openScratch(kind);
    sql = scratch.sql;
    await sql`create table things (id int primary key, name text, n int not null default 0)`;
    await sql`insert into things select i, 'thing ' || i from generate_series(1, 100) i`;
  });
  afterAll(() => scratch.close());

  test("answers hundreds of mixed queries and transactions at once, each with its own result", async () => {
    const wrong: unknown[] = [];
    const tasks = Array.from({ length: 600 }, async (_, i) => {
      const id = (i % 100) + 1;
      if (i % 5 === 0) {
        await sql.begin(async (tx) => {
          await tx`update things set n = n + 1 where id = ${id}`;
          const [row] = await tx`select id from things where id = ${id} for update`;
          if (row?.id !== id) wrong.push(row);
        });
      } else if (i % 7 === 0) {
        const error = await sql`select ${i}::int / 0`.catch((caught: { code: string }) => caught);
        if (!("code" in error) || error.code !== "22012") wrong.push(error);
      } else if (i % 11 === 0) {
        const rows = await sql.unsafe(`select ${i} as i; select 'x${i}' as x`);
        if (rows[0]?.[0]?.i !== i || rows[1]?.[0]?.x !== `x${i}`) wrong.push(rows);
      } else {
        const [row] = await sql`select id, name, ${i}::int as i from things where id = ${id}`;
        if (row?.i !== i || row.name !== `thing ${id}`) wrong.push(row);
      }
    });
    await Promise.all(tasks);
    expect(wrong).toEqual([]);
    const [sum] = await sql`select sum(n)::int as n from things`;
    expect(sum?.n).toBe(120);
  });

  test("shows no rows of a transaction to others before it is committed", async () => {
    const seen: number[] = [];
    const count = async (of: Sql) => (await of`select count(*)::int as n from things where id > 1000`)[0]?.n;
    let outside: Promise<number> | undefined;
    await sql.begin(async (tx) => {
      await tx`insert into things values (1001, 'inside')`;
      outside = count(sql).then((n) => {
        seen.push(n);
        return n;
      });
      await tx`select pg_sleep(0.05)`;
      await tx`delete from things where id = 1001`;
    });
    await outside;
    expect(seen).toEqual([0]);
  });

  test("rolls back a transaction whose code throws, and a savepoint alone", async () => {
    await expect(
      sql.begin(async (tx) => {
        await tx`insert into things values (2001, 'gone')`;
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    await sql.begin(async (tx) => {
      await tx`insert into things values (2002, 'stays')`;
      await tx
        .savepoint(async (inner) => {
          await inner`insert into things values (2002, 'again')`;
        })
        .catch((error: { code: string }) => expect(error.code).toBe("23505"));
    });
    const rows = await sql`select id from things where id > 2000`;
    expect(rows.map((row) => row.id)).toEqual([2002]);
  });

  test("continues after all kinds of errors on every connection", async () => {
    for (let i = 0; i < 12; i++) {
      await expect(sql`select nonsense`).rejects.toThrow("nonsense");
      await expect(sql`select * from things where id = ${"no number"}`).rejects.toThrow(/integer/);
      await expect(sql.unsafe("selec 1")).rejects.toThrow("syntax error");
      await expect(sql.unsafe("select 1; select 1/0; select 2")).rejects.toThrow("division by zero");
    }
    expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });
  });

  test("reads a long list with a cursor while others send queries", async () => {
    let sum = 0;
    for await (const rows of sql`select i from generate_series(1, 1000) i`.cursor(100)) {
      for (const row of rows) sum += row.i;
    }
    expect(sum).toBe(500_500);
    const first = [];
    for await (const [row] of sql`select i from generate_series(1, 1000) i`.cursor()) {
      first.push(row?.i);
      if (first.length === 3) break;
    }
    expect(first).toEqual([1, 2, 3]);
    expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });
  });

  test("takes rows by COPY FROM STDIN and returns them by COPY TO STDOUT", async () => {
    await sql`create table copied (id int, name text)`;
    const reserved = await sql.reserve();
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i}\tname ${i}\n`);
    await pipeline(Readable.from(lines), await reserved`copy copied from stdin`.writable());
    // "data", not pipeline: postgres.js leaves its socket paused for ever if the reader pauses it at the end
    const out = await reserved`copy (select * from copied order by id) to stdout`.readable();
    const pieces: Buffer[] = [];
    out.on("data", (piece: Buffer) => pieces.push(piece));
    await once(out, "end");
    reserved.release();
    expect(Buffer.concat(pieces).toString()).toBe(lines.join(""));
  });

  test("can be used after a COPY that fails or is given up", async () => {
    const reserved = await sql.reserve();
    // postgres.js does not report the error, because it has already returned the stream
    (await reserved`copy things from stdin`.writable()).end("no number\tname\t0\n");
    await setTimeout(50);
    expect((await reserved`select 1 as fine`)[0]).toEqual({ fine: 1 });
    const given = await reserved`copy things from stdin`.writable();
    given.on("error", () => {});
    given.write("9001\tname\t0\n");
    // PostgreSQL itself hangs up if the reason is longer than 10,000 bytes
    given.destroy(new Error("given up ".repeat(kind === "embedded" ? 2000 : 10)));
    await setTimeout(50);
    expect((await reserved`select count(*)::int as n from things where id > 9000`)[0]).toEqual({ n: 0 });
    reserved.release();
    expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });
  });

  test("takes a parameter of two megabytes and returns it", async () => {
    const long = "ä".repeat(1024 * 1024);
    const [row] = await sql`select ${long}::text as long, length(${long}::text) as length`;
    expect(row?.length).toBe(1024 * 1024);
    expect(row?.long === long).toBe(true);
  });

  test("keeps every microsecond of a time, as text in UTC that can be sorted and sent back", async () => {
    const [row] = await sql`
      select '2026-01-31 12:00:00.123456+00'::timestamptz as at, '2026-01-31 12:00+02'::timestamptz as east,
        '2026-01-31 12:00:00.5'::timestamp as local, '2026-01-31'::date as day, 'infinity'::timestamptz as never,
        array['2026-01-31 12:00+00'::timestamptz] as times, array['2026-01-31'::date] as days,
        '0044-03-15 12:00:00 BC'::timestamptz as ides, '12026-01-31 12:00+00'::timestamptz as far`;
    expect(row).toEqual({
      at: "2026-01-31T12:00:00.123456",
      east: "2026-01-31T10:00:00.000000",
      local: "2026-01-31T12:00:00.500000",
      day: "2026-01-31",
      never: "infinity",
      times: ["2026-01-31T12:00:00.000000"],
      days: ["2026-01-31"],
      ides: "0044-03-15 12:00:00+00 BC",
      far: "12026-01-31T12:00:00.000000",
    });
    const [same] = await sql`
      select ${row?.at}::timestamptz = '2026-01-31 12:00:00.123456+00' as text,
        ${new Date("2026-01-31T12:00:00.123Z")}::timestamptz as date, ${"2026-01-31"}::date as day,
        ${new Date("2026-01-31T12:00:00.123Z")}::date as part, ${row?.ides as string}::timestamptz = '0044-03-15 12:00+00 BC' as ides,
        ${sql.array([row?.at as string])}::timestamptz[] as times`;
    expect(same).toEqual({
      text: true,
      date: "2026-01-31T12:00:00.123000",
      day: "2026-01-31",
      part: "2026-01-31",
      ides: true,
      times: ["2026-01-31T12:00:00.123456"],
    });
  });

  test("works in UTC, and returns times in UTC even if another zone is set", async () => {
    expect((await sql`show timezone`)[0]).toEqual({ TimeZone: "UTC" });
    const [row] = await sql.begin(async (tx) => {
      await tx`set local timezone = 'Asia/Kolkata'`;
      return tx`select '2026-01-31 12:00:00.123456+00'::timestamptz as at`;
    });
    expect(row).toEqual({ at: "2026-01-31T12:00:00.123456" });
  });

  test("returns bigints as numbers while those are exact, and as BigInt beyond", async () => {
    const [row] = await sql`
      select 9007199254740991::int8 as safe, 9007199254740993::int8 as beyond, count(*) as n, array[1::int8] as many
      from generate_series(1, 3)`;
    expect(row).toEqual({ safe: 9007199254740991, beyond: 9007199254740993n, n: 3, many: [1] });
    expect((await sql`select ${5}::int8 + ${"7"} as sum`)[0]).toEqual({ sum: 12 });
  });

  test("keeps json, bytes, booleans and nulls as they are", async () => {
    const value = { a: [1, null, "ü"], b: { c: true } };
    const bytes = Buffer.from([0, 1, 254, 255]);
    const [row] =
      await sql`select ${sql.json(value)}::jsonb as json, ${bytes}::bytea as bytes, ${null}::text as none`;
    expect(row).toEqual({ json: value, bytes, none: null });
  });
});
