/** A copy that is kept up to date as docs/api.md describes: read everything once, then changes and deletions since. */
import { describe, expect, it } from "vitest";
import {
  createObject,
  english,
  linksOf,
  type Page,
  type RecordJson,
  read,
} from "../support/museum/catalogue.ts";
import { type Ask, museumHere } from "../support/museum/museum.ts";

describe("a copy kept up to date with lists and deletions", async () => {
  const museum = await museumHere();
  const editor = await museum.as("editor");

  async function walk<T>(ask: Ask, start: string): Promise<T[]> {
    const items: T[] = [];
    for (let next: string | undefined = start; next !== undefined; ) {
      const answer: Response = await ask(next);
      items.push(...(await read<Page<T>>(answer)).items);
      next = linksOf(answer).next;
    }
    return items;
  }

  it.each(["staff", "visitors"])("for %s stays equal to the catalogue", async (who) => {
    const ask = who === "staff" ? editor : museum.ask;
    const objects = () => walk<RecordJson>(ask, "/v1/objects?page_size=2");
    const make = (title: string, status: string) => createObject(editor, title, { status });
    const open = [];
    for (const n of [1, 2, 3, 4, 5]) open.push((await make(`Public ${n}`, "public")).id);
    const draft = await make("Draft", "draft");
    const copy = new Map((await objects()).map((item) => [item.id, item]));

    const noted = new Date(Date.now() - 60_000).toISOString();
    const at = (id: string) => `/v1/objects/${id}`;
    await read(editor(at(open[0]!), { method: "PATCH", json: { metadata_: { title: english("Edited") } } }));
    for (const id of [open[1]!, open[2]!, draft.id]) await read(editor(at(id), { method: "DELETE" }), 204);
    await read(editor(`${at(open[2]!)}/restore`, { method: "POST" }));
    await read(editor(`${at(open[3]!)}/status`, { json: { status: "internal" } }));
    await make("Late", "public");

    for (const item of await walk<RecordJson>(ask, `/v1/objects?page_size=2&updated_since=${noted}`))
      copy.set(item.id, item);
    for (const { id } of await walk<{ id: string }>(ask, `/v1/deletions?page_size=2&since=${noted}`))
      copy.delete(id);
    const now = await objects();
    expect(now.length).toBeGreaterThan(3);
    expect(copy).toEqual(new Map(now.map((item) => [item.id, item])));
  });
});
