/** Making and editing records by hand (interface §7). What may be saved is decided where the API decides it. */

import { html } from "hono/html";
import type { Caller } from "../../caller.ts";
import { type Api, accountOf, type Ctx } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { numberAsked } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { faultsJson, invalid, Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { stateAt } from "../../records/read/history.ts";
import { type FoundRecord, findRecord } from "../../records/read/store.ts";
import type { RecordRow } from "../../records/record.ts";
import { currentSchema, type Field, type Schema } from "../../records/schema.ts";
import { deleteRecord } from "../../records/write/trash.ts";
import { patchRecord } from "../../records/write/write.ts";
import type { Services } from "../../services.ts";
import { listTerms } from "../../vocabularies/terms/store.ts";
import { demandRow, faultsOf, refusal } from "../asked.ts";
import { locationSection, placeSection } from "../care/location-sections.ts";
import { recordNumbered } from "../chosen.ts";
import { namePlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { titleOf } from "../lists/record-list.ts";
import { listPath, recordPath } from "../sections.ts";
import { mergeValues } from "./conflict.ts";
import { MOST_CHOICES, type TermChoice } from "./controls.ts";
import { duplicateSection } from "./duplicate.ts";
import { type LinkRow, linkRowsOf } from "./link-wishes.ts";
import { linkedDraftsNote } from "./linked-drafts.ts";
import { linksSection } from "./links-section.ts";
import { mediaSection } from "./media-section.ts";
import { addressInList, listOf, neighbourLinks } from "./neighbours.ts";
import { createWithLinks } from "./new-record.ts";
import { deletion, type Editor, editorPage } from "./page.ts";
import { procedureSection } from "./procedure-section.ts";
import { bodyOf, editedFields, newValues, type Values, valuesOfForm, valuesOfRecord } from "./values.ts";

export function editorRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { one } = kinds[kind];
    const [newPath, path] = [`${listPath(kind)}/new`, recordPath(kind, "{id}")];

    page(api, pages, {
      path: newPath,
      summary: `The form for ${one} that is to be made`,
      access: { action: "create", kind },
      show: async ({ c, view, caller }) => {
        const schema = await currentSchema(services.sql);
        return answer(services, c, view, {
          kind,
          schema,
          caller,
          row: null,
          values: newValues(schema, kind),
        });
      },
    });

    pageForm(api, pages, {
      path: newPath,
      summary: `Make ${one}`,
      access: { action: "create", kind },
      take: async ({ c, view, caller, fields }) => {
        const schema = await currentSchema(services.sql);
        const values = typed(kind, fields);
        const shown = { kind, schema, caller, row: null, values, links: linkRowsOf(fields) };
        const more = fields.get("more");
        if (more) return answer(services, c, view, { ...shown, more });
        try {
          const parent = await idOfParent(services, caller, kind, values);
          const row = await createWithLinks(services, view, accountOf(caller), schema, kind, {
            ...{ values, parent, links: shown.links },
          });
          return redirectTo(c, view, view.link(recordPath(kind, row.id)), "form.saved");
        } catch (error) {
          return answer(services, c, view, { ...shown, refused: refusal(error) });
        }
      },
    });

    page(api, pages, {
      path,
      summary: `The form for ${one}`,
      access: { action: "read", kind },
      show: async ({ c, view, caller }) => {
        const row = await demandRow(services, caller, kind, c);
        const schema = await currentSchema(services.sql, row.configuration_version);
        const values = valuesOfRecord(schema, caller, row, await numberOfParent(services, caller, row));
        return answer(services, c, view, { kind, schema, caller, row, values });
      },
    });

    pageForm(api, pages, {
      path,
      summary: `Change ${one}`,
      access: { action: "update", kind },
      take: async ({ c, view, caller, fields }) => {
        const row = await demandRow(services, caller, kind, c);
        const schema = await currentSchema(services.sql, row.configuration_version);
        const values = typed(kind, fields);
        const shown = { kind, schema, caller, row, values };
        const more = fields.get("more");
        if (more) return answer(services, c, view, { ...shown, more });
        const version = versionOf(fields);
        const edited = editedFields(schema, caller, kind);
        keepTheirs(edited, values, row, fields);
        try {
          const parent = await idOfParent(services, caller, kind, values);
          const patch = bodyOf(kind, values, edited, parent);
          await patchRecord(services, accountOf(caller), kind, row.id, patch, [version]);
          return redirectTo(c, view, addressInList(view, row, listOf(c)), "form.saved");
        } catch (error) {
          if (!(error instanceof Problem && error.code === "stale")) {
            return answer(services, c, view, { ...shown, refused: refusal(error) });
          }
          const now = await demandRow(services, caller, kind, c);
          const merged = await merge(services, caller, schema, now, version, edited, values);
          return answer(services, c, view, {
            ...shown,
            row: now,
            values: merged.values,
            conflict: { theirs: merged.theirs, taken: merged.taken },
          });
        }
      },
    });

    pageForm(api, pages, {
      path: `${path}/delete`,
      summary: `Put ${one} into the trash`,
      access: { action: "delete", kind },
      take: async ({ c, view, caller, fields }) => {
        const row = await demandRow(services, caller, kind, c);
        const options = { force: fields.get("force") === "yes", expected: null };
        try {
          await deleteRecord(services, accountOf(caller), kind, row.id, options);
          return redirectTo(c, view, view.link(listPath(kind)), "admin.deleted");
        } catch (error) {
          return refusedOnRecord(services, c, view, row, error);
        }
      },
    });
  }
}

