import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Fault } from "../../src/problem.ts";
import { listen } from "../../src/runtimes/node.ts";
import { inLong } from "../support/lane/lane.ts";
import { create, createObject, english, faults, type Page, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { signedIn } from "../support/museum/signed-in.ts";

type Result = { line: number; outcome: string; id?: string; idno?: string; errors?: Fault[] };
const NDJSON = { "Content-Type": "application/x-ndjson" };

describe.each(databases)("bulk writing in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const undone: (() => void)[] = [];
  const painting = (title: string, more = {}) =>
    JSON.stringify({ object_type: "painting", metadata_: { title: english(title) }, ...more });
  const parse = (text: string): Result[] =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const send = (body: BodyInit, query = "", ask = editor) =>
    ask(`/v1/objects/bulk${query}`, { method: "POST", body, headers: NDJSON, duplex: "half" } as never);
  const bulk = async (lines: readonly unknown[], query = "", ask = editor) => {
    const body = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const answer = await send(body, query, ask);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/x-ndjson");
    return parse(await answer.text());
  };
  const outcomes = (results: Result[]) => results.map(({ outcome }) => outcome);
  const get = (id: string | undefined) => read(editor(`/v1/objects/${id}`));
  const latestImport = async () => {
    const [row] = await museum.services.sql<{ state: string; rows_done: number; created: number }[]>`
      select state, rows_done, created from imports order by started_at desc, id desc limit 1`;
    return row!;
  };

  describe("bulk lines", () => {
    it("become records, in order, with consecutive numbers", async () => {
      const drafts = [painting("A"), painting("B", { status: "public" }), painting("C", { idno: "C 1" })];
      const results = await bulk(drafts);
      expect(results.map(({ line }) => line)).toEqual([1, 2, 3]);
      expect(outcomes(results)).toEqual(["created", "created", "created"]);
      const records = await Promise.all(results.map(({ id }) => get(id)));
      expect(records.map((record) => record.metadata_.title![0]!.value)).toEqual(["A", "B", "C"]);
      expect(records.map((record) => record.status)).toEqual(["draft", "public", "draft"]);
      expect(records.map((record) => record.idno)).toEqual(results.map(({ idno }) => idno));
      expect(records[2]!.idno).toBe("C 1");
      const found = await read<Page<{ id: string }>>(museum.ask("/v1/search?q=B"));
      expect(found.items.map(({ id }) => id)).toEqual([results[1]!.id]);
    });

    it("with faults never stop the rest, and each result says what is wrong", async () => {
      const huge = painting("x".repeat(1024 * 1024));
      const bad: [string, string][] = [
        ["{", ""],
        ["nonsense", ""],
        ["[]", ""],
        ["null", ""],
        ["7", ""],
        [painting("x", { status: "secret" }), "/status"],
        [painting("x", { colour: "blue" }), "/colour"],
        [painting("x", { object_type: "spaceship" }), "/object_type"],
        [painting("x", { metadata_: { nickname: english("x") } }), "/metadata_/nickname"],
        [painting("x", { metadata_: { title: "x" } }), "/metadata_/title"],
        ['{"object_type":"painting","metadata_":{"__proto__":[]}}', "/metadata_/__proto__"],
        [painting("a\u0000"), "/metadata_/title/0/value"],
        [painting("a\ud800"), "/metadata_/title/0/value"],
        [painting("x", { id: crypto.randomUUID() }), "/id"],
        ["[".repeat(10_000) + "]".repeat(10_000), ""],
        [huge, ""],
        ['{"object_type":"painting","status":"public"}', "/metadata_/title"],
      ];
      const lines = bad.flatMap(([line], index) => [line, painting(`Good ${index}`)]);
      const results = await bulk(lines);
      expect(results.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
      expect(outcomes(results)).toEqual(bad.flatMap(() => ["rejected", "created"]));
      const rejected = results.filter(({ outcome }) => outcome === "rejected");
      expect(rejected.map(({ errors }) => errors![0]!.pointer)).toEqual(bad.map(([, pointer]) => pointer));
      for (const { errors, id, idno } of rejected) {
        expect(errors![0]!.detail).toMatch(/\w/);
        expect([id, idno]).toEqual([undefined, undefined]);
      }
      expect((await get(results.at(-1)!.id)).metadata_.title).toEqual(english(`Good ${bad.length - 1}`));
    });

    it("that are not UTF-8 are refused alone", async () => {
      const bytes = new Uint8Array([...Buffer.from(`${painting("Before")}\n{"idno":"`), 0xff, 0xfe, 0x0a]);
      const body = Buffer.concat([bytes, Buffer.from(painting("After"))]);
      const results = parse(await (await send(body)).text());
      expect(outcomes(results)).toEqual(["created", "rejected", "created"]);
    });

    it.each([
      ["LF", "\n", ""],
      ["LF at the end too", "\n", "\n"],
      ["CR LF", "\r\n", "\r\n"],
      ["blank lines", "\n\n  \n\r\n", "\n\n"],
    ])("may end with %s", async (_, between, end) => {
      const body = [painting("One"), painting("Two"), painting("Drei – ü 🚢")].join(between) + end;
      const results = parse(await (await send(body)).text());
      expect(outcomes(results)).toEqual(["created", "created", "created"]);
      const gap = between.split("\n").length - 1;
      expect(results.map(({ line }) => line)).toEqual([1, 1 + gap, 1 + 2 * gap]);
      expect((await get(results[2]!.id)).metadata_.title).toEqual(english("Drei – ü 🚢"));
    });

    it("may begin with a byte order mark, and there may be none at all", async () => {
      expect(outcomes(parse(await (await send(`\ufeff${painting("Marked")}`)).text()))).toEqual(["created"]);
      expect(await (await send("\n \n")).text()).toBe("");
    });

    it("may arrive cut at any byte", async () => {
      const bytes = Buffer.from(`${painting("Größe – ü")}\r\n\n${painting("🚢🚢")}\n`);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      });
      const results = parse(await (await send(body)).text());
      expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
        [1, "created"],
        [3, "created"],
      ]);
    });
  });

  describe("bulk lines for existing records", () => {
    const fields = { title: english("Old"), edition: [{ value: "1st" }] };
    const changed = { title: english("New"), material: [{ value: "oak" }] };
    const line = (idno: string) => ({ idno, metadata_: changed });

    it.each([
      ["", "rejected", fields],
      ["?upsert=skip", "skipped", fields],
      ["?upsert=merge", "updated", { ...fields, ...changed }],
      ["?upsert=replace", "updated", changed],
    ])("with %s are %s", async (query, outcome, metadata_) => {
      const more = { metadata_: fields, status: "internal", collection_status: "pending" };
      const { id, idno } = await create(editor, "object", more);
      const results = await bulk([line(idno), { ...line(idno), id, idno: undefined }], query);
      const second = outcome === "updated" ? "unchanged" : outcome;
      expect(outcomes(results)).toEqual([outcome, second]);
      const record = await get(id);
      const kept = { status: "internal", collection_status: "pending", object_type: "painting" };
      expect(record).toMatchObject(kept);
      expect(record.metadata_).toEqual(metadata_);
    });

    it("delete a field that is null, and only that", async () => {
      const { id, idno } = await create(editor, "object", { metadata_: fields });
      const line = (metadata_: object) => ({ idno, metadata_ });
      const results = await bulk(
        [line({ edition: null }), line({ titel: null }), line({ title: [null] })],
        "?upsert=merge",
      );
      expect(outcomes(results)).toEqual(["updated", "rejected", "rejected"]);
      expect((await get(id)).metadata_).toEqual({ title: fields.title });
    });

    it("may name a record twice, by number and by id, and the second line works on the result of the first", async () => {
      const { id, idno } = await createObject(editor, "Twice");
      const edition = (value: string) => ({ metadata_: { edition: [{ value }] } });
      const results = await bulk(
        [
          { id, ...edition("1") },
          { idno, ...edition("2") },
          { idno, ...edition("3") },
          { id: id.toUpperCase(), ...edition("4") },
          { id, idno: "Renamed", ...edition("5") },
          { idno: "Renamed", ...edition("6") },
          painting("Between"),
          painting("New twin", { idno: "Twin" }),
          { idno: "Twin", ...edition("7") },
        ],
        "?upsert=merge",
      );
      expect(outcomes(results)).toEqual([...Array(6).fill("updated"), "created", "created", "updated"]);
      const twin = { title: english("New twin"), edition: [{ value: "7" }] };
      expect((await get(results[8]!.id)).metadata_).toEqual(twin);
      type Version = { changes: { pointer: string; to: unknown }[] };
      const history = await read<Page<Version>>(editor(`/v1/objects/${id}/history`));
      const editions = history.items.map(
        ({ changes }) => changes.find(({ pointer }) => pointer.endsWith("edition"))?.to,
      );
      expect(editions).toEqual([...["6", "5", "4", "3", "2", "1"].map((value) => [{ value }]), undefined]);
    });

    it("are refused without upsert if an earlier line has created the record", async () => {
      const twins = ["x", "y"].map((title) => painting(title, { idno: "Dup" }));
      const results = await bulk([...twins, painting("z")]);
      expect(outcomes(results)).toEqual(["created", "rejected", "created"]);
      expect(results[1]!.errors![0]!.pointer).toBe("/idno");
    });
  });

  describe("the permissions for bulk writing", () => {
    it("let catalogers write drafts, and refuse each line that needs permission to publish", async () => {
      const cataloger = await museum.as("cataloger");
      const shown = await createObject(editor, "Shown", { status: "public" });
      const both = [painting("Draft"), painting("Public", { status: "public" })];
      const results = await bulk([...both, { id: shown.id, status: "draft" }], "?upsert=merge", cataloger);
      expect(outcomes(results)).toEqual(["created", "rejected", "rejected"]);
      expect((await get(shown.id)).status).toBe("public");
    });

    it("refuse visitors, viewers, wrong types and wrong parameters before anything is read", async () => {
      const viewer = await museum.as("viewer");
      await faults(await send(painting("x"), "", museum.ask), 401);
      await faults(await send(painting("x"), "", viewer), 403);
      expect(await faults(await send(painting("x"), "?upsert=always"))).toEqual(["query:upsert"]);
      await faults(editor("/v1/objects/bulk", { json: {} }), 415);
      await faults(editor("/v1/objects/bulk", { method: "POST", headers: NDJSON }), 400);
      const html = { ...NDJSON, Accept: "text/html" };
      await faults(editor("/v1/objects/bulk", { method: "POST", body: "{}", headers: html }), 406);
    });
  });

  describe("a bulk stream", () => {
    inLong(it)("of 5,000 lines sends the first results before the last line has arrived", async () => {
      let feed: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          feed = controller;
        },
      });
      const push = (from: number, to: number) => {
        for (let n = from; n <= to; n++) feed.enqueue(Buffer.from(`${painting(`Streamed ${n}`)}\n`));
      };
      push(1, 400);
      const answer = await send(body);
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!text.includes('"line":200,')) text += (await reader.read()).value ?? "";
      expect(parse(text.slice(0, text.lastIndexOf("\n"))).length).toBeLessThanOrEqual(400);
      push(401, 5_000);
      feed!.close();
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
      const results = parse(text);
      expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
      expect(new Set(outcomes(results))).toEqual(new Set(["created"]));
      expect(new Set(results.map(({ idno }) => idno)).size).toBe(5_000);
      expect((await read<Page>(editor("/v1/objects?q=streamed&page_size=1"))).total).toBe(5_000);
      expect(await latestImport()).toEqual({ state: "finished", rows_done: 5_000, created: 5_000 });
    });

    it("of a megabyte are answered before two hundred have come", async () => {
      const line = Buffer.from(`${painting("x".repeat(1_000_000))}\n`);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let n = 0; n < 4; n++) controller.enqueue(line);
          undone.push(() => controller.close());
        },
      });
      const answer = await send(body);
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader.read()).value).toMatch(/^\{"line":1,"outcome":"rejected",/);
      for (const undo of undone.splice(0)) undo();
      for (let next = await reader.read(); !next.done; next = await reader.read());
    });

    it("with tens of thousands of faults are read one after the other, and others have their turns", async () => {
      const line = JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`k${n}`, 1])));
      let turns = 0;
      const ticking = setInterval(() => turns++);
      const reader = (await send(Array(12).fill(line).join("\n")))
        .body!.pipeThrough(new TextDecoderStream())
        .getReader();
      let { value: text = "" } = await reader.read();
      clearInterval(ticking);
      // 16 and more; five or six if nothing pauses between the lines
      expect(turns).toBeGreaterThan(9);
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
      expect(outcomes(parse(text))).toEqual(Array(12).fill("rejected"));
    });

    it("with more values than anybody sends have one fault, and the next one is read", async () => {
      const line = `{${Array.from({ length: 30_000 }, (_, n) => `"k${n}":1`).join()}}`;
      const [many, next] = await bulk([line, painting("Next")]);
      expect(many).toMatchObject({ outcome: "rejected", errors: [{ pointer: "" }] });
      expect(next).toMatchObject({ outcome: "created" });
    });

    it("that breaks off keeps the records that were answered, and ends its import", async () => {
      const whole = `${Array.from({ length: 250 }, (_, n) => painting(`Broken ${n}`)).join("\n")}\n`;
      const chunks = [Buffer.from(whole), Buffer.from(painting("Half").slice(0, 20))];
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = chunks.shift();
          if (next) controller.enqueue(next);
          else controller.error(new Error("the line went dead"));
        },
      });
      const results = parse(await (await send(body)).text());
      const kept = results.filter(({ outcome }) => outcome === "created");
      const end = { line: kept.length + 1, outcome: "rejected", errors: [{ pointer: "" }] };
      expect(results.at(-1)).toMatchObject(end);
      expect(kept).toHaveLength(200);
      const page = await read<Page>(editor("/v1/objects?q=broken&page_size=200"));
      expect(new Set(page.items.map(({ id }) => id))).toEqual(new Set(kept.map(({ id }) => id)));
      expect(await latestImport()).toEqual({ state: "failed", rows_done: 200, created: 200 });
    });

    it("keeps the records that were answered when the client hangs up", async () => {
      const server = await listen(museum.api.app, { host: "127.0.0.1", port: 0 });
      onTestFinished(() => server.stop());
      const [account] = await museum.services.sql<{ id: string; token_version: number }[]>`
        select id, token_version from accounts where role = 'editor' limit 1`;
      const token = await signedIn(museum.services, account!);
      const upload = request({
        ...{ port: server.port, host: "127.0.0.1", path: "/v1/objects/bulk", method: "POST" },
        headers: { Authorization: `Bearer ${token}`, ...NDJSON },
      });
      upload.on("error", () => undefined);
      for (let n = 0; n < 300; n++) upload.write(`${painting(`Hung up ${n}`)}\n`);
      const [answer] = (await once(upload, "response")) as [IncomingMessage];
      answer.on("error", () => undefined);
      let text = "";
      await new Promise<void>((resolve) => {
        answer.on("data", (chunk) => {
          text += chunk;
          if (text.includes('"line":200,')) resolve();
        });
      });
      upload.destroy();
      await expect.poll(async () => (await latestImport()).state).toBe("failed");
      const page = await read<Page>(editor("/v1/objects?q=hung&page_size=200"));
      expect(new Set(page.items.map(({ id }) => id))).toEqual(new Set(parse(text).map(({ id }) => id)));
    });

    it("is ended if nobody reads its answer to the end", async () => {
      const body = Array.from({ length: 450 }, (_, n) => painting(`Unread ${n}`)).join("\n");
      const answer = await send(body);
      const reader = answer.body!.getReader();
      await reader.read();
      await reader.cancel();
      await expect.poll(async () => (await latestImport()).state).toBe("failed");
      const { rows_done } = await latestImport();
      expect((await read<Page>(editor("/v1/objects?q=unread&page_size=1"))).total).toBe(rows_done);
    });
  });
});
