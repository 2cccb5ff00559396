/** The form that moves objects: the new place, the date and the reason. */
import { html } from "hono/html";
import { type Account, mayDo } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import type { Html, View } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";
import { demandPast, type Move, today } from "../../procedures/move.ts";
import { DayShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";
import type { SideForm } from "../asked.ts";
import { demandTyped, recordNumbered } from "../chosen.ts";

/** Where faults of the form lead. `id`: begins the ids of its inputs. The API calls the day `date`. */
export function moveForm(id: string): SideForm {
  const day = { id: `${id}-day`, label: "admin.location.day" } as const;
  return { to: { id: `${id}-to`, label: "admin.location.to" }, day, date: day };
}

/** The new place, the date and the reason. `to`: the place as typed; null if the page itself is that of the place. */
export function moveInputs({ t }: View, id: string, to: string | null = ""): Html {
  return html`${to === null ? "" : html`<label class="wide"><span>${t("admin.location.to")}</span><input id="${id}-to" name="to" value="${to}" required maxlength="200" autocomplete="off" data-pick="storage-locations"></label>`}
    <label><span>${t("admin.location.day")}</span><input id="${id}-day" type="date" name="day" value="${today()}" required></label>
    <label class="wide"><span>${t("admin.location.note")}</span><input name="note" maxlength="2000"></label>`;
}

/** 422 if the place is unknown, or if the date is invalid or in the future. */
export async function moveOfForm(
  sql: Sql,
  caller: Account,
  fields: ReadonlyMap<string, string>,
): Promise<Move> {
  return {
    to: await placeOfForm(sql, caller, fields),
    day: dayOfForm(fields),
    reason: (fields.get("note") ?? "").trim().slice(0, 2_000),
  };
}

/** The same for a loan, which needs no place. */
export async function sendingOfForm(
  sql: Sql,
  caller: Account,
  fields: ReadonlyMap<string, string>,
): Promise<{ to: string | null; day: string }> {
  const isAnywhere = (fields.get("to") ?? "").trim() === "";
  return { to: isAnywhere ? null : await placeOfForm(sql, caller, fields), day: dayOfForm(fields) };
}

async function placeOfForm(sql: Sql, caller: Account, fields: ReadonlyMap<string, string>): Promise<string> {
  const number = demandTyped(fields.get("to") ?? "", "/to");
  const place = mayDo(caller, "read", "storage_location")
    ? await recordNumbered(sql, caller, "storage_location", number)
    : undefined;
  if (place) return place.id;
  throw invalid([{ pointer: "/to", detail: said("admin.location.unknown", { number }) }]);
}

function dayOfForm(fields: ReadonlyMap<string, string>): string {
  const day = fields.get("day") ?? "";
  if (!DayShape.safeParse(day).success) {
    const detail = day === "" ? said("fault.required") : said("admin.location.noDay", { day });
    throw invalid([{ pointer: "/day", detail }]);
  }
  demandPast(day, "/day");
  return day;
}
