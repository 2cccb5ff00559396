import { describe, expect, it } from "vitest";
import { KINDS, STATUSES } from "../../src/records/kinds.ts";
import { purgeTrash } from "../../workers/purge-trash.ts";
import {
  create,
  createObject,
  english,
  faults,
  linking,
  linksOf,
  type Page,
  type ProblemJson,
  read,
  samples,
  withRole,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, type Role } from "../support/museum/museum.ts";

const ROLES: Role[] = ["superuser", "admin", "editor", "cataloger", "viewer"];

describe.each(databases)("states of records in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const by = new Map<Role, Ask>();
  for (const role of ROLES) by.set(role, await museum.as(role));
  const editor = by.get("editor")!;

  const link = linking(editor);
  const remove = (path: string, ask = editor) => ask(path, { method: "DELETE" });
  const setStatus = (ask: Ask, path: string, status: string) => ask(`${path}/status`, { json: { status } });

  describe("status", () => {
    const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

    it.each(pairs)("can change from %s to %s", async (from, to) => {
      const { id } = await createObject(editor, "Tide gauge", { status: from });
      const path = `/v1/objects/${id}`;
      expect((await read(setStatus(editor, path, to))).status).toBe(to);
      expect((await museum.ask(path)).status).toBe(to === "public" ? 200 : 404);
    });

    it.each(pairs)("needs publish permission from %s to %s only if one is public", async (from, to) => {
      const { id } = await createObject(editor, "Tide table", { status: from });
      const path = `/v1/objects/${id}`;
      const cataloger = by.get("cataloger")!;
      const allowed = from === to || (from !== "public" && to !== "public") ? 200 : 403;
      expect((await cataloger(path, { method: "PATCH", json: { status: to } })).status).toBe(allowed);
      await read(setStatus(editor, path, from));
      const json = { ...samples.object.draft, status: to };
      expect((await cataloger(path, { method: "PUT", json })).status).toBe(allowed);
      await read(setStatus(editor, path, from));
      expect((await setStatus(cataloger, path, to)).status).toBe(allowed);
      expect((await read(editor(path))).status).toBe(allowed === 200 ? to : from);
    });

    it.each([
      ["superuser", 201, 200, 204],
      ["admin", 201, 200, 204],
      ["editor", 201, 200, 204],
      ["cataloger", 403, 403, 403],
      ["viewer", 403, 403, 403],
    ] as const)(
      "answers %s with %i for creating a public record, %i for publishing and %i for deleting",
      async (role, made, published, deleted) => {
        const ask = by.get(role)!;
        const json = { ...samples.object.draft, status: "public" };
        expect((await ask("/v1/objects", { json })).status).toBe(made);
        const { id } = await createObject(editor, "Log line");
        expect((await ask(`/v1/objects/${id}/publish`, { method: "POST" })).status).toBe(published);
        expect((await remove(`/v1/objects/${id}`, ask)).status).toBe(deleted);
      },
    );

    it("is not revealed to visitors, who are asked for credentials first", async () => {
      for (const id of [(await createObject(editor, "Sounding lead")).id, crypto.randomUUID(), "nonsense"]) {
        for (const answer of [
          await setStatus(museum.ask, `/v1/objects/${id}`, "public"),
          await remove(`/v1/objects/${id}`, museum.ask),
          await museum.ask(`/v1/objects/${id}/restore`, { method: "POST" }),
        ]) {
          expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
          await faults(answer, 401);
        }
      }
    });

    it("cannot become public while required fields are empty; all of them are named", async () => {
      const schemas = await museum.as("admin");
      const require = (is_required: boolean) =>
        schemas("/v1/schemas/object/rights", { method: "PATCH", json: { is_required } });
      await read(require(true));
      const { id } = await create(editor, "object", { metadata_: { material: [{ value: "brass" }] } });
      const path = `/v1/objects/${id}`;
      const missing = ["/metadata_/title", "/metadata_/rights"];
      expect(await faults(editor(`${path}/publish`, { method: "POST" }))).toEqual(missing);
      expect(await faults(setStatus(editor, path, "public"))).toEqual(missing);
      expect(await faults(editor(path, { method: "PATCH", json: { status: "public" } }))).toEqual(missing);
      const json = { object_type: "book", status: "public" };
      expect(await faults(editor("/v1/objects", { json }))).toEqual(missing);
      expect((await museum.ask(path)).status).toBe(404);
      await read(require(false));
      await read(editor(path, { method: "PATCH", json: { metadata_: { title: english("Deck watch") } } }));
      expect((await read(editor(`${path}/publish`, { method: "POST" }))).status).toBe("public");
      expect(await faults(editor(path, { method: "PATCH", json: { metadata_: { title: null } } }))).toEqual([
        "/metadata_/title",
      ]);
    });

    it("of a storage location is never public", async () => {
      const { id, status } = await create(editor, "storage_location", { status: "internal" });
      const path = `/v1/storage-locations/${id}`;
      expect(status).toBe("internal");
      expect(await faults(editor(`${path}/publish`, { method: "POST" }))).toEqual(["/status"]);
      expect(await faults(setStatus(editor, path, "public"))).toEqual(["/status"]);
      const draft = { ...samples.storage_location.draft, status: "public" };
      expect(await faults(editor("/v1/storage-locations", { json: draft }))).toEqual(["/status"]);
      await faults(museum.ask(path), 404);
      await expect(
        museum.services.sql`update records set status = 'public' where id = ${id}`,
      ).rejects.toMatchObject({ code: "23514" });
    });
  });

  describe("a deleted record", () => {
    it.each(KINDS.filter((kind) => kind !== "storage_location"))(
      "is answered with 410 if it was ever public, otherwise with 404: %s",
      async (kind) => {
        const { plural } = samples[kind];
        const shown = await create(editor, kind, { status: "public" });
        const path = `/v1/${plural}/${shown.id}`;
        await read(setStatus(editor, path, "internal"));
        await faults(museum.ask(path), 404);
        await remove(path);
        for (const ask of [museum.ask, editor]) {
          for (const way of ["", "?include=title", "/relations"]) await faults(ask(`${path}${way}`), 410);
        }
        await faults(editor(path, { method: "PATCH", json: {} }), 410);
        await faults(remove(path), 410);
        await faults(by.get("viewer")!(`${path}/history`), 410);

        const hidden = await create(editor, kind);
        await remove(`/v1/${plural}/${hidden.id}`);
        for (const ask of [museum.ask, editor]) await faults(ask(`/v1/${plural}/${hidden.id}`), 404);
        await faults(remove(`/v1/${plural}/${hidden.id}`), 404);
      },
    );

    it("is restored as it was, with its status, and is visible again", async () => {
      const object = await createObject(editor, "Speaking trumpet", { status: "public" });
      const path = `/v1/objects/${object.id}`;
      await remove(path);
      await faults(museum.ask(path), 410);
      const restored = await read(editor(`${path}/restore`, { method: "POST" }));
      expect(restored).toEqual({ ...object, updated_at: restored.updated_at });
      expect(await read(museum.ask(path))).toEqual({ ...restored, updated_at: expect.any(String) });
      await faults(editor(`${path}/restore`, { method: "POST" }), 404);
    });

    it("is listed page by page in the trash, which only those who may delete can see", async () => {
      const made = [];
      for (const title of ["a", "b", "c"]) made.push(await createObject(editor, `Trash ${title}`));
      for (const { id } of made) await remove(`/v1/objects/${id}`);
      const first = await editor("/v1/objects/trash?q=trash&page_size=2&sort_by=title&sort_dir=asc");
      const page = await read<Page>(first);
      expect(page).toMatchObject({ total: 3, page_size: 2 });
      const next = await read<Page>(editor(linksOf(first).next!));
      expect([...page.items, ...next.items].map((item) => item.id)).toEqual(made.map(({ id }) => id));
      for (const role of ["cataloger", "viewer"] as const)
        await faults(by.get(role)!("/v1/objects/trash"), 403);
      await faults(museum.ask("/v1/objects/trash"), 401);
      await faults(by.get("cataloger")!(`/v1/objects/${made[0]!.id}/restore`, { method: "POST" }), 403);
      expect((await read<Page>(editor("/v1/objects?q=trash"))).total).toBe(0);
    });

    it("shows in the trash and in its history, and nowhere else, who deleted it and when", async () => {
      const object = await createObject(editor, "Sounding lead", { status: "public" });
      const path = `/v1/objects/${object.id}`;
      const mine = await read<{ id: string; email: string }>(editor("/v1/auth/me"));
      const other = await museum.as("editor");
      const theirs = await read<{ id: string; email: string }>(other("/v1/auth/me"));
      const inTrash = () => read<Page>(editor("/v1/objects/trash?q=sounding"));
      await remove(path, other);
      await read(editor(`${path}/restore`, { method: "POST" }));
      await remove(path);
      const { items } = await inTrash();
      const { deleted_at, deleted_by, ...rest } = items[0]!;
      expect(deleted_by).toEqual({ id: mine.id, email: mine.email });
      expect(deleted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      expect(Object.keys(rest)).toEqual(Object.keys(object));

      type Revision = { action: string; at: string; actor: { id: string; email: string } };
      const history = () => read<Page<Revision>>(editor(`${path}/history`));
      expect((await history()).items).toMatchObject([
        { version: 4, action: "deleted", actor: { id: mine.id, email: mine.email } },
        { version: 3, action: "restored", actor: { id: mine.id } },
        { version: 2, action: "deleted", actor: { id: theirs.id, email: theirs.email } },
        { version: 1, action: "created" },
      ]);
      // somebody who may not delete does not see the trash
      for (const role of ["cataloger", "viewer"] as const)
        await faults(by.get(role)!(`${path}/history`), 410);
      await faults(museum.ask(`${path}/history`), 401);

      const restored = await read(editor(`${path}/restore`, { method: "POST" }));
      expect(Object.keys(restored)).toEqual(Object.keys(object));
      const actions = (await history()).items.map(({ action }) => action);
      expect(actions.slice(0, 2)).toEqual(["restored", "deleted"]);
    });

    it("is deleted for good only from the trash, by those who are allowed to", async () => {
      const admin = by.get("admin")!;
      const shown = await createObject(editor, "Shown for good", { status: "public" });
      const hidden = await createObject(editor, "Hidden for good");
      const forGood = (id: string, ask = admin) => ask(`/v1/objects/${id}/purge`, { method: "POST" });
      await faults(forGood(hidden.id), 404);
      for (const { id } of [shown, hidden]) await read(remove(`/v1/objects/${id}`), 204);
      await faults(forGood(hidden.id, editor), 403);
      await faults(forGood(hidden.id, museum.ask), 401);
      for (const { id } of [shown, hidden]) await read(forGood(id), 204);
      await faults(forGood(shown.id), 404);
      await faults(admin(`/v1/objects/${hidden.id}/history`), 404);
      await faults(admin(`/v1/objects/${shown.id}/history`), 410);
      await faults(museum.ask(`/v1/objects/${shown.id}`), 410);
      const rows = await museum.services.sql`
        select id, metadata from records where id = any(${[shown.id, hidden.id]})`;
      expect([...rows]).toEqual([{ id: shown.id, metadata: {} }]);
    });

    it("in a tree is not deleted for good before the records below it in the trash", async () => {
      const admin = by.get("admin")!;
      const top = await create(editor, "collection");
      const below = await create(editor, "collection", { parent_id: top.id });
      for (const { id } of [below, top]) await read(remove(`/v1/collections/${id}`), 204);
      const forGood = (id: string) => admin(`/v1/collections/${id}/purge`, { method: "POST" });
      await faults(forGood(top.id), 409);
      for (const { id } of [below, top]) await read(forGood(id), 204);
    });

    it("is in the list of deletions for those who keep a copy; visitors see only formerly public ones", async () => {
      type Deletion = { id: string; record_type: string; deleted_at: string };
      const since = new Date(Date.now() - 1_000).toISOString();
      const gone = async (ask: Ask, query = "") => {
        const ids: string[] = [];
        let path: string | undefined = `/v1/deletions?since=${since}&page_size=2&type=object,place${query}`;
        while (path !== undefined) {
          const answer: Response = await ask(path);
          const page = await read<Page<Deletion>>(answer);
          ids.push(...page.items.map(({ id }) => id));
          path = linksOf(answer).next;
        }
        return ids;
      };
      const open = await createObject(editor, "Deleted print", { status: "public" });
      const withdrawn = await createObject(editor, "Withdrawn print", { status: "public" });
      const draft = await createObject(editor, "Deleted draft");
      const back = await createObject(editor, "Deleted and restored", { status: "public" });
      const other = await create(editor, "entity");
      for (const { id } of [open, draft, back]) await read(remove(`/v1/objects/${id}`), 204);
      await read(remove(`/v1/entities/${other.id}`), 204);
      await read(setStatus(editor, `/v1/objects/${withdrawn.id}`, "draft"));
      await read(editor(`/v1/objects/${back.id}/restore`, { method: "POST" }));
      const ours = [open, withdrawn, draft, back, other].map(({ id }) => id);
      const listed = async (ask: Ask) => (await gone(ask)).filter((id) => ours.includes(id));
      expect(await listed(editor)).toEqual([open.id, draft.id]);
      expect((await listed(museum.ask)).sort()).toEqual([open.id, withdrawn.id].sort());
      expect(await faults(museum.ask("/v1/deletions?since=yesterday"))).toEqual(["query:since"]);
      expect(await faults(museum.ask("/v1/deletions?type=thing"))).toEqual(["query:type"]);
    });

    it("is purged after thirty days, keeping only its number and the 410 if it was public", async () => {
      const { sql } = museum.services;
      const shown = await createObject(editor, "Purged painting", { status: "public" });
      const hidden = await createObject(editor, "Purged draft");
      const young = await createObject(editor, "Young trash");
      await link(young.id, "related_to", "object", shown.id);
      for (const { id } of [shown, hidden, young]) await remove(`/v1/objects/${id}?force=true`);
      const back = (days: number, ids: string[]) =>
        sql`update records set deleted_at = now() - make_interval(days => ${days}) where id = any(${ids})`;
      await back(31, [shown.id, hidden.id]);
      await back(29, [young.id]);
      await purgeTrash(museum.services);

      await faults(museum.ask(`/v1/objects/${shown.id}`), 410);
      await faults(editor(`/v1/objects/${shown.id}`), 410);
      await faults(editor(`/v1/objects/${hidden.id}`), 404);
      for (const { id } of [shown, hidden])
        await faults(editor(`/v1/objects/${id}/restore`, { method: "POST" }), 404);
      await faults(editor(`/v1/objects/${shown.id}/history`), 410);
      await faults(editor(`/v1/objects/${hidden.id}/history`), 404);
      const trash = await read<Page>(editor("/v1/objects/trash?q=purged"));
      expect(trash.items).toEqual([]);
      const rows = await sql<
        { id: string; idno: string; metadata: object; title: string; revisions: number }[]
      >`
        select id, idno, metadata, title, (select count(*)::int from revisions where record_id = r.id) as revisions
        from records r where id = any(${[shown.id, hidden.id]})`;
      expect([...rows]).toEqual([
        { id: shown.id, idno: shown.idno, metadata: {}, title: shown.idno, revisions: 0 },
      ]);

      await read(editor(`/v1/objects/${young.id}/restore`, { method: "POST" }));
      expect((await read<Page>(editor(`/v1/objects/${young.id}/relations`))).total).toBe(0);
    });
  });

  describe("a linked record", () => {
    it("is deleted only by force, and its relations come back with it", async () => {
      const maker = await create(editor, "entity");
      const object = await createObject(editor, "Half model");
      await link(object.id, "created_by", "entity", maker.id);
      const relations = () => read<Page<{ to_id: string }>>(editor(`/v1/objects/${object.id}/relations`));
      for (const path of [`/v1/objects/${object.id}`, `/v1/entities/${maker.id}`]) {
        for (const query of ["", "?force=false"]) await faults(remove(`${path}${query}`), 409);
        await read(editor(path));
      }
      expect(await faults(remove(`/v1/entities/${maker.id}?force=yes`))).toEqual(["query:force"]);
      expect((await remove(`/v1/entities/${maker.id}?force=true`)).status).toBe(204);
      expect((await relations()).items).toEqual([]);
      await read(editor(`/v1/entities/${maker.id}/restore`, { method: "POST" }));
      expect((await relations()).items.map((item) => item.to_id)).toEqual([maker.id]);
    });

    const detail = async (answer: Promise<Response>) => (await read<ProblemJson>(answer, 409)).detail;

    it("is not deleted; the refusal gives each linked record's number once", async () => {
      const [one, two] = [await createObject(editor, "Ship's bell"), await createObject(editor, "Belfry")];
      const makers = [];
      for (const n of [1, 2]) makers.push(await create(editor, "entity", { idno: `BELL-${n}` }));
      await link(one.id, "related_to", "object", two.id);
      expect(await detail(remove(`/v1/objects/${two.id}`))).toBe(
        `${two.idno} is linked with ${one.idno}; remove the links, or delete it with ?force=true`,
      );
      for (const { id } of makers) await link(one.id, "created_by", "entity", id);
      await link(one.id, "owned_by", "entity", makers[0]!.id);
      expect(await detail(remove(`/v1/objects/${one.id}`))).toBe(
        `${one.idno} is linked with BELL-1, BELL-2, ${two.idno}; remove the links, or delete it with ?force=true`,
      );
      for (let n = 3; n < 9; n++) {
        const { id } = await create(editor, "entity", { idno: `BELL-${n}` });
        await link(one.id, "created_by", "entity", id);
      }
      expect(await detail(remove(`/v1/objects/${one.id}`))).toContain(
        " is linked with BELL-1, BELL-2, BELL-3, BELL-4, BELL-5 and 4 more; ",
      );
    });

    it("that is public is deleted only by those who may also withdraw it", async () => {
      const sweeper = await withRole(museum, "sweeper", { object: ["read", "delete"] });
      const shown = await createObject(editor, "Bell", { status: "public" });
      const hidden = await createObject(editor, "Bell rope");
      expect((await remove(`/v1/objects/${shown.id}`, sweeper)).status).toBe(403);
      expect((await remove(`/v1/objects/${hidden.id}`, sweeper)).status).toBe(204);
    });

    it("does not reveal the numbers of records that the caller may not read, only how many there are", async () => {
      const weeder = await withRole(museum, "weeder", { object: ["read", "delete"] });
      const [one, two] = [await createObject(editor, "Anchor"), await createObject(editor, "Cable")];
      const maker = await create(editor, "entity");
      await link(one.id, "created_by", "entity", maker.id);
      expect(await detail(remove(`/v1/objects/${one.id}`, weeder))).toContain(
        `${one.idno} is linked with 1 other record; `,
      );
      await link(one.id, "related_to", "object", two.id);
      expect(await detail(remove(`/v1/objects/${one.id}`, weeder))).toContain(
        `${one.idno} is linked with ${two.idno} and 1 more; `,
      );
    });

    it("with only records below it is not deleted; the refusal names these and no links", async () => {
      const top = await create(editor, "collection");
      const path = `/v1/collections/${top.id}`;
      const below = [];
      for (const n of [1, 2])
        below.push(await create(editor, "collection", { parent_id: top.id, idno: `BELOW-${n}` }));
      expect(await detail(remove(path))).toBe(
        `${top.idno} has BELOW-1, BELOW-2 below it; move the records below it, or delete it with ?force=true`,
      );
      const { id } = await createObject(editor, "Capstan", { idno: "CAPSTAN" });
      await link(id, "in_collection", "collection", top.id);
      expect(await detail(remove(path))).toBe(
        `${top.idno} is linked with CAPSTAN and has BELOW-1, BELOW-2 below it; ` +
          "remove the links and move the records below it, or delete it with ?force=true",
      );
      // the record above is not an obstacle
      await read(remove(`/v1/collections/${below[0]!.id}`), 204);
    });

    it("can be deleted once the other record is in the trash", async () => {
      const one = await createObject(editor, "Oar");
      const two = await createObject(editor, "Thole");
      await link(one.id, "related_to", "object", two.id);
      expect((await remove(`/v1/objects/${two.id}?force=true`)).status).toBe(204);
      expect((await remove(`/v1/objects/${one.id}`)).status).toBe(204);
    });
  });
});
