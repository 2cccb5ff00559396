/** A service is killed in the middle of a merge of records or terms, and of its undo: each has happened as a whole, or not at all. */
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { OPERATOR } from "../../../src/caller.ts";
import { newId } from "../../../src/ids.ts";
import type { Kind } from "../../../src/records/kinds.ts";
import { createRecord } from "../../../src/records/write/write.ts";
import type { Sql } from "../../../src/services.ts";
import { databases } from "../../support/museum/museum.ts";
import { openOffice } from "../../support/programs/command.ts";

const WORKS = 4_000;

type State = { merged: boolean } & Record<string, unknown>;
/** `moment`: of the kill, in milliseconds after the request. */
type Deed = {
  path: string;
  into: string;
  moment: number;
  counted: (sql: Sql) => Promise<State>;
  merged: State;
  apart: State;
};

it.for(databases)(
  "a merge and its undo survive kills at any moment, on the %s database",
  async (database) => {
    const office = await openOffice(database);
    onTestFinished(() => office.close());
    const [into, from, oak, oaks] = await office.look(async (services) => {
      const make = async (kind: Kind, metadata: Record<string, { value: string }[]>, more = {}) =>
        (await createRecord(services, OPERATOR, kind, { metadata, ...more })).id;
      const makers = [
        await make("entity", { name: [{ value: "Oluf Brander" }] }, { subtype: "person" }),
        await make("entity", { name: [{ value: "O. Brander" }] }, { subtype: "person" }),
      ] as const;
      const { sql } = services;
      await sql`
      insert into records (id, record_type, idno, subtype, status, collection_status, title, sort_title, metadata)
      select gen_random_uuid(), 'object', 'W' || n, 'painting', 'draft', 'active', 'Work', 'work',
        '{"material": [{"value": "killed oaks"}]}'
      from generate_series(1, ${WORKS}) n`;
      await sql`
      insert into relations (id, relation_type, from_id, to_id)
      select gen_random_uuid(), 'created_by', id, ${makers[1]} from records where record_type = 'object'`;
      const terms = [newId(), newId()] as const;
      await sql`
      insert into vocabulary_terms (id, vocabulary, value, label)
      values (${terms[0]}, 'material', 'killed oak', '{}'), (${terms[1]}, 'material', 'killed oaks', '{}')`;
      return [...makers, ...terms] as const;
    });
    const record = async (sql: Sql) => {
      const [now] = await sql<
        [{ links: number; merged: boolean; kept: boolean; title: string; names: boolean }]
      >`
        select (select count(*)::int from relations where to_id = r.id) as links, r.merged_into is not null as merged,
          r.deleted_at is not null and exists (select 1 from merges where record_id = r.id) as kept, o.title,
          o.metadata ? 'alternative_name' as names
        from records r, records o where r.id = ${from} and o.id = ${into}`;
      return now;
    };
    const term = async (sql: Sql) => {
      const [now] = await sql<[{ records: number; merged: boolean; kept: boolean; names: boolean }]>`
        select (select count(*)::int from records where metadata -> 'material' @> '[{"value": "killed oaks"}]') as records,
          not exists (select 1 from vocabulary_terms where id = ${oaks}) as merged,
          exists (select 1 from term_merges where term_id = ${oaks})
            and exists (select 1 from term_undos where term_id = ${oaks}) as kept,
          exists (select 1 from vocabulary_terms where id = ${oak} and alt_label <> '{}') as names`;
      return now;
    };
    const title = "Oluf Brander";
    const merges: Deed[] = [
      {
        path: `/v1/entities/${from}`,
        into,
        moment: 400,
        counted: record,
        merged: { links: 0, merged: true, kept: true, title, names: true },
        apart: { links: WORKS, merged: false, kept: false, title, names: false },
      },
      {
        path: `/v1/vocabularies/material/terms/${oaks}`,
        into: oak,
        moment: 400,
        counted: term,
        merged: { records: 0, merged: true, kept: true, names: true },
        apart: { records: WORKS, merged: false, kept: false, names: false },
      },
    ];

    for (const { path, into, moment, counted, merged, apart } of merges) {
      for (const deed of ["merge", "unmerge"] as const) {
        const json = deed === "merge" ? { into } : {};
        const { service: killed, token: first } = await office.serve();
        const answer = killed.ask(`${path}/${deed}`, { token: first, json }).catch(() => undefined);
        await Promise.race([setTimeout(moment), answer]);
        await killed.kill("SIGKILL");
        await answer;
        const now = await office.look(({ sql }) => counted(sql));
        expect(now).toEqual(now.merged ? merged : apart);
        if (now.merged === (deed === "merge")) continue;
        const { service, token } = await office.serve();
        expect((await service.ask(`${path}/${deed}`, { token, json })).status).toBe(200);
        await service.kill("SIGTERM");
      }
      expect(await office.look(({ sql }) => counted(sql))).toEqual(apart);
    }
  },
);
