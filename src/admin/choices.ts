/** Choosing a record by name: the input in a form, and the suggestions for its script. */
import { html } from "hono/html";
import { type Caller, mayDo } from "../caller.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import type { Api } from "../http/endpoint.ts";
import { option } from "../pages/forms.ts";
import type { Pages } from "../pages/page.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import { datesOf, subtypeName } from "../portal/card-facts.ts";
import { KINDS, type Kind, kinds } from "../records/kinds.ts";
import { sizedImage } from "../records/media/pictures.ts";
import { findCovers } from "../records/media/store.ts";
import { findNamed } from "../records/public/neighbours.ts";
import { listVersions } from "../records/read/list.ts";
import { findRecords, linksOfRecords } from "../records/read/store.ts";
import { idsOf, type RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { findListed } from "../search/find-listed.ts";
import type { Services, Sql } from "../services.ts";
import { NAMED_ONLY, recordsMeant, typedAs } from "./chosen.ts";
import { subtypeChoices } from "./field-names.ts";
import { nameOf, titleOf } from "./record-names.ts";

/** The number of suggestions. */
const FEW = 8;
/** The relation from a place to the larger place that contains it; a name of the default schema. */
const FALLS_WITHIN = "falls_within";

export function choiceRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  page(api, pages, {
    path: "/admin/choices",
    summary: "Records by part of their name or number, for the lists of suggestions in forms, as JSON",
    access: "account",
    async show(view) {
      const { c, caller } = view;
      const q = (c.req.query("q") ?? "").trim().slice(0, 200);
      const asked = (c.req.query("kinds") ?? "").split(",");
      const wanted = KINDS.filter(
        (kind) => asked.includes(kinds[kind].plural) && mayDo(caller, "read", kind),
      );
      const schema = await currentSchema(sql);
      const rows =
        q === "" || wanted.length === 0
          ? []
          : await withinLimit(api, view, () => fewNamed(api.services, caller, wanted, q, c.get("requestId")));
      const covers = await findCovers(sql, caller, idsOf(rows));
      const above = await namesAbove(sql, view, schema, rows);
      const items = rows.map((row) => {
        const name = titleOf(view, schema, row) ?? "";
        const cover = covers.get(row.id);
        const facts = [
          subtypeName(schema, row, view.t.language).value,
          datesOf(view, row.metadata),
          above.get(row.id) ?? "",
          row.idno,
        ];
        return {
          ...{ id: row.id, idno: row.idno, kind: row.record_type, name: name || row.idno },
          value: typedAs(name, row.idno),
          about: facts.filter((fact) => fact !== "").join(" · "),
          picture: cover ? sizedImage(view.link(""), cover, 80).address : null,
        };
      });
      return c.json({ items }, 200, { "Cache-Control": "no-store" });
    },
  });
}

/** Records with exactly this name, then the results of the search, then records with this text in their name. */
async function fewNamed(
  services: Services,
  caller: Caller,
  wanted: readonly Kind[],
  q: string,
  requestId: string,
): Promise<RecordRow[]> {
  const { sql } = services;
  const meant = await recordsMeant(sql, caller, wanted, q);
  const { ids } = await findListed(services, caller, wanted, { q }, requestId);
  const order = { sort_by: "title", sort_dir: "asc" } as const;
  const parts = await Promise.all(
    wanted.map((kind) => listVersions(sql, caller, kind, { q, ...order }, FEW)),
  );
  const few = [...new Set([...idsOf(meant), ...ids, ...idsOf(parts.flat())])].slice(0, FEW);
  const found = await Promise.all(wanted.map((kind) => findRecords(sql, caller, kind, few)));
  const rows = new Map(found.flat().map((row) => [row.id, row]));
  return few.flatMap((id) => rows.get(id) ?? []);
}

/** The names of the places and collections that contain these records. */
async function namesAbove(
  sql: Sql,
  view: View,
  schema: Schema,
  rows: readonly RecordRow[],
): Promise<ReadonlyMap<string, string>> {
  const { caller } = view;
  const places = rows.flatMap(({ id, record_type }) => (record_type === "place" ? id : []));
  const links = places.length > 0 ? await linksOfRecords(sql, caller, places, FALLS_WITHIN) : [];
  const names = new Map(links.map((link) => [link.from_id, nameOf(view, schema, link)]));
  const parents = rows.flatMap(({ parent_id }) => parent_id ?? []);
  const above = await findNamed(sql, schema, caller, parents);
  for (const { id, parent_id } of rows) {
    const parent = above.get(parent_id ?? "");
    if (parent) names.set(id, nameOf(view, schema, parent));
  }
  return names;
}

/**
 * The input for a record by name, and a select for what to create if it does not exist. `of`: the plural of its kind, or `by:` and
 * the name of the select whose options have `data-to`. The script hides the second select and offers its choices in the list.
 */
export function chooserInputs(
  view: View,
  schema: Schema,
  {
    name,
    create,
    of,
    value = "",
    created = "",
  }: { name: string; create: string; of: string; value?: string; created?: string },
): Html {
  const { t, caller } = view;
  const options = NAMED_ONLY.filter((kind) => mayDo(caller, "create", kind)).map(
    (kind) =>
      html`<optgroup label="${t(`kind.${kind}`)}" data-kind="${kinds[kind].plural}">${subtypeChoices(
        view,
        schema,
        kind,
      ).map(({ value, label }) => option(`${kind}:${value}`, label, created))}</optgroup>`,
  );
  return html`<label class="wide"><span>${t("admin.link.to")}</span><input id="${name}" name="${name}" value="${value}" maxlength="500" autocomplete="off" data-pick="${of}" data-create="${create}"></label>
    ${options.length === 0 ? "" : html`<label data-creates><span>${t("chooser.createAs")}</span><select name="${create}"><option value="">${t("chooser.exists")}</option>${options}</select></label>`}`;
}
