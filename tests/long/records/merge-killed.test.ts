/** A service is killed in the middle of a merge, and of its undo: each has happened as a whole, or not at all. */
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { OPERATOR } from "../../../src/caller.ts";
import type { Kind } from "../../../src/records/kinds.ts";
import { createRecord } from "../../../src/records/write/write.ts";
import type { Sql } from "../../../src/services.ts";
import { databases } from "../../support/museum/museum.ts";
import { openOffice } from "../../support/programs/command.ts";

const WORKS = 4_000;
/** Milliseconds after the request. */
const MOMENTS = [100, 700];

it.for(databases)(
  "a merge and its undo survive kills at any moment, on the %s database",
  async (database) => {
    const office = await openOffice(database);
    onTestFinished(() => office.close());
    const [into, from] = await office.look(async (services) => {
      const make = async (kind: Kind, metadata: Record<string, { value: string }[]>, more = {}) =>
        (await createRecord(services, OPERATOR, kind, { metadata, ...more })).id;
      const makers = [
        await make("entity", { name: [{ value: "Oluf Brander" }] }, { subtype: "person" }),
        await make("entity", { name: [{ value: "O. Brander" }] }, { subtype: "person" }),
      ] as const;
      const { sql } = services;
      await sql`
      insert into records (id, record_type, idno, subtype, status, collection_status, title, sort_title)
      select gen_random_uuid(), 'object', 'W' || n, 'painting', 'draft', 'active', 'Work', 'work'
      from generate_series(1, ${WORKS}) n`;
      await sql`
      insert into relations (id, relation_type, from_id, to_id)
      select gen_random_uuid(), 'created_by', id, ${makers[1]} from records where record_type = 'object'`;
      return makers;
    });
    const counted = (sql: Sql) => sql<
      [{ links: number; merged: boolean; kept: boolean; title: string; names: boolean }]
    >`
    select (select count(*)::int from relations where to_id = r.id) as links, r.merged_into is not null as merged,
      r.deleted_at is not null and exists (select 1 from merges where record_id = r.id) as kept, o.title,
      o.metadata ? 'alternative_name' as names
    from records r, records o where r.id = ${from} and o.id = ${into}`;

    for (const deed of ["merge", "unmerge"] as const) {
      let done = false;
      for (const moment of MOMENTS) {
        const { service, token } = await office.serve();
        const json = deed === "merge" ? { into } : {};
        const answer = service.ask(`/v1/entities/${from}/${deed}`, { token, json }).catch(() => undefined);
        await Promise.race([setTimeout(moment), answer]);
        await service.kill("SIGKILL");
        await answer;
        const [now] = await office.look(({ sql }) => counted(sql));
        done = now.merged === (deed === "merge");
        expect(now).toEqual(
          now.merged
            ? { links: 0, merged: true, kept: true, title: "Oluf Brander", names: true }
            : { links: WORKS, merged: false, kept: false, title: "Oluf Brander", names: false },
        );
        if (done) break;
      }
      if (done) continue;
      const { service, token } = await office.serve();
      const json = deed === "merge" ? { into } : {};
      expect((await service.ask(`/v1/entities/${from}/${deed}`, { token, json })).status).toBe(200);
      await service.kill("SIGTERM");
    }
    const [end] = await office.look(({ sql }) => counted(sql));
    expect(end).toMatchObject({ links: WORKS, merged: false });
  },
);
