/** Batch edits: choosing records in a list, the preview, the job, and undoing the whole edit. */
import { onBehalfOf } from "../../accounts/on-behalf.ts";
import { type Account, mayDo } from "../../caller.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import { demandJob } from "../../jobs/change.ts";
import { enqueueJob } from "../../jobs/enqueue.ts";
import { findJob } from "../../jobs/store.ts";
import { said } from "../../messages/said.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, PageView, StaffView } from "../../pages/view.ts";
import { type FaultJson, Problem } from "../../problem.ts";
import { placeNames } from "../../procedures/movements.ts";
import { type Chosen, demandEdit, type Edit, planEdit } from "../../records/batch/edit-plan.ts";
import { findImport } from "../../records/batch/imports-list.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { STORED_AT } from "../../records/links/places.ts";
import { listVersions } from "../../records/read/list.ts";
import { findRecords } from "../../records/read/store.ts";
import { idsOf } from "../../records/record.ts";
import { currentSchema, fieldsOf, type Schema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import { visibleFields } from "../../records/visibility.ts";
import type { Services, Sql } from "../../services.ts";
import { faultsOf, refusal, uuidIn } from "../asked.ts";
import { linkedDraftsNote } from "../editor/linked-drafts.ts";
import { termsOf } from "../editor/record-page.ts";
import { addTerm, typedTerms, withStoredValues } from "../editor/typed-terms.ts";
import { controlsOf, valuesOfForm } from "../editor/values.ts";
import { faultsNamed } from "../field-names.ts";
import { beginUndo } from "../imports/undo-page.ts";
import { adminAnswer } from "../layout.ts";
import { listQueryOf } from "../lists/list-query.ts";
import { readListParams } from "../lists/params.ts";
import { endOf } from "../record-names.ts";
import { bulkPath, listPath, mergeAddress } from "../sections.ts";
import { bulkColumns, editOfForm, LIST_EDITS, type Preview, publishes, wordsOfEdit } from "./form.ts";
import { resultAnswer } from "./result.ts";
import { findChoice, firstChosen, keepChoice, keepEdit } from "./store.ts";
import { choicePage, type Kept, previewPage, valuePage } from "./views.ts";

/** The most records on a page of the list, which people can tick one by one. */
const MOST_PICKED = 200;
/** The most records in one edit. */
const MOST_FOUND = 100_000;
/** The most records in a preview; of a larger selection, it shows the first. */
const MOST_TRIED = 2_000;

export function bulkPageRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  for (const kind of KINDS) {
    const { many } = kinds[kind];
    const access = { action: "update", kind } as const;

    pageForm(api, pages, {
      path: bulkPath(kind),
      summary: `Choose ${many} that are to be changed together`,
      access,
      async take(view, fields) {
        const { caller } = view;
        const schema = await currentSchema(sql);
        const asked = readListParams(new URLSearchParams(fields.get("back") ?? ""), schema, kind);
        const chosen =
          fields.get("scope") === "found"
            ? await withinLimit(api, view, async () => {
                const { query } = await listQueryOf(api.services, view, schema, kind, asked);
                return listVersions(sql, caller, kind, query, MOST_FOUND + 1);
              })
            : await pickedOf(sql, caller, kind, fields);
        if (chosen.length > MOST_FOUND)
          throw new Problem("too_large", said("bulk.tooMany", { most: MOST_FOUND }));
        const back = fields.get("back") ?? "";
        if (chosen.length === 0) return redirectTo(view, `${listPath(kind)}?${back}`, "bulk.none");
        if (fields.has("merge")) return redirectTo(view, mergeAddress(kind, chosen));
        const edit = LIST_EDITS.get(fields.get("edit") ?? "");
        const id = await keepChoice(sql, caller, kind, chosen, back, edit);
        const part = fields.has("labels") ? "/labels" : fields.has("move") ? "#move" : "";
        return redirectTo(view, `${bulkPath(kind, id)}${part}`);
      },
    });

    page(api, pages, {
      path: bulkPath(kind, "{id}"),
      summary: `Change many ${many}: what is to be done, what it would do, what it did`,
      access,
      show: (view) => showBulk(api.services, view, kind),
    });

    pageForm(api, pages, {
      path: bulkPath(kind, "{id}"),
      summary: `Say what is to be done to many ${many}`,
      access,
      async take(view, sent) {
        const { id, choice } = await findChoice(sql, view, kind);
        const schema = await currentSchema(sql);
        const field = [...fieldsOf(schema, kind).values()].filter(({ name }) => name === sent.get("field"));
        const fields = await withStoredValues(sql, view, field, sent);
        const shown = (faults: readonly FaultJson[]) =>
          valueAnswer(api.services, view, schema, { id, choice }, fields, faults);
        if (fields.has("more")) return shown([]);
        try {
          const term = fields.get("term");
          if (term !== undefined) {
            await addTerm(api.services, view, field, fields, valuesOfForm(kind, fields), term);
            return shown([]);
          }
          const edit = await editOfForm({ sql, view, schema, kind, fields });
          demandEdit(schema, view.caller, kind, edit);
          await keepEdit(sql, id, { ...choice, edit });
          return redirectTo(view, bulkPath(kind, id));
        } catch (error) {
          const faults = faultsNamed(view, schema, kind, faultsOf(refusal(error)));
          return fields.has("field")
            ? shown(faults)
            : choiceAnswer(view, schema, { id, choice }, fields.get("what") ?? "", faults);
        }
      },
    });

    pageForm(api, pages, {
      path: `${bulkPath(kind, "{id}")}/run`,
      summary: `Change many ${many}`,
      access,
      async take(view) {
        const { id, choice } = await findChoice(sql, view, kind);
        if (!choice.edit) throw new Problem("conflict", said("bulk.noEdit"));
        const params = {
          record_type: kind,
          edit: choice.edit,
          on_behalf: onBehalfOf(view.caller),
          back: choice.back,
        };
        // if the form is sent twice, the edit is still done once
        if (!(await findJob(sql, id)))
          await enqueueJob(sql, { id, kind: "edit", params, createdBy: view.caller.id });
        return redirectTo(view, bulkPath(kind, id));
      },
    });

    pageForm(api, pages, {
      path: `${bulkPath(kind, "{id}")}/undo`,
      summary: `Take a change of many ${many} back`,
      access,
      async take(view) {
        const { caller } = view;
        const id = uuidIn(view, "id");
        await demandJob(sql, caller, id);
        const found = await findImport(sql, id);
        if (found?.source !== "edit") throw new Problem("not_found", said("problem.edit.not_found"));
        const undo = await beginUndo(sql, caller, found, false);
        return redirectTo(view, `${bulkPath(kind, id)}?undo=${undo}`);
      },
    });
  }
}

