/** Tables of where objects are and were. */
import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import type { Movement, Named } from "../../procedures/movements.ts";
import type { Kind } from "../../records/kinds.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { findNamed } from "../../records/public/neighbours.ts";
import { currentSchema } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { nameOf } from "../record-names.ts";
import { recordPath } from "../sections.ts";

/** The same movements with the names of records in the reader's language. */
export async function namedMovements(
  sql: Sql,
  view: View,
  movements: readonly Movement[],
): Promise<Movement[]> {
  const ends = movements.flatMap(({ object, from, to, procedure }) => [object, from, to, procedure]);
  const ids = [...new Set(ends.flatMap((end) => end?.id ?? []))];
  const schema = await currentSchema(sql);
  const found = await findNamed(sql, schema, view.caller, ids);
  const paths = await locationPaths(sql, schema, view.caller, [view.t.language], [...found.values()]);
  const named = <N extends Named | null>(end: N): N => {
    const record = found.get(end?.id ?? "");
    return record ? { ...end, title: paths.get(record.id) ?? nameOf(view, schema, record) } : end;
  };
  return movements.map((one) => ({
    ...one,
    object: named(one.object),
    from: named(one.from),
    to: named(one.to),
    procedure: named(one.procedure),
  }));
}

const linkTo = ({ link }: View, kind: Kind, { id, idno, title }: Named): Html =>
  id === null
    ? html`<span dir="auto">${title}</span>`
    : html`<a href="${link(recordPath(kind, id))}" dir="auto">${title}</a>${title === idno ? "" : html` <small>${idno}</small>`}`;

/** The place, or that the object has none, and the loan that it is on. */
export function placeOf(view: View, { to, procedure }: Movement): Html {
  const place = to ? linkTo(view, "storage_location", to) : html`${view.t("admin.location.nowhere")}`;
  return procedure ? html`${place} · ${linkTo(view, "procedure", procedure)}` : place;
}

/** The date of a movement; if nobody gave one, the date on which it was recorded. */
const told = ({ t, formats }: View, day: string | null, recorded: string): Html =>
  day === null
    ? html`<small><time datetime="${recorded}Z">${t("admin.location.recorded", { day: formats.day(recorded) })}</time></small>`
    : html`<time datetime="${day}">${formats.day(`${day}T12:00:00`)}</time>`;

/** `of`: the class of the cells. */
type Column = { label: string; cell: (movement: Movement) => Html | string; of?: "pick" | "nowrap" };

function table(label: string, columns: readonly Column[], movements: readonly Movement[], head?: Html): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="records movements">
    <thead><tr>${columns.map((one) => (one.of === "pick" ? html`<th class="pick">${head ?? ""}</th>` : html`<th>${one.label}</th>`))}</tr></thead>
    <tbody>${movements.map(
      (movement) =>
        html`<tr>${columns.map(({ cell, of }) => html`<td class="${of ?? ""}">${cell(movement)}</td>`)}</tr>`,
    )}</tbody></table></div>`;
}

/** Columns of both tables. */
function columnsOf(view: View): Record<"since" | "until" | "reason", Column> {
  const { t } = view;
  return {
    since: { label: t("admin.location.since"), cell: ({ date, at }) => told(view, date, at), of: "nowrap" },
    until: {
      label: t("admin.location.until"),
      cell: ({ until, left_at }) => (left_at === null ? t("admin.location.now") : told(view, until, left_at)),
      of: "nowrap",
    },
    reason: {
      label: t("admin.location.reason"),
      cell: ({ reason }) => html`<span dir="auto">${reason ?? ""}</span>`,
    },
  };
}

/** The movements of one object. */
export function historyTable(view: View, movements: readonly Movement[]): Html {
  const { t } = view;
  const place: Column = { label: t("admin.location.place"), cell: (one) => placeOf(view, one) };
  const { since, until, reason } = columnsOf(view);
  const by: Column = {
    label: t("admin.location.by"),
    cell: ({ actor }) => actor ?? t("admin.theProgram"),
  };
  return table(t("admin.locations"), [place, since, until, reason, by], movements);
}

/** The movements to one place. `picks`: each row has a checkbox (`admin.js`). */
export function contentsTable(
  view: View,
  label: string,
  movements: readonly Movement[],
  which: { picks: boolean; left: boolean },
): Html {
  const { t } = view;
  const tick = ({ object: { id, idno } }: Movement) =>
    html`<input type="checkbox" name="pick/${id}" aria-label="${t("bulk.pick", { what: idno ?? "" })}">`;
  const { since, until, reason } = columnsOf(view);
  const columns: Column[] = [
    ...(which.picks ? [{ label: "", cell: tick, of: "pick" as const }] : []),
    { label: t("admin.place.object"), cell: ({ object }) => linkTo(view, "object", object) },
    since,
    ...(which.left ? [until] : []),
    reason,
  ];
  const all = html`<input type="checkbox" data-pick-all hidden aria-label="${t("bulk.pickAll")}">`;
  return table(label, columns, movements, all);
}
