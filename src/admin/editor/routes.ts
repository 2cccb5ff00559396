/** Creating and editing records by hand (interface §7). The functions behind the API decide what may be saved. */

import type { Caller } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { PageView } from "../../pages/view.ts";
import { invalid, Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { stateAt } from "../../records/read/history.ts";
import { lastSubtype } from "../../records/read/overview.ts";
import type { RecordRow } from "../../records/record.ts";
import { currentSchema, type Field, type Schema } from "../../records/schema.ts";
import { visibleFields } from "../../records/visibility.ts";
import { deleteRecord } from "../../records/write/trash.ts";
import { patchRecord } from "../../records/write/write.ts";
import type { Services } from "../../services.ts";
import { demandRow, refusal } from "../asked.ts";
import { recordNumbered } from "../chosen.ts";
import { listPath, recordPath } from "../sections.ts";
import { conflictIn, keepTheirs, mergeValues } from "./conflict.ts";
import { linkRowsOf } from "./link-wishes.ts";
import { listOf, pathInList } from "./neighbours.ts";
import { createWithLinks } from "./new-record.ts";
import { numberOfParent, onRecord, recordPage, type Shown } from "./record-page.ts";
import { addTerm, withStoredValues } from "./typed-terms.ts";
import { bodyOf, newValues, type Values, valuesOfRecord } from "./values.ts";
import { typedValues } from "./written-dates.ts";

export function editorRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { one } = kinds[kind];
    const [newPath, path] = [`${listPath(kind)}/new`, recordPath(kind, "{id}")];

    page(api, pages, {
      path: newPath,
      summary: `The form for ${one} that is to be made`,
      access: { action: "create", kind },
      show: async (view) => {
        const schema = await currentSchema(services.sql);
        return recordPage(services, view, {
          kind,
          schema,
          row: null,
          values: newValues(schema, kind, await lastSubtype(services.sql, kind, view.caller)),
        });
      },
    });

    pageForm(api, pages, {
      path: newPath,
      summary: `Make ${one}`,
      access: { action: "create", kind },
      take: async (view, sent) => {
        const { caller } = view;
        const schema = await currentSchema(services.sql);
        const edited = visibleFields(schema, caller, kind);
        const fields = await withStoredValues(services.sql, view, edited, sent);
        const values = typed(edited, kind, fields);
        const shown = { kind, schema, row: null, values, links: linkRowsOf(fields) };
        const again = await shownAgain(services, view, fields, shown);
        if (again) return again;
        try {
          demandAny(kind, values, shown.links);
          const parent = await idOfParent(services, caller, kind, values);
          const form = { values, parent, links: shown.links };
          const row = await createWithLinks(services, view, schema, kind, form);
          return redirectTo(view, recordPath(kind, row.id), "form.saved");
        } catch (error) {
          return recordPage(services, view, { ...shown, refused: refusal(error) });
        }
      },
    });

    page(api, pages, {
      path,
      summary: `The form for ${one}`,
      access: { action: "read", kind },
      show: async (view) => {
        const { caller } = view;
        const row = await demandRow(services, view, kind);
        const schema = await currentSchema(services.sql, row.configuration_version);
        const values = valuesOfRecord(schema, caller, row, await numberOfParent(services, caller, row));
        return recordPage(services, view, { kind, schema, row, values });
      },
    });

    pageForm(api, pages, {
      path,
      summary: `Change ${one}`,
      access: { action: "update", kind },
      take: async (view, sent) => {
        const { caller } = view;
        const row = await demandRow(services, view, kind);
        const schema = await currentSchema(services.sql, row.configuration_version);
        const edited = visibleFields(schema, caller, kind);
        const fields = await withStoredValues(services.sql, view, edited, sent);
        const values = typed(edited, kind, fields);
        const version = versionOf(fields);
        const shown = { kind, schema, row, version, values };
        const conflict = conflictIn(edited, row, fields);
        const again = await shownAgain(services, view, fields, { ...shown, conflict });
        if (again) return again;
        keepTheirs(edited, values, row, fields);
        try {
          const parent = await idOfParent(services, caller, kind, values);
          const patch = bodyOf(kind, values, edited, parent);
          await patchRecord(services, caller, kind, row.id, patch, [version]);
          return redirectTo(view, pathInList(row, listOf(view)), "form.saved");
        } catch (error) {
          if (!(error instanceof Problem && error.code === "stale")) {
            return recordPage(services, view, { ...shown, refused: refusal(error) });
          }
          const now = await demandRow(services, view, kind);
          const merged = await merge(services, caller, schema, now, version, edited, values);
          return recordPage(services, view, { ...shown, row: now, version: now.version, ...merged });
        }
      },
    });

    pageForm(api, pages, {
      path: `${path}/delete`,
      summary: `Put ${one} into the trash`,
      access: { action: "delete", kind },
      take: (view, fields) =>
        onRecord(services, view, kind, async ({ id }) => {
          const force = fields.get("force") === "yes";
          const options = { force, expected: null, anyway: said("problem.record.anyway") };
          await deleteRecord(services, view.caller, kind, id, options);
          return redirectTo(view, listPath(kind), "admin.deleted");
        }),
    });
  }
}

