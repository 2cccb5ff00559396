import { describe, expect, it } from "vitest";
import { read } from "../../support/museum/catalogue.ts";
import { type Ask, museumHere, quickest } from "../../support/museum/museum.ts";

type Medium = {
  media_id: string;
  filename: string;
  category: string;
  visibility: string;
  is_primary: boolean;
  caption: { value: string; lang: string }[];
  alt_text: { value: string; lang: string }[];
  license_uri: string;
};

describe("media of the demo museum", async () => {
  const museum = await museumHere({ database: quickest, demo: "with media" });
  const visitor = museum.ask;

  const mediaOf = async (ask: Ask, key: string): Promise<Medium[]> =>
    (await read<{ items: Medium[] }>(ask(`/v1/objects/${museum.demo.get(key)}/media`))).items;

  it("are in the order of their object, with one that represents it, and described in three languages", async () => {
    const sheets = await mediaOf(visitor, "obj-portfolio-obro");
    expect(sheets.map(({ filename }) => filename)).toEqual([
      "ten-harbour-sheets-title.webp",
      "fog-signal.webp",
      "smokehouse-at-four.webp",
      "observatory-closed.webp",
    ]);
    expect(sheets.map(({ is_primary }) => is_primary)).toEqual([true, false, false, false]);
    for (const { caption, alt_text, license_uri } of sheets) {
      for (const texts of [caption, alt_text])
        expect(texts.map(({ lang }) => lang)).toEqual(["en", "de", "fr"]);
      expect(license_uri).toBe("https://creativecommons.org/publicdomain/zero/1.0/");
    }
  });

  it("are of every category", async () => {
    const [row] = await museum.services.sql<{ kinds: string[] }[]>`
      select array_agg(distinct category order by category) as kinds from object_media`;
    expect(row!.kinds).toEqual(["3d", "audio", "captions", "image", "pdf", "video"]);
  });

  it("can be read to the last byte", async () => {
    const rows = await museum.services.sql<{ storage_key: string; width: number }[]>`
      select storage_key, width from object_media where category = 'image'`;
    for (const { storage_key, width } of rows) {
      expect(await museum.services.images.prepare({ key: storage_key, width, height: 1 }, null)).toBe(true);
    }
    expect(rows.length).toBeGreaterThan(45);
  });

  it("are for staff only if they are private, or belong to a hidden object", async () => {
    const editor = await museum.as("editor");
    expect((await mediaOf(editor, "obj-portrait-hinrichsen")).map(({ visibility }) => visibility)).toEqual([
      "private",
    ]);
    expect(await mediaOf(visitor, "obj-portrait-hinrichsen")).toEqual([]);
    expect(await mediaOf(editor, "obj-obro-proof")).toHaveLength(1);
    expect((await visitor(`/v1/objects/${museum.demo.get("obj-obro-proof")}/media`)).status).toBe(404);
    const page = await visitor(`/v1/objects/${museum.demo.get("obj-portrait-hinrichsen")}?include=media`);
    expect(await page.text()).not.toContain("FULMAR");
  });
});