/** The ticked records of the page, or all that the list finds. */
export async function pickedOf(
  sql: Sql,
  caller: Account,
  kind: Kind,
  fields: ReadonlyMap<string, string>,
): Promise<Chosen[]> {
  const wanted = fields.get("scope") === "page" ? "row/" : "pick/";
  const ids = [...fields.keys()]
    .filter((name) => name.startsWith(wanted))
    .map((name) => name.slice(wanted.length))
    .filter((id) => IdShape.safeParse(id).success);
  if (ids.length > MOST_PICKED)
    throw new Problem("too_large", said("problem.edit.many_picked", { most: MOST_PICKED }));
  const rows = new Map((await findRecords(sql, caller, kind, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? { id, version: row.version } : [];
  });
}

async function showBulk(services: Services, view: StaffView, kind: Kind): Promise<Response> {
  const { c, caller } = view;
  const { sql } = services;
  const schema = await currentSchema(sql);
  const job = await findJob(sql, uuidIn(view, "id"));
  if (job) {
    const own = await demandJob(sql, caller, job.id);
    if (own.kind !== "edit" || own.params.record_type !== kind)
      throw new Problem("not_found", said("problem.edit.not_found"));
    return resultAnswer(services, view, schema, own);
  }
  const { id, choice } = await findChoice(sql, view, kind);
  const field = c.req.query("field") ?? "";
  const fields = new Map(Object.entries({ field, what: c.req.query("what") ?? "set" }));
  const settable = [...bulkColumns(kind), ...visibleFields(schema, caller, kind).map(({ name }) => name)];
  if (settable.includes(field)) return valueAnswer(services, view, schema, { id, choice }, fields, []);
  if (!choice.edit || c.req.query("choose") !== undefined)
    return choiceAnswer(view, schema, { id, choice }, "", []);
  const preview = await previewOf(sql, view, schema, kind, id, choice.edit);
  const changed = preview.plans.flatMap(({ what, row }) => (what === "change" ? row.id : []));
  const drafts = publishes(choice.edit) ? await linkedDraftsNote(sql, view, changed) : "";
  return adminAnswer(view, {
    at: listPath(kind),
    title: view.t("bulk.preview"),
    content: previewPage(view, schema, { id, choice, edit: choice.edit, preview, drafts }),
  });
}

async function previewOf(
  sql: Sql,
  view: StaffView,
  schema: Schema,
  kind: Kind,
  id: string,
  edit: Edit,
): Promise<Preview> {
  const { caller } = view;
  const chosen = await firstChosen(sql, id, MOST_TRIED);
  const found = await findRecords(sql, caller, kind, idsOf(chosen));
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = chosen.flatMap((one) => byId.get(one.id) ?? []);
  const plans = await planEdit(sql, schema, caller, kind, edit, rows, chosen);
  const isMove = edit.what === "link" && edit.relation_type === STORED_AT;
  const places = isMove ? await placeNames(sql, caller, idsOf(rows)) : new Map<string, string>();
  return {
    ...{ tried: chosen.length, plans, places },
    end: await endOf(sql, view, schema, edit),
    told: await wordsOfEdit(sql, view, schema, kind, edit, plans),
  };
}

function formAnswer(view: PageView, { choice }: Kept, faults: readonly FaultJson[], content: Html) {
  const status = faults.length > 0 ? 422 : 200;
  return adminAnswer(view, { at: listPath(choice.kind), title: view.t("bulk.title"), status, content });
}

function choiceAnswer(
  view: PageView,
  schema: Schema,
  kept: Kept,
  asked: string,
  faults: readonly FaultJson[],
): Promise<Response> {
  const mayTrash = mayDo(view.caller, "delete", kept.choice.kind);
  return formAnswer(view, kept, faults, choicePage(view, schema, { ...kept, asked, faults, mayTrash }));
}

async function valueAnswer(
  services: Services,
  view: PageView,
  schema: Schema,
  kept: Kept,
  fields: ReadonlyMap<string, string>,
  faults: readonly FaultJson[],
): Promise<Response> {
  const { kind } = kept.choice;
  const field = fieldsOf(schema, kind).get(fields.get("field") ?? "");
  const terms = field ? await termsOf(services, [field]) : new Map();
  const values = valuesOfForm(kind, fields);
  const typed = await typedTerms(services.sql, view, field ? [field] : [], controlsOf(values));
  const content = valuePage(view, schema, { ...kept, fields, values, terms, typed, faults });
  return formAnswer(view, kept, faults, content);
}
