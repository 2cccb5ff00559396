/** The targets of the forms of `location-sections.ts`, and the page with all movements of an object. */
import { html } from "hono/html";
import { onBehalfOf } from "../../accounts/on-behalf.ts";
import type { Account } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { enqueueJob } from "../../jobs/enqueue.ts";
import { said } from "../../messages/said.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { paging } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import { invalid } from "../../problem.ts";
import { moveObject } from "../../procedures/move.ts";
import { listMovements } from "../../procedures/movements.ts";
import { type Chosen, demandEdit, type Edit } from "../../records/batch/edit-plan.ts";
import { STORED_AT } from "../../records/links/places.ts";
import { type FoundRecord, objectsByNumbers } from "../../records/read/store.ts";
import { currentSchema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";
import { composed } from "../../text.ts";
import { demandRow, type OnRecord, pageAsked, type SideForm } from "../asked.ts";
import { pickedOf } from "../bulk/pages.ts";
import { keepChoice } from "../bulk/store.ts";
import { adminAnswer } from "../layout.ts";
import { nameOf } from "../record-names.ts";
import { bulkPath, listPath, recordPath } from "../sections.ts";
import { moveForm, moveOfForm } from "./move-form.ts";
import { historyTable, namedMovements } from "./movement-tables.ts";

/** The movements on one page. */
const PAGE_SIZE = 100;
/** The most numbers in one form. */
const MOST_NUMBERS = 1_000;
/** The form that brings objects to a storage location. */
const BRING: SideForm = { ...moveForm("bring"), numbers: { id: "numbers", label: "admin.place.numbers" } };

export function movePageRoutes(api: Api, pages: Pages, onRecord: OnRecord): void {
  const { services } = api;
  const { sql } = services;
  const access = { action: "update", kind: "object" } as const;

  pageForm(api, pages, {
    path: recordPath("object", "{id}/move"),
    summary: "Move an object to another storage location",
    access,
    take: (view, fields) => {
      const act = async ({ id }: FoundRecord) => {
        const move = await moveOfForm(sql, view.caller, fields);
        const from = fields.get("from");
        const known = from === undefined ? {} : { from: IdShape.safeParse(from).data ?? null };
        await moveObject(services, view.caller, id, move, known);
        return redirectTo(view, `${recordPath("object", id)}#location`, "admin.location.moved");
      };
      return onRecord(services, view, "object", act, moveForm("move"));
    },
  });

  page(api, pages, {
    path: recordPath("object", "{id}/locations"),
    summary: "Where an object is and was",
    access: { action: "read", kind: "storage_location" },
    async show(view) {
      const row = await demandRow(services, view, "object");
      const schema = await currentSchema(sql, row.configuration_version);
      const number = pageAsked(view);
      const offset = (number - 1) * PAGE_SIZE;
      const { items, total } = await listMovements(
        sql,
        view.caller,
        { object: row.id, formers: true },
        { limit: PAGE_SIZE, offset },
      );
      const here = view.link(recordPath("object", row.id));
      const title = nameOf(view, schema, row);
      return adminAnswer(view, {
        at: listPath("object"),
        title: `${view.t("admin.locations")} · ${title}`,
        content: html`<div>
            <p class="crumbs"><a href="${view.link(listPath("object"))}">${view.t("kind.object")}</a> <span aria-hidden="true">›</span> <a href="${here}">${row.idno}</a></p>
            <h1><span dir="auto">${title}</span>${view.t("form.colon")} ${view.t("admin.locations")}</h1>
          </div>
          ${historyTable(view, await namedMovements(sql, view, items))}
          ${paging(view, number, Math.ceil(total / PAGE_SIZE), (next) => `${here}/locations?page=${next}`)}`,
      });
    },
  });

  pageForm(api, pages, {
    path: recordPath("storage_location", "{id}/move"),
    summary: "Move objects to or from a storage location",
    access,
    take: (view, fields) => {
      const act = async () => {
        const { caller } = view;
        const { to, day, reason } = await moveOfForm(sql, caller, fields);
        const chosen = fields.has("numbers")
          ? await numbered(sql, caller, fields.get("numbers") ?? "")
          : await pickedOf(sql, caller, "object", fields);
        if (chosen.length === 0) throw invalid([{ pointer: "", detail: said("bulk.none") }]);
        const stores = { relation_type: STORED_AT, to_type: "storage_location" } as const;
        const edit: Edit = { what: "link", ...stores, to_id: to, day, reason };
        demandEdit(await currentSchema(sql), caller, "object", edit);
        const id = await keepChoice(sql, caller, "object", chosen, "", edit);
        const params = { record_type: "object", edit, on_behalf: onBehalfOf(caller), back: "" };
        await enqueueJob(sql, { id, kind: "edit", params, createdBy: caller.id });
        return redirectTo(view, bulkPath("object", id));
      };
      return onRecord(
        services,
        view,
        "storage_location",
        act,
        fields.has("numbers") ? BRING : moveForm("move"),
      );
    },
  });
}

/** The objects with these numbers, one per line or scanned one after another; 422 names the numbers that no object has. */
async function numbered(sql: Sql, caller: Account, text: string): Promise<Chosen[]> {
  const numbers = [...new Set(text.split(/[\n\t;]+/).map((one) => composed(one.trim())))].filter(
    (one) => one !== "",
  );
  if (numbers.length > MOST_NUMBERS)
    throw invalid([
      { pointer: "/numbers", detail: said("problem.edit.many_picked", { most: MOST_NUMBERS }) },
    ]);
  const found = await objectsByNumbers(sql, caller, numbers);
  const known = new Set(found.map(({ idno }) => idno));
  const kind = said("kind.one.object");
  const faults = numbers
    .filter((idno) => !known.has(idno))
    .map((idno) => ({ pointer: "/numbers", detail: said("fault.link.unknown_number", { kind, idno }) }));
  if (faults.length > 0) throw invalid(faults.slice(0, 20));
  return found;
}
