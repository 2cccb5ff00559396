/** Which changes take the files under /dumps/ away until new ones are made, and which leave them. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DumpSet } from "../../src/dumps/published.ts";
import { enqueueDueJobs } from "../../workers/due-jobs.ts";
import { housekeep } from "../../workers/housekeeping.ts";
import type { JobInput } from "../../workers/job-kind.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { dumpDueAfterWithdrawal } from "../../workers/make-dumps.ts";
import { create, createObject, english, posted, read } from "../support/museum/catalogue.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

describe.each(databases)("the files under /dumps/, in the %s database,", async (database) => {
  let object: string;
  let medium: string;
  let maker: string;

  const make = (report: JobInput["report"] = async () => undefined) =>
    KIND_WORK.dump.run({ services: museum.services, report } as JobInput);
  const patch = (path: string, json: unknown) => read(staff(path, { method: "PATCH", json }));
  const metadata = (metadata_: object) => patch(object, { metadata_ });
  const status = async () => (await museum.ask("/dumps/objects.ndjson.gz")).status;

  const museum = await museumHere({ database });
  const staff = await museum.as("superuser");
  beforeAll(async () => {
    const { id } = await createObject(staff, "Barometer", {
      status: "public",
      metadata_: {
        internal_note: english("Fragile"),
        subject: [{ value: "sea" }],
      },
    });
    object = `/v1/objects/${id}`;
    const sent = await send(staff, id, await jpeg(30, 20), "barometer.jpg", { caption: "From the left" });
    medium = `${object}/media/${(await read<{ media_id: string }>(sent, 201)).media_id}`;
    const named = { status: "public", metadata_: { name: english("Ida Brandt") } };
    maker = (await create(staff, "entity", named)).id;
  });
  beforeEach(() => make());

  const link = () =>
    posted<{ id: string }>(staff, `${object}/relations`, {
      relation_type: "created_by",
      to_type: "entity",
      to_id: maker,
    });
  const field = (json: object) => patch("/v1/schemas/object/provenance", json);

  it.each<[string, () => Promise<unknown>]>([
    ["a new public record", () => createObject(staff, "Sextant", { status: "public" })],
    ["a further field", () => metadata({ description: english("Brass and glass") })],
    ["a further value", () => metadata({ subject: [{ value: "weather" }, { value: "sea" }] })],
    ["a private field", () => metadata({ internal_note: english("Mended") })],
    [
      "another colour of the pages",
      async () => {
        await patch("/v1/settings", { accent_colour: "#14575e" });
        await patch("/v1/settings", { accent_colour: "#1d3f72" });
      },
    ],
    ["a private field that is emptied", () => metadata({ internal_note: null })],
    [
      "a further medium",
      async () =>
        read(
          await send(staff, object.split("/")[3]!, await jpeg(31, 20), "b.jpg", { visibility: "private" }),
          201,
        ),
    ],
    ["a further text of a medium", () => patch(medium, { alt_text: "A barometer" })],
    ["another order of media", () => patch(medium, { position: 2 })],
    ["a new link", link],
    [
      "a draft",
      async () => {
        const { id } = await createObject(staff, "Never shown");
        await patch(`/v1/objects/${id}`, { metadata_: { title: english("Still not shown") } });
        await read(staff(`/v1/objects/${id}`, { method: "DELETE" }), 204);
      },
    ],
    ["a further language of a label", () => field({ label: { it: "Provenienza" } })],
    ["another help for a field", () => field({ help: { en: "Who owned it" } })],
  ])("stay after %s", async (_what, change) => {
    await change();
    expect(await status()).toBe(200);
    expect(await dumpDueAfterWithdrawal.isNeeded!(museum.services)).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a value that is replaced", () => metadata({ subject: [{ value: "weather" }, { value: "storm" }] })],
    ["a value that is removed", () => metadata({ subject: [{ value: "weather" }] })],
    ["a field that is emptied", () => metadata({ description: null })],
    ["another number", () => patch(object, { idno: "1998.4" })],
    ["a caption that is removed", () => patch(medium, { caption: "" })],
    ["a medium that becomes private", () => patch(medium, { visibility: "private" })],
    [
      "a link that is removed",
      async () => {
        const { items } = await read<{ items: { id: string }[] }>(staff(`${object}/relations`));
        await read(staff(`${object}/relations/${items[0]!.id}`, { method: "DELETE" }), 204);
      },
    ],
    ["a label that is replaced", () => field({ label: { en: "Former owners" } })],
    ["a field that becomes private", () => field({ is_public: false })],
    ["a record that is withdrawn", () => read(staff(`${object}/status`, { json: { status: "internal" } }))],
  ])("are withdrawn at once after %s, until new ones are made", async (_what, change) => {
    await change();
    const answer = await museum.ask("/dumps/objects.ndjson.gz");
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([503, "application/problem+json"]);
    expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await read(museum.ask("/dumps/index.json"))).toEqual({ made_at: null, files: [] });
    expect(await (await museum.ask("/dumps/sha256sums.txt")).text()).toBe("");
    expect(await (await museum.ask("/dumps/", { headers: { Accept: "text/html" } })).text()).toContain(
      "being written anew",
    );
    await make();
    expect(await status()).toBe(200);
  });

  it("stay withdrawn if something is taken back while new ones are made", async () => {
    const name = (value: string) => patch(`/v1/entities/${maker}`, { metadata_: { name: english(value) } });
    let times = 0;
    await make(async () => {
      times += 1;
      if (times === 1) await name("Ida Holm");
    });
    expect(await status()).toBe(503);
    await make();
    expect(await status()).toBe(200);
  });

  it("are due within the hour after a withdrawal, sooner if they are quickly made", async () => {
    const { services } = museum;
    const set = async (age: number, seconds: number) => {
      const list = await services.dumps.get("current.json");
      const current = (await new Response(
        list!.content as ReadableStream<Uint8Array<ArrayBuffer>>,
      ).json()) as DumpSet;
      const made_at = new Date(Date.now() - age * 1_000).toISOString();
      await services.dumps.put(
        "current.json",
        new Response(JSON.stringify({ ...current, made_at, seconds })).body!,
      );
      return dumpDueAfterWithdrawal.isNeeded!(services);
    };
    expect(await set(90_000, 1)).toBe(false);
    await patch(`/v1/entities/${maker}`, { metadata_: { name: english("Ada Holm") } });
    expect([await set(5, 1), await set(20, 1), await set(600, 900), await set(3_100, 900)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    await enqueueDueJobs(
      services,
      [{ kind: "dump", ...dumpDueAfterWithdrawal }],
      new Date("2026-03-01T12:30:00Z"),
    );
    const jobs = await services.sql<{ due_at: string }[]>`
      delete from jobs where kind = 'dump' and due_at is not null returning due_at`;
    expect(jobs.map(({ due_at }) => due_at.slice(0, 16))).toEqual(["2026-03-01T12:27"]);
  });

  it("are deleted by the housekeeping if they are turned off, so that old ones never come back", async () => {
    const { services } = museum;
    const { config } = services;
    await patch(`/v1/entities/${maker}`, { metadata_: { name: english("Eva Holm") } });
    await housekeep({ ...services, config: { ...config, dumps: { ...config.dumps, enabled: false } } });
    expect(await status()).toBe(404);
    expect([...(await services.sql`select 1 from withdrawals`)]).toEqual([]);
  });
});
