import { describe, expect, it } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import {
  bulk,
  create,
  english,
  faults,
  linksOf,
  type Page,
  read,
  samples,
} from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

describe.each(databases)("trees in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  /** A chain of records, each below the one before. */
  async function branch(kind: "collection" | "storage_location", depth: number, more = {}) {
    const ids: string[] = [];
    for (let n = 0; n < depth; n++) {
      const { id } = await create(editor, kind, { parent_id: ids.at(-1) ?? null, ...more });
      ids.push(id);
    }
    return ids;
  }
  const move = (id: string, parent_id: string | null) =>
    editor(`/v1/collections/${id}`, { method: "PATCH", json: { parent_id } });
  const parentOf = async (id: string) => {
    const [row] = await museum.services.sql<{ parent_id: string | null; version: number }[]>`
      select parent_id, version from records where id = ${id}`;
    return row!.parent_id;
  };
  const circles = async () => {
    const [row] = await museum.services.sql<{ n: number }[]>`
      with recursive up as (
        select id, parent_id, array[id] as way from records where parent_id is not null
        union all
        select up.id, r.parent_id, way || r.id from up join records r on r.id = up.parent_id
        where not r.id = any(way))
      select count(*)::int as n from up where parent_id = id`;
    return row!.n;
  };
  const orphans = async () => {
    const [row] = await museum.services.sql<{ n: number }[]>`
      select count(*)::int as n from records c join records p on p.id = c.parent_id
      where c.deleted_at is null and p.deleted_at is not null`;
    return row!.n;
  };

  it.each(["collection", "storage_location"] as const)(
    "a %s can be placed below another of its kind",
    async (kind) => {
      const { plural, draft } = samples[kind];
      const [top, below] = await branch(kind, 2);
      expect(await read(editor(`/v1/${plural}/${below}`))).toMatchObject({ parent_id: top });
      const other = await create(editor, kind === "collection" ? "storage_location" : "collection");
      for (const parent_id of [other.id, crypto.randomUUID(), "top", 7]) {
        expect(await faults(editor(`/v1/${plural}`, { json: { ...draft, parent_id } }))).toEqual([
          "/parent_id",
        ]);
        const change = { method: "PATCH", json: { parent_id } };
        expect(await faults(editor(`/v1/${plural}/${below}`, change))).toEqual(["/parent_id"]);
      }
      expect(
        await read(editor(`/v1/${plural}/${below}`, { method: "PATCH", json: { parent_id: null } })),
      ).toMatchObject({
        parent_id: null,
      });
    },
  );

  it("records of other kinds have no parent", async () => {
    const { id } = await create(editor, "collection");
    const object = { ...samples.object.draft, parent_id: id };
    expect(await faults(editor("/v1/objects", { json: object }))).toEqual(["/parent_id"]);
  });

  it("a branch is moved with everything below it, and never below itself", async () => {
    const [a, b, c] = (await branch("collection", 3)) as [string, string, string];
    const [x] = (await branch("collection", 1)) as [string];
    for (const [id, parent] of [
      [a, a],
      [a, b],
      [a, c],
      [b, c],
    ] as const) {
      expect(await faults(move(id, parent))).toEqual(["/parent_id"]);
    }
    await read(move(b, x));
    expect([await parentOf(a), await parentOf(b), await parentOf(c)]).toEqual([null, x, b]);
    await read(move(a, c));
    expect(await faults(move(x, a))).toEqual(["/parent_id"]);
    expect(await circles()).toBe(0);
  });

  inLong(it)("one of two simultaneous moves that would create a circle is refused", async () => {
    for (let round = 0; round < 8; round++) {
      const [a, b] = [await create(editor, "collection"), await create(editor, "collection")];
      const answers = await Promise.all([move(a.id, b.id), move(b.id, a.id)]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
    }
    const ring = await Promise.all(Array.from({ length: 6 }, () => create(editor, "collection")));
    const answers = await Promise.all(ring.map(({ id }, index) => move(id, ring[(index + 1) % 6]!.id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 200, 422]);
    expect(await circles()).toBe(0);
  });

  it("the second of two moves in one upload that would create a circle is refused", async () => {
    const [a, b] = [await create(editor, "collection"), await create(editor, "collection")];
    const moved = await bulk(editor, "collections?upsert=merge", [
      { id: a.id, parent_id: b.id },
      { id: b.id, parent_id: a.id },
    ]);
    expect(moved.map(({ outcome }) => outcome)).toEqual(["updated", "rejected"]);
    expect(await circles()).toBe(0);
  });

  const remove = async (id: string) =>
    expect((await editor(`/v1/collections/${id}?force=true`, { method: "DELETE" })).status).toBe(204);
  const restore = (id: string) => read(editor(`/v1/collections/${id}/restore`, { method: "POST" }));
  const newest = async (id: string) =>
    (await read<Page<Record<string, unknown>>>(editor(`/v1/collections/${id}/history`))).items[0]!;

  it("children move up when their parent is deleted by force, and return when it is restored", async () => {
    const [a, b] = (await branch("collection", 2)) as [string, string];
    const one = await create(editor, "collection", { parent_id: b });
    const two = await create(editor, "collection", { parent_id: b });
    const path = `/v1/collections/${b}`;
    await faults(editor(path, { method: "DELETE" }), 409);
    await remove(b);
    for (const child of [one, two]) {
      expect(await read(editor(`/v1/collections/${child.id}`))).toMatchObject({ parent_id: a });
      expect(await newest(child.id)).toMatchObject({
        version: 2,
        action: "updated",
        changes: [{ pointer: "/parent_id", from: b, to: a }],
      });
    }
    expect(await faults(move(one.id, b))).toEqual(["/parent_id"]);
    expect(await restore(b)).toMatchObject({ parent_id: a });
    expect(await newest(b)).toMatchObject({ version: 3, action: "restored" });
    for (const child of [one, two]) {
      expect(await parentOf(child.id)).toBe(b);
      expect(await newest(child.id)).toMatchObject({
        version: 3,
        action: "updated",
        changes: [{ pointer: "/parent_id", from: a, to: b }],
      });
    }
    const found = await read<{ items: { id: string }[] }>(editor(`/v1/collections?q=${two.idno}`));
    expect(found.items).toMatchObject([{ id: two.id, parent_id: b }]);
  });

  it("children that were moved or deleted in the meantime stay there when their parent is restored", async () => {
    const [a, b] = (await branch("collection", 2)) as [string, string];
    const [moved, deleted, back] = await Promise.all(
      [1, 2, 3].map(() => create(editor, "collection", { parent_id: b })),
    );
    await remove(b);
    await read(move(moved!.id, null));
    await remove(deleted!.id);
    await restore(b);
    expect([await parentOf(moved!.id), await parentOf(back!.id)]).toEqual([null, b]);
    expect(await restore(deleted!.id)).toMatchObject({ parent_id: a });

    await read(move(back!.id, a));
    await remove(b);
    await restore(b);
    expect(await parentOf(back!.id)).toBe(a);
  });

  it("a branch that was deleted piece by piece can be restored completely, from the top down", async () => {
    const [a, b, c, d] = (await branch("collection", 4)) as [string, string, string, string];
    for (const id of [c, b]) await remove(id);
    expect(await parentOf(d)).toBe(a);
    for (const id of [b, c]) await restore(id);
    expect([await parentOf(b), await parentOf(c), await parentOf(d)]).toEqual([a, b, c]);
    expect(await circles()).toBe(0);
  });

  it("a record is restored below the nearest ancestor that still exists", async () => {
    const [a, b, c, d] = (await branch("collection", 4)) as [string, string, string, string];
    for (const id of [c, b]) await remove(id);
    expect(await restore(c)).toMatchObject({ parent_id: a });
    expect(await parentOf(d)).toBe(c);
    expect(await restore(b)).toMatchObject({ parent_id: a });
    expect(await parentOf(c)).toBe(a);
  });

  it("a record is restored to the top when its parent was deleted in the meantime", async () => {
    const [a, b] = (await branch("collection", 2)) as [string, string];
    for (const id of [b, a]) await editor(`/v1/collections/${id}`, { method: "DELETE" });
    expect(await read(editor(`/v1/collections/${b}/restore`, { method: "POST" }))).toMatchObject({
      parent_id: null,
    });
  });

  inLong(it)("two restorations and a move at the same time leave no circle and no orphan", async () => {
    for (let round = 0; round < 6; round++) {
      const [, b, c, d] = (await branch("collection", 4)) as [string, string, string, string];
      for (const id of [c, b]) await remove(id);
      const answers = await Promise.all([
        editor(`/v1/collections/${b}/restore`, { method: "POST" }),
        move(d, null),
        editor(`/v1/collections/${c}/restore`, { method: "POST" }),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
      expect([null, c]).toContain(await parentOf(d));
    }
    expect(await circles()).toBe(0);
    expect(await orphans()).toBe(0);
  });

  inLong(it)("nothing is placed below a record that is being deleted at the same moment", async () => {
    for (let round = 0; round < 8; round++) {
      const parent = await create(editor, "collection");
      const mover = await create(editor, "collection");
      const child = { ...samples.collection.draft, parent_id: parent.id };
      const answers = await Promise.all([
        editor("/v1/collections", { json: child }),
        editor(`/v1/collections/${parent.id}?force=true`, { method: "DELETE" }),
        move(mover.id, parent.id),
      ]);
      expect(answers[1]!.status).toBe(204);
      expect([201, 422]).toContain(answers[0]!.status);
      expect([200, 422]).toContain(answers[2]!.status);
    }
    expect(await orphans()).toBe(0);
  });

  it("visitors see the parent of a record only while the parent is public", async () => {
    const [a, b] = (await branch("collection", 2, { status: "public" })) as [string, string];
    const path = `/v1/collections/${b}`;
    const shown = await museum.ask(path);
    expect(await read(shown)).toMatchObject({ parent_id: a });
    await read(editor(`/v1/collections/${a}/status`, { json: { status: "internal" } }));
    const tag = { "If-None-Match": shown.headers.get("ETag")! };
    const hidden = await museum.ask(path, { headers: tag });
    expect(await read(hidden)).toMatchObject({ parent_id: null });
    const list = await read<Page>(museum.ask("/v1/collections?page_size=200"));
    expect(list.items.find((item) => item.id === b)).toMatchObject({ parent_id: null });
    expect(JSON.stringify(list)).not.toContain(a);
    expect(await read(editor(path))).toMatchObject({ parent_id: a });

    await read(editor(`/v1/collections/${a}/publish`, { method: "POST" }));
    const again = await museum.ask(path, { headers: { "If-None-Match": hidden.headers.get("ETag")! } });
    expect(await read(again)).toMatchObject({
      parent_id: a,
      metadata_: { title: english("Marine painting") },
    });
  });

  describe("the list", () => {
    type Listed = Page & { items: { id: string }[] };
    const ids = ({ items }: Listed) => items.map((item) => item.id).sort();

    it.each(["collection", "storage_location"] as const)(
      "of %s records can be limited to direct children or to the top level",
      async (kind) => {
        const path = `/v1/${samples[kind].plural}`;
        const [top, below, deep] = (await branch(kind, 3)) as [string, string, string];
        const other = await create(editor, kind, { parent_id: top });
        expect(ids(await read(editor(`${path}?parent_id=${top}`)))).toEqual([below, other.id].sort());
        expect(ids(await read(editor(`${path}?parent_id=${top.toUpperCase()}`)))).toHaveLength(2);
        expect(ids(await read(editor(`${path}?parent_id=${below}`)))).toEqual([deep]);
        expect(ids(await read(editor(`${path}?parent_id=${deep}`)))).toEqual([]);
        expect(ids(await read(editor(`${path}?parent_id=${crypto.randomUUID()}`)))).toEqual([]);
        const roots = ids(await read(editor(`${path}?parent_id=none&page_size=200`)));
        expect(roots).toContain(top);
        for (const id of [below, deep, other.id]) expect(roots).not.toContain(id);
        expect(ids(await read(editor(`${path}?parent_id=${top}&q=${other.idno}`)))).toEqual([other.id]);
        for (const wrong of ["", "top", "None", "null"])
          expect(await faults(editor(`${path}?parent_id=${wrong}`))).toEqual(["query:parent_id"]);
      },
    );

    it("pages through the records below another one", async () => {
      const top = await create(editor, "collection");
      const all = [];
      for (let n = 0; n < 5; n++) all.push((await create(editor, "collection", { parent_id: top.id })).id);
      const seen: string[] = [];
      const first = `/v1/collections?parent_id=${top.id}&page_size=2&sort_by=idno&sort_dir=asc`;
      for (let next: string | undefined = first; next; ) {
        const answer = await editor(next);
        next = linksOf(answer).next;
        if (next) expect(next).toContain(`parent_id=${top.id}`);
        const page = await read<Listed>(answer);
        expect(page.total).toBe(5);
        seen.push(...page.items.map((item) => item.id));
      }
      expect(seen).toEqual(all);
      const { last } = linksOf(await editor(first));
      expect((await read<Listed>(editor(last!))).items.map((item) => item.id)).toEqual(all.slice(4));
    });

    it("of the trash can be limited in the same way", async () => {
      const [top, below] = (await branch("collection", 2)) as [string, string];
      await remove(below);
      expect(ids(await read(editor(`/v1/collections/trash?parent_id=${top}`)))).toEqual([below]);
      expect(ids(await read(editor(`/v1/collections?parent_id=${top}`)))).toEqual([]);
    });

    it("reveals no parent to visitors that the records themselves do not show", async () => {
      const [top, below] = (await branch("collection", 2, { status: "public" })) as [string, string];
      const draft = await create(editor, "collection", { parent_id: top });
      const inside = await create(editor, "collection", { parent_id: draft.id, status: "public" });
      const seen = async (query: string, ask = museum.ask) =>
        ids(await read(ask(`/v1/collections?page_size=200&parent_id=${query}`)));
      expect(await seen(top)).toEqual([below]);
      expect(await seen(top, editor)).toEqual([below, draft.id].sort());
      expect(await seen(draft.id)).toEqual([]);
      expect(await seen(draft.id, editor)).toEqual([inside.id]);
      const roots = await seen("none");
      expect(roots).toContain(top);
      expect(roots).toContain(inside.id);
      expect(roots).not.toContain(below);
      const shown = await read<Listed>(museum.ask("/v1/collections?page_size=200"));
      const onTop = shown.items.filter((item) => (item as { parent_id?: unknown }).parent_id === null);
      expect(roots).toEqual(onTop.map((item) => item.id).sort());
      expect(await seen("none", editor)).not.toContain(inside.id);
    });

    it("of a kind without a tree has no parameter parent_id", async () => {
      for (const plural of ["objects", "entities", "places", "occurrences", "procedures"])
        expect(await faults(editor(`/v1/${plural}?parent_id=none`))).toEqual(["query:parent_id"]);
    });
  });
});
