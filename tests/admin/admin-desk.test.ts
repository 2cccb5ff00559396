/** The first page of staff and what is due: numbers of what waits for its reader, which lead to lists. */
import { describe, expect, it } from "vitest";
import { made, withRole } from "../support/museum/catalogue.ts";
import { numbersIn, staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

const value = (text: string) => [{ value: text }];

const create = (plural: string, json: object) => made(api, plural, json);

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const loan = (idno: string, due: number, more: Record<string, unknown> = {}) =>
  create("procedures", {
    ...{ idno, procedure_type: "loan_out", due_date: dayFromNow(due) },
    ...{ metadata_: { title: value(`Loan ${idno}`) }, ...more },
  });

/** What waits: the words and numbers of the links, with their addresses. */
const waiting = (page: string): Record<string, string> => {
  const section = /aria-labelledby="work"[\s\S]*?<\/section>/.exec(page)![0];
  return Object.fromEntries(
    [...section.matchAll(/<a href="([^"]+)">([\s\S]*?)<\/a>/g)].map(([, href, text]) => [
      href!.replaceAll("&amp;", "&"),
      text!.replace(/<[^>]*>/g, ""),
    ]),
  );
};

describe("the first page of staff", () => {
  it("has the museum's name, or says that this is a catalogue", async () => {
    const name = async (browser = curator) =>
      /<a class="name"[^>]*>([^<]*)/.exec(await browser.text("/admin/account"))![1];
    expect(await name()).toBe("Collections catalogue");
    await api("/v1/settings", {
      method: "PATCH",
      headers: { "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify({ name: { en: "Harbour & Museum", de: "Hafenmuseum" } }),
    });
    expect(await name()).toBe("Harbour &amp; Museum");
    expect(await name(await staffBrowser(museum, "viewer", "de"))).toBe("Hafenmuseum");
  });

  it("counts what waits for its reader, and each number leads to as many records", async () => {
    expect(waiting(await curator.text("/admin"))).toEqual({});
    expect(await curator.text("/admin")).toContain("Nothing is waiting for you.");
    await loan("L-LATE", -1);
    await loan("L-TODAY", 0);
    await loan("L-SIX", 6);
    await loan("L-SEVEN", 7);
    await loan("L-ENDED", 1, { end_date: dayFromNow(-1) });
    await create("objects", { idno: "D.1", object_type: "painting", metadata_: { title: value("Ship") } });
    await create("objects", { idno: "D.2", object_type: "painting" });
    for (const idno of ["D.3", "D.4"])
      await curator.send("/admin/objects/new", {
        ...{ idno, object_type: "painting", status: "draft", collection_status: "active" },
        ...(idno === "D.3" ? { "metadata_/title/0/value": "Mine" } : {}),
      });
    const told = waiting(await curator.text("/admin"));
    expect(told).toEqual({
      "/admin/due?when=overdue": "Overdue 1",
      "/admin/due?when=week": "Due within 7 days 2",
      "/admin/objects?status=draft&mine=yes": "Objects 2",
      "/admin/objects?without=required": "Objects 2",
    });
    const listed = await Promise.all(
      Object.keys(told).map(async (address) => numbersIn(await curator.text(address)).sort()),
    );
    expect(listed).toEqual([["L-LATE"], ["L-SIX", "L-TODAY"], ["D.3", "D.4"], ["D.2", "D.4"]]);
    expect(await curator.text("/admin/objects?without=required")).toMatch(
      /name="without" value="required" checked> Without a required field/,
    );
  });

  it("counts drafts and gaps only for those who may change records, and what is due for those who may read it", async () => {
    const told = waiting(await (await staffBrowser(museum, "viewer")).text("/admin"));
    expect(Object.keys(told)).toEqual(["/admin/due?when=overdue", "/admin/due?when=week"]);
    await withRole(museum, "places_only", { place: ["read", "update"] });
    expect(waiting(await (await staffBrowser(museum, "places_only")).text("/admin"))).toEqual({});
  });
});

describe("the list of what is due", () => {
  it("says with whom, takes filters, and is printed as it is filtered", async () => {
    const borrower = await create("entities", { idno: "E.B", metadata_: { name: value("Fjord <Museum>") } });
    const courier = await create("entities", { idno: "E.C", metadata_: { name: value("Ida Krog") } });
    const late = await loan("P-LATE", -20);
    await loan("P-CHECK", -10, { procedure_type: "condition_check" });
    const takesPart = { relation_type: "participant", to_type: "entity" };
    for (const [to_id, role] of [
      [borrower, []],
      [courier, value("courier")],
    ])
      expect(
        (
          await api(`/v1/procedures/${late}/relations`, {
            json: { ...takesPart, to_id, metadata_: { role } },
          })
        ).status,
      ).toBe(201);
    const query = "when=overdue&type=loan_out";
    const screen = await curator.text(`/admin/due?${query}`);
    expect(numbersIn(screen)).toEqual(["P-LATE", "L-LATE"]);
    expect(screen).toContain('<td dir="auto">Fjord &lt;Museum&gt;; Ida Krog, courier</td>');
    expect(screen).toContain('href="/admin/due/print?when=overdue&amp;type=loan_out"');
    expect(screen).toContain('<option value="loan_out" selected');
    const paper = await curator.text(`/admin/due/print?${query}`);
    expect(numbersIn(paper)).toEqual(["P-LATE", "L-LATE"]);
    expect(paper).toMatch(/<h1>Due dates · Overdue · [^<]+<\/h1>/);
    expect(paper).toContain("Fjord &lt;Museum&gt;");
    expect(paper).not.toContain("<nav");
    expect(numbersIn(await curator.text("/admin/due?type=condition_check"))).toEqual(["P-CHECK"]);
    expect(await curator.text("/admin/due?when=week&type=condition_check")).toContain("No open due dates");
    expect(numbersIn(await curator.text("/admin/due?when=nonsense&type=nonsense")).length).toBeGreaterThan(4);
    await withRole(museum, "procedures_only", { procedure: ["read"] });
    const reader = await staffBrowser(museum, "procedures_only");
    const seen = await reader.text(`/admin/due?${query}`);
    expect(numbersIn(seen)).toEqual(["P-LATE", "L-LATE"]);
    expect(seen).not.toContain("Ida Krog");
    const outsider = await staffBrowser(museum, "places_only");
    expect((await outsider.get("/admin/due/print")).status).toBe(403);
  });
});