/** The page of the record, with what is wrong above the form: for what people do below it. */
export async function refusedOnRecord(
  services: Services,
  c: Ctx,
  view: View,
  row: FoundRecord,
  error: unknown,
): Promise<Response> {
  const { caller } = view;
  const refused = refusal(error);
  const schema = await currentSchema(services.sql, row.configuration_version);
  const values = valuesOfRecord(schema, caller, row, await numberOfParent(services, caller, row));
  return answer(services, c, view, { kind: row.record_type, schema, caller, row, values, refused });
}

type Shown = {
  kind: Kind;
  schema: Schema;
  caller: Caller;
  row: RecordRow | null;
  values: Values;
  links?: readonly LinkRow[];
  more?: string;
  refused?: Problem;
  conflict?: Editor["conflict"];
};

async function answer(services: Services, c: Ctx, view: View, shown: Shown): Promise<Response> {
  const { kind, schema, caller, row, values, links = [], more = null, refused, conflict = null } = shown;
  const fields = editedFields(schema, caller, kind);
  const title = row && titleOf(view, schema, row);
  const faults = faultsJson(view.t, refused ? faultsOf(refused) : [], (name) =>
    namePlainly(view, schema, kind, name),
  );
  const terms = await termsOf(services, fields);
  const editor = {
    kind,
    row,
    title,
    values,
    fields,
    terms,
    faults,
    more,
    conflict,
    schema,
    links,
    list: listOf(c),
  };
  const status = conflict ? 409 : refused ? refused.status : 200;
  return adminAnswer(c, view, {
    at: listPath(kind),
    title: row ? (title ?? row.idno) : view.t(`admin.new.${kind}`),
    content: html`${row ? await neighbourLinks(services.sql, c, view, schema, row) : ""}
      ${row?.status === "public" ? await linkedDraftsNote(services.sql, view, row.id) : ""}
      ${editorPage(view, editor, row ? await sectionsBelow(services, view, schema, row, { part: numberAsked(c, "part"), removed: c.req.query("removed") ?? null }) : "")}`,
    head: html`<script type="module" src="${view.asset("editor.js")}" nonce="${view.nonce}"></script>`,
    status: status as 200 | 409 | 422,
  });
}

async function sectionsBelow(...shown: Parameters<typeof linksSection>): Promise<Html> {
  const [services, view, schema, row, { part }] = shown;
  const last = html`${await linksSection(...shown)}${duplicateSection(view, row)}${deletion(view, row)}`;
  if (row.record_type === "procedure")
    return html`${await procedureSection(services, view, schema, row, part)}${last}`;
  if (row.record_type === "storage_location")
    return html`${await placeSection(services, view, schema, row, part)}${last}`;
  if (row.record_type !== "object") return last;
  return html`${await mediaSection(services, view, row.id, part)}${await locationSection(services, view, schema, row)}${last}`;
}

/** The record above is named by its number, which people know. */
async function numberOfParent({ sql }: Services, caller: Caller, row: RecordRow): Promise<string> {
  const parent = row.parent_id && (await findRecord(sql, caller, row.record_type, row.parent_id));
  return parent ? parent.idno : "";
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

function typed(kind: Kind, fields: ReadonlyMap<string, string>): Values {
  const values = valuesOfForm(kind, fields);
  return fields.get("publish") === "yes" ? { ...values, status: "public" } : values;
}

/** Where both changed a field, the form says whose words are to be kept. */
function keepTheirs(
  fields: readonly Field[],
  values: Values,
  row: RecordRow,
  form: ReadonlyMap<string, string>,
): void {
  for (const { name } of fields) {
    if (form.get(`keep/${name}`) === "theirs") values.metadata[name] = row.metadata[name] ?? [];
  }
}

/** The version of the record that the form shows. */
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

/** The terms of the vocabularies that these fields have. */
export async function termsOf(
  { sql }: Services,
  fields: readonly Field[],
): Promise<Map<string, readonly TermChoice[]>> {
  const names = new Set(fields.flatMap(({ vocabulary }) => vocabulary ?? []));
  const lists = await Promise.all(
    [...names].map(async (name) => {
      const terms = await listTerms(sql, name, {}, { limit: MOST_CHOICES + 1, offset: 0 });
      return [name, terms] as const;
    }),
  );
  return new Map(lists);
}
