/** Saves a new record, with the links in its form and the records that these create. */

import type { StaffView } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import { parseDraft } from "../../records/shape.ts";
import { visibleFields } from "../../records/visibility.ts";
import { refuseTaken } from "../../records/write/taken-number.ts";
import { createRecordIn, retryWhenNumberTaken } from "../../records/write/write.ts";
import type { Services } from "../../services.ts";
import type { Chosen } from "../chosen.ts";
import { demandLink, type LinkRow, makeLink, wishOfRow } from "./link-wishes.ts";
import { bodyOf, newBodyOf, type Values } from "./values.ts";

/** Saves everything or nothing. @param parent the id of the parent record */
export async function createWithLinks(
  services: Services,
  view: StaffView,
  schema: Schema,
  kind: Kind,
  form: { values: Values; parent: string | null; links: readonly LinkRow[] },
): Promise<RecordRow> {
  const { caller } = view;
  const { values, parent, links } = form;
  const read = parseDraft(kind, newBodyOf(bodyOf(kind, values, visibleFields(schema, caller, kind), parent)));
  if ("faults" in read) throw invalid(read.faults);
  const { draft } = read;
  const wanted = await Promise.all(
    links.map((link, index) => {
      const wish = wishOfRow(view, schema, kind, link, index);
      return demandLink(services.sql, view, schema, kind, wish);
    }),
  );
  const insert = () =>
    services.sql.begin(async (tx) => {
      const row = await createRecordIn(tx, services, caller, kind, draft);
      const changed = [row.id];
      // two rows that create the same name share one record
      const ends = new Map<string, Chosen>();
      for (const link of wanted) {
        const named = JSON.stringify(link.chosen);
        const chosen = ends.get(named) ?? link.chosen;
        const made = await makeLink(tx, services, caller, { kind, id: row.id }, { ...link, chosen });
        ends.set(named, made.end);
        changed.push(...made.changed);
      }
      return { row, changed };
    });
  const idno = draft.idno || undefined;
  const { row, changed } = await (idno === undefined ? retryWhenNumberTaken(insert) : insert()).catch(
    refuseTaken(services, caller, kind, () => idno),
  );
  await services.changed([...new Set(changed)]);
  return row;
}
