/** Collections care in the workroom: moving objects leaves a record, and what is due stands in a list. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Museum, openMuseum, quickest } from "./support/museum.ts";
import { type StaffBrowser, staffBrowser } from "./support/staff-browser.ts";

let museum: Museum;
let curator: StaffBrowser;
let api: Awaited<ReturnType<Museum["as"]>>;

beforeAll(async () => {
  museum = await openMuseum({ database: quickest });
  curator = await staffBrowser(museum, "admin");
  api = await museum.as("admin");
});
afterAll(() => museum.close());

async function create(plural: string, json: Record<string, unknown>): Promise<string> {
  const made = await api(`/v1/${plural}`, { json });
  expect(made.status).toBe(201);
  return ((await made.json()) as { id: string }).id;
}

const named = (value: string) => ({ metadata_: { name: [{ value }] } });

type Linked = { items: { relation_type: string; to_id: string; to_type: string; to_title: string }[] };
const linksOf = async (id: string): Promise<Linked["items"]> =>
  ((await (await api(`/v1/objects/${id}/relations`)).json()) as Linked).items;

describe("moving an object", () => {
  it("replaces its location and leaves a movement, in one step", async () => {
    const store = await create("storage-locations", { idno: "M-STORE", ...named("Store") });
    const shelf = await create("storage-locations", {
      idno: "M-SHELF",
      parent_id: store,
      ...named("Shelf 3"),
    });
    const id = await create("objects", { idno: "M.1", object_type: "painting" });
    const move = (form: Record<string, string>) => curator.send(`/admin/objects/${id}/move`, form);
    expect((await move({ to: "M-STORE", day: "2026-01-30" })).status).toBe(303);
    expect((await move({ to: "M-SHELF", day: "2026-01-31", note: "for the exhibition" })).status).toBe(303);
    const links = await linksOf(id);
    expect(links.filter(({ relation_type }) => relation_type === "stored_at")).toMatchObject([
      { to_id: shelf },
    ]);
    const movements = links.filter(({ to_type }) => to_type === "procedure");
    expect(movements.map(({ to_title }) => to_title).sort()).toEqual([
      "M.1: Store → Shelf 3",
      "M.1: → Store",
    ]);
    const last = movements.find(({ to_title }) => to_title.includes("Shelf"))!;
    expect(await (await api(`/v1/procedures/${last.to_id}`)).json()).toMatchObject({
      procedure_type: "location_and_movement",
      status: "internal",
      start_date: "2026-01-31",
      metadata_: { note: [{ value: "for the exhibition" }] },
    });
    expect(await curator.text(`/admin/objects/${id}`)).toContain("Shelf 3");
    const plan = await curator.text("/admin/storage");
    expect(plan).toMatch(/>Store<\/a>[\s\S]*?1 object[\s\S]*?>Shelf 3<\/a>[\s\S]*?1 object/);
  });

  it("leaves everything as it was when it cannot be done", async () => {
    const id = await create("objects", { idno: "M.2", object_type: "painting" });
    const move = (form: Record<string, string>) => curator.send(`/admin/objects/${id}/move`, form);
    expect((await move({ to: "NOWHERE", day: "2026-01-31" })).status).toBe(422);
    expect((await move({ to: "M-STORE", day: "2026-02-30" })).status).toBe(422);
    // the movement cannot be written after the location was
    await museum.services.sql`
      create function no_movement() returns trigger language plpgsql as $$ begin
        if new.relation_type = 'subject_of_procedure' then raise exception 'no'; end if; return new; end $$`;
    await museum.services
      .sql`create trigger no_movement before insert on relations for each row execute function no_movement()`;
    expect((await move({ to: "M-STORE", day: "2026-01-31" })).status).toBe(500);
    await museum.services.sql`drop trigger no_movement on relations`;
    expect(await linksOf(id)).toEqual([]);
    const viewer = await staffBrowser(museum, "viewer");
    const refused = await viewer.send(`/admin/objects/${id}/move`, { to: "M-STORE", day: "2026-01-31" });
    expect(refused.status).toBe(403);
    expect(await viewer.text(`/admin/objects/${id}`)).not.toContain(`/admin/objects/${id}/move`);
  });
});

describe("what is due", () => {
  it("stands in a list until it has ended, the earliest first", async () => {
    const loan = (idno: string, due_date: string, end_date: string | null = null) =>
      create("procedures", {
        idno,
        procedure_type: "loan_out",
        due_date,
        end_date,
        metadata_: { title: [{ value: `Loan ${idno}` }] },
      });
    await loan("DUE-LATE", "2001-05-01");
    await loan("DUE-NEXT", "2999-05-01");
    await loan("DUE-ENDED", "2001-04-01", "2001-03-01");
    const page = await curator.text("/admin/due");
    expect(page).toMatch(/Overdue[\s\S]*?DUE-LATE[\s\S]*?DUE-NEXT/);
    expect(page).not.toContain("DUE-ENDED");
  });
});
