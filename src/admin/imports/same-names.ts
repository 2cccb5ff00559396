/** Names in a list that mean a record of another name: chosen after a test run, saved with the list and its mapping. */

import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import { MOST_SAME } from "../../imports/mapping/same-names.ts";
import type { AlikeName, NewName } from "../../imports/report/new-names.ts";
import { lockJobFile, writeJobText } from "../../jobs/files.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";
import { isKind, type Kind } from "../../records/kinds.ts";
import { findRecords, recordsNow } from "../../records/read/store.ts";
import { IdShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";
import { LONGEST_NAME } from "../../text.ts";
import { uuidIn } from "../asked.ts";
import { demandSent, type Sent } from "./sent.ts";

/** By kind and name: the intended name, or the id of a record, a tab and its name at that time. */
export type SameNames = Partial<Record<Kind, Record<string, string>>>;

const SHOWN = 100;
const RECORD = /^([0-9a-f-]{36})\t(.*)$/s;

const shownName = (is: string): string => RECORD.exec(is)?.[2] ?? is;

type Pair = { kind: Kind; name: string; is: string };

const pairsOf = (same: SameNames): Pair[] =>
  Object.entries(same).flatMap(([kind, names]) =>
    isKind(kind) ? Object.entries(names ?? {}).map(([name, is]) => ({ kind, name, is })) : [],
  );

function sameOf(pairs: readonly Pair[]): SameNames {
  const kinds = new Set(pairs.map(({ kind }) => kind));
  const names = (kind: Kind) => pairs.flatMap((one) => (one.kind === kind ? [[one.name, one.is]] : []));
  return Object.fromEntries([...kinds].map((kind) => [kind, Object.fromEntries(names(kind))]));
}

/** Reads the JSON in the form. */
export function sameNamesOf(text: string | undefined): SameNames {
  try {
    const json: unknown = JSON.parse(text || "{}");
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
  } catch {
    return {};
  }
}

/** Saves one choice and answers the path to continue on. */
export async function takeSameName(
  sql: Sql,
  view: StaffView,
  fields: ReadonlyMap<string, string>,
): Promise<string> {
  const [kind = "", name = "", is = ""] = ["kind", "name", "is"].map((field) => fields.get(field));
  if (!isKind(kind) || name === "")
    throw invalid([{ pointer: "/name", detail: said("fault.import.required") }]);
  const long = Object.entries({ name, is }).flatMap(([field, { length }]) =>
    length > LONGEST_NAME
      ? {
          pointer: `/${field}`,
          detail: said("fault.length.too_long", { count: length, limit: LONGEST_NAME }),
        }
      : [],
  );
  if (long.length > 0) throw invalid(long);
  const id = uuidIn(view, "id");
  await sql.begin(async (tx) => {
    // two choices may arrive at once
    await lockJobFile(tx, id, "mapping");
    const { sent } = await demandSent(tx, view);
    const same = sameNamesOf(sent.form?.same);
    const { [name]: _, ...others } = same[kind] ?? {};
    const changed = { ...same, [kind]: is === "" ? others : { ...others, [name]: is } };
    if (Object.values(changed).flatMap(Object.keys).length > MOST_SAME)
      throw invalid([{ pointer: "/name", detail: said("fault.mapping.many_same", { most: MOST_SAME }) }]);
    const form = { ...sent.form, same: JSON.stringify(changed) };
    await writeJobText(tx, id, "mapping", JSON.stringify({ ...sent, form } satisfies Sent));
  });
  const job = IdShape.safeParse(fields.get("job"));
  return job.success ? `/admin/imports/jobs/${job.data}#new-names` : `/admin/imports/files/${id}`;
}

/**
 * The choices in the form, without unticked names and deleted records; and the same for a mapping, which identifies records by
 * their current numbers.
 */
export async function sameNow(
  sql: Sql,
  caller: Account,
  form: ReadonlyMap<string, string>,
): Promise<{ fields: Map<string, string>; same: SameNames }> {
  const shown = Number(form.get("same_shown") ?? 0);
  const ticked = pairsOf(sameNamesOf(form.get("same"))).filter(
    (_, at) => at >= shown || form.has(`same/${at}`),
  );
  const idOf = ({ is }: Pair) => IdShape.safeParse(RECORD.exec(is)?.[1]).data ?? null;
  const now = await recordsNow(sql, [...new Set(ticked.flatMap((pair) => idOf(pair) ?? []))]);
  const numbers = new Map<string, string>();
  for (const kind of new Set(ticked.map((pair) => pair.kind)))
    for (const { id, idno } of await findRecords(sql, caller, kind, [...now.values()])) numbers.set(id, idno);
  const there = ticked.flatMap((pair) => {
    const id = idOf(pair);
    const meant = id === null ? pair.is : numbers.get(now.get(id)!);
    return meant ? [{ pair, meant }] : [];
  });
  const kept = JSON.stringify(sameOf(there.map(({ pair }) => pair)));
  return {
    fields: new Map(form.has("same") ? [...form, ["same", kept]] : form),
    same: sameOf(there.map(({ pair, meant }) => ({ ...pair, is: meant }))),
  };
}

type Names = { names?: readonly NewName[]; alike?: readonly AlikeName[] };

/** On the page of a test run: the records that it would create for names, and existing records that may be the same. */
export function newNamesSection(
  view: View,
  { names = [], alike = [] }: Names,
  at: { job: string; file: string; same: SameNames } | null,
): Html {
  const { t, formats } = view;
  if (names.length === 0) return html``;
  const othersOf = ({ record_type, name }: NewName) =>
    alike.filter((one) => one.record_type === record_type && one.name === name);
  const asked = names.filter((one) => othersOf(one).length > 0);
  const shown = [...asked, ...names.filter((one) => !asked.includes(one))].slice(0, SHOWN);
  return html`<section class="group" aria-labelledby="new-names"><h2 id="new-names">${t("admin.import.newNames")}</h2>
    ${asked.length === 0 ? "" : html`<p class="help">${t("admin.import.newNamesHelp")}</p>`}
    <div class="scroll" tabindex="0" role="region" aria-labelledby="new-names"><table>
    <thead><tr><th>${t("admin.name")}</th><th>${t("admin.import.lines")}</th><th>${t("admin.import.maybe")}</th></tr></thead>
    <tbody>${shown.map(
      (
        one,
      ) => html`<tr><th scope="row"><span dir="auto">${one.name}</span> <small>${t(`kind.${one.record_type}`)}</small></th>
      <td>${one.lines.join(", ")}${one.rows > one.lines.length ? ` … (${formats.number(one.rows)})` : ""}</td>
      <td>${answers(view, one, othersOf(one), at)}</td></tr>`,
    )}</tbody></table></div>
    ${names.length > shown.length ? html`<p class="help">${t("bulk.shown", { shown: shown.length, all: names.length })}</p>` : ""}</section>`;
}

function answers(
  view: View,
  one: NewName,
  others: readonly AlikeName[],
  at: { job: string; file: string; same: SameNames } | null,
): Html {
  const { t, link } = view;
  const chosen = at?.same[one.record_type]?.[one.name];
  const button = (is: string, label: string, named: Html | string) =>
    at === null
      ? html`<div dir="auto">${named}</div>`
      : html`<form class="row" method="post" action="${link(`/admin/imports/files/${at.file}/same`)}">${csrfField(view)}
      <input type="hidden" name="job" value="${at.job}"><input type="hidden" name="kind" value="${one.record_type}">
      <input type="hidden" name="name" value="${one.name}"><input type="hidden" name="is" value="${is}">
      <span dir="auto">${named}</span> <button class="quiet small">${label}<span class="hidden">${t("form.colon")} ${one.name}</span></button></form>`;
  if (chosen !== undefined) return button("", t("admin.import.notSame"), html`= <b>${shownName(chosen)}</b>`);
  return html`${others.map(({ other, idno, id }) =>
    button(
      id ? `${id}\t${other}` : other,
      t("admin.import.same"),
      idno === null ? other : html`${other} <small>${idno}</small>`,
    ),
  )}`;
}

/** In the form for columns: the choices so far, saved with the other options. */
export function sameNamesField({ t }: View, text: string | undefined): Html {
  const chosen = pairsOf(sameNamesOf(text)).slice(0, SHOWN);
  if (chosen.length === 0) return html``;
  return html`<input type="hidden" name="same" value="${text}"><input type="hidden" name="same_shown" value="${chosen.length}">
    <fieldset class="choice"><legend>${t("admin.import.sameNames")}</legend>${chosen.map(
      ({ name, is }, at) =>
        html`<label class="tick"><input type="checkbox" name="same/${at}" value="yes" checked> <span dir="auto">${name} = ${shownName(is)}</span></label>`,
    )}</fieldset>`;
}
