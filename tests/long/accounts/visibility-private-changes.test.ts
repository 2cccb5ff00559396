/** What visitors get does not show that something private was changed: neither in values, nor in dates, versions and ETags. */
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { drainOutbox } from "../../../workers/drain-outbox.ts";
import { create, createObject, english, read } from "../../support/museum/catalogue.ts";
import { jpeg, send } from "../../support/museum/media.ts";
import { museumHere } from "../../support/museum/museum.ts";
import { outletsOf, readOutlets } from "../../support/public-outlets.ts";

describe("a private change", async () => {
  const museum = await museumHere({ env: { ARK_ENABLED: "true", ARK_NAAN: "12345" } });
  const staff = await museum.as("superuser");
  let id: string;
  let maker: string;
  let draft: string;
  let paths: string[];
  let before: Map<string, string>;

  const patch = (path: string, json: unknown) => read(staff(path, { method: "PATCH", json }));
  const link = (relation_type: string, to_type: string, to_id: string) =>
    read(staff(`/v1/objects/${id}/relations`, { json: { relation_type, to_type, to_id } }), 201);

  beforeAll(async () => {
    await read(
      staff("/v1/schemas/entity", {
        json: { name: "debts", label: { en: "Debts" }, field_type: "text", is_public: false },
      }),
      201,
    );
    const named = (name: string) => ({ metadata_: { name: english(name) } });
    maker = (await create(staff, "entity", { status: "public", ...named("Ida Brandt") })).id;
    draft = (await create(staff, "entity", named("Not shown"))).id;
    id = (await createObject(staff, "Barometer", { status: "public" })).id;
    await link("created_by", "entity", maker);
    const { media_id } = await read<{ media_id: string }>(send(staff, id, await jpeg(40, 30), "a.jpg"), 201);
    await drainOutbox(museum.services);
    const { ark } = await read<{ ark: string }>(staff(`/v1/objects/${id}?include=ark`));
    paths = outletsOf(
      museum,
      {
        id: [id, maker],
        media_id: [media_id],
        identifier: [media_id],
        naan: ["12345"],
        name: [ark.split("/").at(-1)!],
        type: ["object"],
        page: ["0"],
      },
      [
        "/v1/search?q=barometer&sort_by=updated_at",
        "/v1/objects?include=version,media",
        `/v1/objects/${id}/media`,
      ],
    );
    // the last seconds can be harvested only when they have passed
    await setTimeout(2_500);
    before = await answers();
  }, 60_000);

  /** By address; without what differs from one answer to the next. */
  async function answers(): Promise<Map<string, string>> {
    const all = await readOutlets(museum, paths);
    return new Map(
      [...all].map(([key, { text }]) => [
        key,
        text
          .replaceAll(/nonce[-=]"?[\w+/=-]+/g, "")
          .replaceAll(/\["(x-request-id|ratelimit|retry-after)","[^\]]*\]/g, "")
          .replaceAll(/<responseDate>[^<]*/g, ""),
      ]),
    );
  }

  it.each<[string, () => Promise<unknown>]>([
    [
      "of a private field",
      () => patch(`/v1/objects/${id}`, { metadata_: { internal_note: english("Fragile") } }),
    ],
    [
      "of a private field of a linked record",
      () => patch(`/v1/entities/${maker}`, { metadata_: { debts: english("Owes us money") } }),
    ],
    ["by a link to a draft", () => link("owned_by", "entity", draft)],
    [
      "of a linked draft",
      () => patch(`/v1/entities/${draft}`, { metadata_: { name: english("Still not shown") } }),
    ],
    [
      "by a private medium",
      async () => read(send(staff, id, await jpeg(41, 30), "b.jpg", { visibility: "private" }), 201),
    ],
    [
      "by a private medium that is moved, deleted and restored",
      async () => {
        const { items } = await read<{ items: { media_id: string; visibility: string }[] }>(
          staff(`/v1/objects/${id}/media`),
        );
        const hidden = items.find(({ visibility }) => visibility === "private")!;
        const path = `/v1/objects/${id}/media/${hidden.media_id}`;
        await patch(path, { position: 1, caption: "Damage" });
        await read(staff(path, { method: "DELETE" }), 204);
        await read(staff(`${path}/restore`, { method: "POST" }));
      },
    ],
    ["by a new draft", () => createObject(staff, "A draft")],
  ])("%s moves nothing", async (_what, change) => {
    await change();
    await drainOutbox(museum.services);
    const after = await answers();
    const moved = [...before].filter(([key, text]) => after.get(key) !== text).map(([key]) => key);
    expect(moved).toEqual([]);
  });

  it("of something public moves the date, version and ETag of visitors", async () => {
    const state = async () => {
      const answer = await museum.ask(`/v1/objects/${id}?include=version`);
      const { updated_at, version } = await read<{ updated_at: string; version: number }>(answer);
      return { updated_at, version, etag: (await museum.ask(`/v1/objects/${id}`)).headers.get("ETag") };
    };
    const former = await state();
    await patch(`/v1/objects/${id}`, { metadata_: { description: english("Brass") } });
    const now = await state();
    expect(now.updated_at > former.updated_at).toBe(true);
    expect(now.version).toBeGreaterThan(former.version);
    expect(now.etag).not.toBe(former.etag);
  });
});
