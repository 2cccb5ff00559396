/** Links in the staff interface, without a script: what becomes of them is told, and what is removed comes back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ask, Museum } from "../support/museum/museum.ts";
import { type StaffBrowser, staffBrowser } from "../support/museum/staff-browser.ts";
import { openStaffMuseum } from "../support/museum/staff-museum.ts";

let museum: Museum;
let curator: StaffBrowser;
let api: Ask;
beforeAll(async () => {
  ({ museum, curator, api } = await openStaffMuseum());
});
afterAll(() => museum.close());

const NAMES: Record<string, string> = { entities: "name", places: "name" };

/** Makes a record with a name, and returns its address. */
async function made(plural: string, name: string, more: Record<string, string> = {}): Promise<string> {
  const field = NAMES[plural] ?? "title";
  const sent = await curator.send(`/admin/${plural}/new`, { [`metadata_/${field}/0/value`]: name, ...more });
  expect(sent.status).toBe(303);
  return sent.headers.get("Location")!;
}
const idIn = (address: string) => address.split("/").at(-1)!;
const linked = async (address: string) =>
  (await (await api(`/v1${address.slice("/admin".length)}/relations`)).json()).items as {
    id: string;
    to_title: string;
    to_type: string;
    metadata_: unknown;
  }[];
/** Links the object with somebody as its maker; returns the address of the link. */
async function madeBy(object: string, maker: string): Promise<string> {
  const wish = { relation_type: "created_by", to_type: "entity", to_id: idIn(maker) };
  const answer = await api(`/v1/objects/${idIn(object)}/relations`, { json: wish });
  return `${object}/links/${(await answer.json()).id}`;
}
const words = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

describe("a link that is removed", () => {
  it("is named on the page, which puts it back as it was", async () => {
    const [object, maker] = [await made("objects", "Vase"), await made("entities", "Greta Lindqvist")];
    const link = await madeBy(object, maker);
    const before = await linked(object);
    const removed = await curator.send(`${link}/remove`, {});
    expect([removed.status, removed.headers.get("Location")]).toEqual([
      303,
      `${object}?removed=${idIn(link)}#links`,
    ]);
    const page = await curator.text(`${object}?removed=${idIn(link)}`);
    expect(words(page)).toContain("The link is removed. created by: Greta Lindqvist Put back");
    expect(page).toContain(`action="${link}/put-back"`);
    const back = await curator.send(`${link}/put-back`, {});
    expect([back.status, back.headers.get("Location")]).toEqual([303, `${object}#links`]);
    expect(await linked(object)).toEqual(before);
    expect(await curator.text(`${object}?removed=${idIn(link)}`)).not.toContain(">Put back<");
    const viewer = await staffBrowser(museum, "viewer");
    expect((await viewer.send(`${link}/put-back`, {})).status).toBe(403);
  });

  it("is in the history of both ends, with who removed it, and comes back from there", async () => {
    const [object, maker] = [await made("objects", "Carafe"), await made("entities", "Aert Moons")];
    const link = await madeBy(object, maker);
    await curator.send(`${link}/remove`, {});
    const history = await curator.text(`${maker}/history`);
    expect(words(history)).toMatch(
      /At the other end: Carafe Link removed · admin-\d+@example.org · .*created Carafe – Put back/,
    );
    const put = new RegExp(`action="(${maker}/links/[^"]+/put-back)"`).exec(history)![1]!;
    expect((await curator.send(put, {})).status).toBe(303);
    expect(await linked(object)).toMatchObject([{ to_title: "Aert Moons" }]);
    expect(words(await curator.text(`${object}/history`))).toMatch(
      /Version 4 Link added .*created by – Aert Moons/,
    );
    // its other end may be in the trash
    await curator.send(`${maker}/delete`, { force: "yes" });
    expect(words(await curator.text(`${object}/history`))).toMatch(
      /At the other end: Aert Moons Deleted .* created by Aert Moons \(in the trash\) –/,
    );
  });

  it("is asked for if it is the only maker of a public object", async () => {
    const [object, maker] = [await made("objects", "Ewer"), await made("entities", "Lena Pauwels")];
    await madeBy(object, maker);
    expect(await curator.text(object)).not.toContain("Remove all the same");
    await api(`/v1/objects/${idIn(object)}/publish`, { method: "POST" });
    for (const address of [object, maker])
      expect(words(await curator.text(address))).toMatch(
        /only maker of a public object\..*Remove all the same/,
      );
    await madeBy(object, await made("entities", "Joris van Eck"));
    expect(await curator.text(object)).not.toContain("Remove all the same");
  });
});
