/** Links to existing or new records, requested on the page of a record or in the form of a new one. */
import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { icon } from "../../pages/icons.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import { type FaultJson, invalid, Problem } from "../../problem.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { ROLES } from "../../records/links/attributions.ts";
import { addRelationIn } from "../../records/links/relations.ts";
import type { Metadata } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import type { SideForm } from "../asked.ts";
import { chooserInputs } from "../choices.ts";
import { type Chosen, chosenEnd, demandChosen } from "../chosen.ts";
import { type LinkChoice, linkChoices } from "./link-choices.ts";
import { calledChoices, type Place } from "./link-words.ts";
import { qualifierSelect } from "./qualifier-form.ts";
import type { Typed } from "./typed-terms.ts";

/** Pointers to the inputs of a link. */
type Places = { type: string; to: string; role: string };
/** The link as typed. */
type LinkWish = { type: string; text: string; create: string; at: Places; metadata: Metadata };
type MeantLink = { relation_type: string; chosen: Chosen; at: Places; metadata: Metadata };

/** The inputs of the form that links a record that exists. */
export const LINK_FORM: SideForm = {
  relation_type: { id: "relation_type", label: "admin.link.type" },
  to: { id: "to", label: "admin.link.to" },
  role: { id: "role", label: "admin.link.role" },
};
export const IN_LINK_FORM: Places = { type: "/relation_type", to: "/to", role: "/role" };

export const roleOf = (role = ""): Metadata => ({ role: role.trim() === "" ? [] : [{ value: role.trim() }] });

/** 422 if the link is not possible. */
export async function demandLink(
  sql: Sql,
  view: StaffView,
  schema: Schema,
  kind: Kind,
  { type, metadata, at, ...end }: LinkWish,
): Promise<MeantLink> {
  const choice = linkChoices(view, schema, kind).find(({ name }) => name === type);
  if (!choice)
    throw invalid([
      { pointer: at.type, detail: said("fault.relation_type.unknown", { name: type.slice(0, 80) }) },
    ]);
  const chosen = await demandChosen(sql, view.caller, schema, choice.to, { ...end, pointer: at.to });
  return { relation_type: type, chosen, at, metadata };
}

/** Creates the link and, if needed, the other record. `changed`: ids of records; `end`: the other record. */
export async function makeLink(
  tx: Tx,
  services: Services,
  caller: Account,
  place: { kind: Kind; id: string },
  { relation_type, chosen, at, metadata }: MeantLink,
): Promise<{ changed: string[]; end: Chosen }> {
  const refused = atInputs(at);
  const { created, ...end } = await chosenEnd(tx, services, caller, chosen).catch(refused);
  const wish = { relation_type, ...end, metadata_: metadata };
  const { owner } = await addRelationIn(tx, services, caller, place, wish, null).catch(refused);
  return {
    changed: created ? [owner, end.to_id] : [owner],
    end: { kind: end.to_type, id: end.to_id },
  };
}

/** The faults point to the inputs, since a record may have a field that is called like a part of a link. */
const atInputs =
  ({ type, to, role }: Places) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || error.errors.length === 0) throw error;
    const errors = error.errors.map(({ pointer, detail }) => {
      if (pointer.startsWith("/metadata_/qualifier")) return { pointer, detail };
      const isOfRole = pointer.startsWith("/metadata_/role");
      return { pointer: isOfRole ? role : pointer === "/relation_type" ? type : to, detail };
    });
    throw new Problem(error.code, error.told, { errors, cause: error });
  };

/** A row for a link in the form of a new record. */
export type LinkRow = { type: string; text: string; create: string; role: string; qualifier: string };

const ROW = /^link\/(\d+)\/value$/;

const partOfRow = (index: number, part: string): string => `link/${index}/${part}`;

export const controlsOfRoles = (rows: readonly LinkRow[]): [name: string, value: string][] =>
  rows.map(({ role }, index) => [partOfRow(index, "role"), role]);

const PARTS = [
  ["type", "admin.link.type"],
  ["value", "admin.link.to"],
  ["role", "admin.link.role"],
] as const;