/** 422 for a form in which nothing was filled in. What publishing needs is said elsewhere. */
function demandAny(kind: Kind, { idno, status, columns, metadata }: Values, links: readonly unknown[]): void {
  const { collection_status: _, ...typed } = columns;
  const values = Object.values(metadata).flatMap((entries) => entries.map(({ value }) => value));
  const isFilled = [idno, ...Object.values(typed), ...values].some((text) => text.trim() !== "");
  if (!isFilled && links.length === 0 && status !== "public")
    throw invalid([{ pointer: `/metadata_/${kinds[kind].titleField}`, detail: said("editor.blank") }]);
}

async function idOfParent(
  { sql }: Services,
  caller: Caller,
  kind: Kind,
  { columns }: Values,
): Promise<string | null> {
  const number = columns.parent_id?.trim() ?? "";
  if (number === "") return null;
  const found = await recordNumbered(sql, caller, kind, number);
  if (found) return found.id;
  throw invalid([{ pointer: "/parent_id", detail: said("faults.noNumber", { number }) }]);
}

/** The form with one more row, a date moved to its wording, or a term added to its list; null if the form is to be saved. */
async function shownAgain(
  services: Services,
  view: PageView,
  form: ReadonlyMap<string, string>,
  shown: Shown,
): Promise<Response | null> {
  const term = form.get("term");
  if (!form.has("more") && !form.has("wording") && term === undefined) return null;
  const fields = visibleFields(shown.schema, view.caller, shown.kind);
  const again = { ...shown, more: form.get("more") ?? "" };
  try {
    if (term !== undefined) await addTerm(services, view, fields, form, shown.values, term);
  } catch (error) {
    return recordPage(services, view, { ...again, refused: refusal(error) });
  }
  return recordPage(services, view, again);
}

function typed(fields: readonly Field[], kind: Kind, form: ReadonlyMap<string, string>): Values {
  const values = typedValues(fields, kind, form);
  return form.get("publish") === "yes" ? { ...values, status: "public" } : values;
}

/** The record version that the form shows. */
function versionOf(fields: ReadonlyMap<string, string>): number {
  const version = fields.get("version") ?? "";
  if (/^\d{1,9}$/.test(version)) return Number(version);
  throw new Problem("malformed", said("problem.form.version_missing"));
}

async function merge(
  services: Services,
  caller: Caller,
  schema: Schema,
  now: RecordRow,
  version: number,
  fields: readonly Field[],
  mine: Values,
) {
  const parent = await numberOfParent(services, caller, now);
  const before = await services.sql.begin((tx) => stateAt(tx, now, version));
  const base = { ...now, ...before };
  return mergeValues(
    fields,
    valuesOfRecord(schema, caller, base, await numberOfParent(services, caller, base)),
    valuesOfRecord(schema, caller, now, parent),
    mine,
  );
}
