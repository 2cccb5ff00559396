/** Meanings of columns, saved under a name: proposed for the next list that fits, renamed, deleted. */

import { html } from "hono/html";
import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { invalid, Problem } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Sql } from "../../services.ts";
import { composed, unseenFault } from "../../text.ts";
import { uuidIn } from "../asked.ts";
import { importsPath as AT } from "../sections.ts";
import type { ColumnChoice } from "./form.ts";
import {
  deleteMapping,
  type KeptMapping,
  listMappings,
  renameMapping,
  saveMapping,
} from "./mappings-store.ts";

export const LONGEST_NAME = 100;
/** Form fields that a mapping saves besides its columns. */
const OPTIONS = ["subtype", "upsert_strategy", "key", "only_link", "similar", "auto_publish", "same"];
/** Whole records are replaced only if that is chosen for this list. */
const isKept = (name: string, value: string) => name !== "upsert_strategy" || value !== "replace";

const sameColumn = (name: string): string => composed(name).trim().toLowerCase();

/** Whether a list with this header has every column to which the mapping gives a meaning. */
function fits({ columns }: KeptMapping, header: readonly string[]): boolean {
  const there = new Set(header.map(sameColumn));
  return columns.every(({ column, target }) => target === "" || there.has(sameColumn(column)));
}

const meanings = ({ columns }: KeptMapping): number => columns.filter(({ target }) => target !== "").length;

/** The mappings that fit a list with this header, those with the most meanings first. */
export async function fittingMappings(
  sql: Sql,
  kind: Kind,
  header: readonly string[],
): Promise<KeptMapping[]> {
  const all = await listMappings(sql, [kind]);
  return all.filter((one) => fits(one, header)).sort((a, b) => meanings(b) - meanings(a));
}

/** The meaning of each column in this mapping, or the guess if the mapping does not know the column. */
export function choicesOf(
  { columns }: KeptMapping,
  header: readonly string[],
  guessed: readonly ColumnChoice[],
): ColumnChoice[] {
  const known = new Map(columns.map(({ column, ...choice }) => [sameColumn(column), choice]));
  const taken = new Set(columns.map(({ target }) => target));
  return header.map((column, index) => {
    const guess = guessed[index]!;
    return known.get(sameColumn(column)) ?? (taken.has(guess.target) ? { ...guess, target: "" } : guess);
  });
}

/** Saves the form's choices if it names a mapping. */
export async function keepMapping(
  sql: Sql,
  kind: Kind,
  header: readonly string[],
  choices: readonly ColumnChoice[],
  form: ReadonlyMap<string, string>,
): Promise<void> {
  if (!form.has("keep_as")) return;
  const name = nameOf(form.get("keep_as"), "/keep_as");
  const columns = header.map((column, index) => ({ column, ...choices[index]! }));
  const options = Object.fromEntries(
    [...form].filter(([option, value]) => OPTIONS.includes(option) && isKept(option, value)),
  );
  await saveMapping(sql, { record_type: kind, name, columns, options });
}

function nameOf(text: string | undefined, pointer: string): string {
  const name = composed(text ?? "").trim();
  const detail =
    name === "" || name.length > LONGEST_NAME
      ? said("fault.kept_mapping.name", { most: LONGEST_NAME })
      : unseenFault(name);
  if (detail) throw invalid([{ pointer, detail }]);
  return name;
}

/** On the page of a new list: the applied mapping, and others that fit. `reading`: see `readingQuery`. */
export function mappingChoice(
  { t, link }: View,
  id: string,
  fitting: readonly KeptMapping[],
  applied: KeptMapping | null,
  reading: string,
): Html {
  const others = fitting.filter((one) => one !== applied);
  if (fitting.length === 0) return html``;
  return html`<p>${applied ? t("mappings.applied", { name: applied.name }) : ""}
    ${others.length === 0 ? "" : html`${t("mappings.others")} ${others.map((one) => html`<a href="${link(`${AT}/files/${id}?mapping=${one.id}${reading}`)}" dir="auto">${one.name}</a> `)}`}</p>`;
}

/** On the page of imports: all saved mappings. */
export function mappingList(view: View, mappings: readonly KeptMapping[]): Html {
  const { t, link, formats } = view;
  if (mappings.length === 0) return html``;
  return html`<section class="group"><h2 id="mappings">${t("mappings.title")}</h2>
    <p class="help">${t("mappings.text")}</p>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="mappings"><table class="tight">
    <thead><tr><th>${t("admin.name")}</th><th><span class="hidden">${t("config.delete")}</span></th></tr></thead>
    <tbody>${mappings.map((one) => {
      const here = link(`${AT}/mappings/${one.id}`);
      return html`<tr><td><form class="row" method="post" action="${here}">${csrfField(view)}<input name="name" value="${one.name}" required maxlength="${LONGEST_NAME}" aria-label="${t("mappings.nameOf", { name: one.name })}"><button class="quiet small">${t("mappings.rename")}</button></form>
        <small>${t(`kind.${one.record_type}`)} · ${t("mappings.columns", { count: meanings(one) })} · <time datetime="${one.changed_at}Z">${formats.time(one.changed_at)}</time></small></td>
        <td><form method="post" action="${here}/delete">${csrfField(view)}<button class="quiet small" aria-label="${t("views.deleteThis", { what: one.name })}">${t("config.delete")}</button></form></td></tr>`;
    })}</tbody></table></div></section>`;
}

export function importMappingRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  const access = { feature: "import:run" };
  const demand = (found: boolean) => {
    if (!found) throw new Problem("not_found", said("problem.kept_mapping.not_found"));
  };

  pageForm(api, pages, {
    path: `${AT}/mappings/{id}`,
    summary: "Rename a mapping that is kept",
    access,
    async take(view, fields) {
      demand(await renameMapping(sql, uuidIn(view, "id"), nameOf(fields.get("name"), "/name")));
      return redirectTo(view, AT, "form.saved");
    },
  });

  pageForm(api, pages, {
    path: `${AT}/mappings/{id}/delete`,
    summary: "Delete a mapping that is kept",
    access,
    async take(view) {
      demand(await deleteMapping(sql, uuidIn(view, "id")));
      return redirectTo(view, AT, "mappings.deleted");
    },
  });
}