/** The inputs of the rows. */
export const inputsOfRows = (rows: readonly LinkRow[]): SideForm =>
  Object.fromEntries(
    rows.flatMap((_, index) =>
      PARTS.map(([part, label]) => [partOfRow(index, part), { id: partOfRow(index, part), label }]),
    ),
  );

export const linkRowsOf = (fields: ReadonlyMap<string, string>): LinkRow[] =>
  [...fields].flatMap(([name, text]) => {
    const [, index] = ROW.exec(name) ?? [];
    if (index === undefined) return [];
    const of = (part: string) => fields.get(partOfRow(Number(index), part)) ?? "";
    return [{ text, type: of("type"), create: of("create"), role: of("role"), qualifier: of("qualifier") }];
  });

/** Ignores a qualifier if links of this type take none, because the page then hides it. */
export function wishOfRow(view: View, schema: Schema, kind: Kind, row: LinkRow, index: number): LinkWish {
  const { role, qualifier, ...wish } = row;
  const choice = linkChoices(view, schema, kind).find(({ name }) => name === row.type);
  const taken = choice?.takesQualifier && qualifier !== "" ? [{ value: qualifier }] : [];
  const at = (part: string) => `/${partOfRow(index, part)}`;
  const places = { type: at("type"), to: at("value"), role: at("role") };
  return { ...wish, at: places, metadata: { ...roleOf(role), qualifier: taken } };
}

export const roleInput = ({ t }: View, name: string, value = ""): Html =>
  html`<label><span>${t("admin.link.role")}</span><input id="${name}" name="${name}" value="${value}" maxlength="200" data-terms="${ROLES}" data-by-label autocomplete="off"></label>`;

/** `usual`: the preselected choice. */
export const linkTypes = (choices: readonly LinkChoice[], usual?: string): Html =>
  html`${choices.map(
    ({ name, label, to, takesQualifier }) =>
      html`<option value="${name}" data-to="${to.map((kind) => kinds[kind].plural).join(",")}" ${takesQualifier ? html`data-qualifies` : ""} ${name === usual ? html`selected` : ""}>${label}</option>`,
  )}`;

/** The links of a new record. */
export function newLinks(
  view: View,
  schema: Schema,
  place: Place,
  {
    rows,
    more,
    typed,
    faults,
  }: { rows: readonly LinkRow[]; more: boolean; typed: Typed; faults: readonly FaultJson[] },
): Html {
  const { t } = view;
  const choices = calledChoices(view, schema, place);
  const empty = { type: choices[0]?.name ?? "", text: "", create: "", role: "", qualifier: "" };
  const shown = [...rows, ...(more || rows.length === 0 ? [empty] : [])];
  return html`<fieldset class="field" data-prefix="link/"><legend class="hidden">${t("admin.links")}</legend>
    <p class="help">${t("admin.link.newHelp")}</p>
    <div class="entries">${shown.map((row, index) => {
      const name = (part: string) => partOfRow(index, part);
      const fault = faults.find(({ pointer }) => pointer.startsWith(`/${name("")}`));
      return html`<div class="entry filters">
        <label><span>${t("admin.link.type")}</span><select id="${name("type")}" name="${name("type")}">${linkTypes(choices, row.type)}</select></label>
        ${chooserInputs(view, schema, { ...{ name: name("value"), create: name("create"), of: `by:${name("type")}` }, value: row.text, created: row.create })}
        ${roleInput(view, name("role"), typed.labels.get(name("role")) ?? row.role)}
        ${choices.some(({ takesQualifier }) => takesQualifier) ? html`<label data-qualifier>${qualifierSelect(view, schema, name("qualifier"), row.qualifier)}</label>` : ""}
        <button type="button" class="quiet icon-only" data-remove hidden aria-label="${t("admin.remove", { what: `${t("admin.link.type")} ${index + 1}` })}">${icon("cross")}</button>
        ${fault ? html`<p class="fault">${fault.detail}</p>` : ""}
      </div>`;
    })}</div>
    <button class="quiet small" name="more" value="links" formnovalidate>${icon("plus")}${t("admin.another")}</button>
  </fieldset>`;
}
