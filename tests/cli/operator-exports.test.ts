/** The operations behind export, import --all, schema-export and schema-apply, without a socket between. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closingLine } from "../../src/exports/format.ts";
import { byteStream } from "../../src/http/answer/text-stream.ts";
import type { Piece } from "../../src/operator/exports.ts";
import { type Call, callThrough, createOperator } from "../../src/operator.ts";
import type { Services } from "../../src/services.ts";
import { inLong } from "../support/lane/lane.ts";
import { type Museum, openMuseum } from "../support/museum/museum.ts";

const caller = (services: Services): Call => {
  const asIs = (cause: unknown) => {
    throw cause;
  };
  return callThrough(createOperator(services, asIs), asIs);
};

/** A stream of a text in small pieces; `then` is called in place of an end. */
const streamed = (text: string, then: () => Promise<void> = async () => undefined) =>
  byteStream(
    (async function* () {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.slice(at, at + 1_000);
      await then();
    })(),
  );

describe("the operations on exports", () => {
  let source: Museum;
  let target: Museum;
  let text = "";
  let lines = 0;
  beforeAll(async () => {
    [source, target] = await Promise.all([openMuseum({ demo: true }), openMuseum()]);
    ({ text, lines } = await exported(source));
  });
  afterAll(() => Promise.all([source.close(), target.close()]));

  async function exported({ services }: Museum) {
    const pieces: Piece[] = [];
    await caller(services)("export", { history: false }, { onEvent: (piece) => void pieces.push(piece) });
    return {
      text: pieces.map((piece) => piece.text).join(""),
      lines: pieces.reduce((sum, { count }) => sum + count, 0),
    };
  }
  const records = async () => (await target.services.sql`select id from records`).length;
  const load = (content: ReadableStream<Uint8Array>) =>
    caller(target.services)("import-all", {}, { content });
  /** The checksum was looked at before. */
  const whole = () => `${text}${closingLine({ lines, sha256: "" })}\n`;

  it("load nothing of a file that ends early, is changed or cannot be read", async () => {
    const rows = text.split("\n");
    for (const [content, reason] of [
      ["", /not a file of svc-manage export/],
      [text, /was changed while it was being read/],
      [text.slice(0, -30), /was changed while it was being read/],
      [`${rows.toSpliced(-2, 1).join("\n")}${closingLine({ lines, sha256: "" })}\n`, /was changed while/],
      [
        `${rows.toSpliced(9, 0, "[1]").join("\n")}${closingLine({ lines, sha256: "" })}`,
        /cannot be read: \[1\]/,
      ],
      [`${rows[0]}\n{"record":{"id":"x"}}\n${closingLine({ lines: 1, sha256: "" })}`, /The database refuses/],
    ] as const)
      await expect(load(streamed(content))).rejects.toThrow(reason);
    const unreadable = async () => {
      throw new Error("the disk is gone");
    };
    await expect(load(streamed(text, unreadable))).rejects.toThrow("the disk is gone");
    expect(await records()).toBe(0);
  });

  it("end when nobody reads any more, and leave the database to others", async () => {
    const leaving = new AbortController();
    const onEvent = () => leaving.abort();
    const { signal } = leaving;
    await expect(caller(source.services)("export", { history: false }, { onEvent, signal })).rejects.toThrow(
      /abort/,
    );
    const full = () => {
      throw new Error("the disk is full");
    };
    for (const name of ["export-records", "export-rdf"] as const)
      await expect(caller(source.services)(name, { kind: "object" }, { onEvent: full })).rejects.toThrow(
        "is full",
      );
    expect(await exported(source)).toMatchObject({ lines });
  });

  it("load a whole file, whose records are then found", async () => {
    const left: number[] = [];
    const { counts } = await caller(target.services)(
      "import-all",
      {},
      { content: streamed(whole()), onEvent: (event) => void left.push(event.left) },
    );
    expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(lines);
    expect(left[0]).toBeGreaterThan(0);
    expect((await exported(target)).text.split("\n").slice(1)).toEqual(text.split("\n").slice(1));
    const found = async (museum: Museum) =>
      ((await (await museum.ask("/v1/search?q=harbour")).json()) as { total: number }).total;
    expect(await found(target)).toBe(await found(source));
    await expect(load(streamed(whole()))).rejects.toThrow(/^The catalogue already has records/);
  });

  inLong(it)("take a configuration with more values than a request of the API may have", async () => {
    const call = caller(target.services);
    const before = await call("schema-export", {});
    const terms = Array.from({ length: 10_500 }, (_, n) => ({ value: `term ${n}` }));
    const wish = {
      ...before,
      vocabularies: [...before.vocabularies, { name: "many", label: { en: "Many" }, terms }],
    };
    const apply = (commit: boolean, text = JSON.stringify(wish)) =>
      call("schema-apply", { commit, remove: false }, { content: streamed(text) });
    expect(await apply(false)).toHaveLength(2);
    expect(await call("schema-export", {})).toEqual(before);
    await apply(true);
    expect(
      (await call("schema-export", {})).vocabularies.find(({ name }) => name === "many")?.terms,
    ).toHaveLength(10_500);
    await expect(apply(true, "{")).rejects.toThrow();
    await expect(apply(true, '{"format": "other"}')).rejects.toThrow();
    expect(await apply(true)).toEqual([]);
  });
});
