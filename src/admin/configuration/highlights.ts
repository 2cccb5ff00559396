/** Highlights, chosen by name and shown with their picture. The settings contain ids. */
import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { withSemicolons } from "../../messages/semicolons.ts";
import { faultsOf } from "../../pages/forms.ts";
import type { Html, View } from "../../pages/view.ts";
import { type FaultJson, invalid } from "../../problem.ts";
import { kinds, PUBLIC_KINDS } from "../../records/kinds.ts";
import { sizedImage } from "../../records/media/pictures.ts";
import { findCovers } from "../../records/media/store.ts";
import { findNamed } from "../../records/public/neighbours.ts";
import { recordsNow } from "../../records/read/store.ts";
import { currentSchema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";
import { MOST_HIGHLIGHTS } from "../../settings/shape.ts";
import { recordsMeant, typedAs } from "../chosen.ts";
import { LONGEST_VALUE } from "../lists/params.ts";
import { titleOf } from "../record-names.ts";

/** The number of empty inputs. */
const MORE = 3;
const PICK = PUBLIC_KINDS.map((kind) => kinds[kind].plural).join(",");

/** `value`: name and number, from which the record is found again. */
type Highlight = { value: string; picture: string | null };

/** In the order of the ids. A deleted record, or one that the caller may not see, is shown as its id. */
export async function highlightsOf(sql: Sql, view: View, ids: readonly string[]): Promise<Highlight[]> {
  const now = [...new Set((await recordsNow(sql, ids)).values())];
  const covers = await findCovers(sql, view.caller, now);
  const schema = await currentSchema(sql);
  const named = await findNamed(sql, schema, view.caller, now);
  return now.map((id) => {
    const row = named.get(id);
    const cover = covers.get(id);
    return {
      value: row ? typedAs(titleOf(view, schema, row), row.idno) : id,
      picture: cover ? sizedImage(view.link(""), cover, 80).address : null,
    };
  });
}

/** `typed`: the texts that were sent and must be corrected. */
export function highlightsControl(
  { t }: View,
  shown: readonly Highlight[],
  typed: readonly string[] | undefined,
  faults: readonly FaultJson[],
): Html {
  const pictures = new Map(shown.map(({ value, picture }) => [value, picture]));
  const values = [...(typed ?? shown.map(({ value }) => value)), ...Array<string>(MORE).fill("")];
  const own = faultsOf("highlights", faults);
  const picture = (value: string) => {
    const address = pictures.get(value);
    return html`<span class="thumbnail">${address ? html`<img src="${address}" alt="" loading="lazy">` : ""}</span>`;
  };
  return html`<fieldset class="field" id="highlights"><legend>${t("settings.highlights")}</legend>
    <p class="help">${t("settings.highlightsHelp", { most: MOST_HIGHLIGHTS })}</p>
    <ol class="highlights plain">${values.map(
      (value, n) =>
        html`<li>${picture(value)}<input name="highlights/${n}" value="${value}" dir="auto" maxlength="${LONGEST_VALUE}" autocomplete="off" data-pick="${PICK}" aria-label="${t("settings.highlight", { number: n + 1 })}"></li>`,
    )}</ol>
    ${
      own.length === 0
        ? ""
        : html`<p class="fault">${withSemicolons(
            t,
            own.map(({ detail }) => detail),
          )}</p>`
    }</fieldset>`;
}

export const sentHighlights = (fields: ReadonlyMap<string, string>): string[] =>
  [...fields]
    .filter(([name, value]) => /^highlights\/\d+$/.test(name) && value.trim() !== "")
    .map(([, value]) => value.trim());

/** 422 if a text means no record. */
export async function idsOf(sql: Sql, caller: Account, texts: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  // one more than the limit, so that the shape refuses too many
  for (const text of texts.slice(0, MOST_HIGHLIGHTS + 1)) {
    const found = IdShape.safeParse(text).success ? text.toLowerCase() : await idOf(sql, caller, text);
    if (found === undefined) {
      const detail = said("fault.record.no_number", { number: text.slice(0, 100) });
      throw invalid([{ pointer: "/highlights", detail }]);
    }
    ids.push(found);
  }
  return ids;
}

async function idOf(sql: Sql, caller: Account, text: string): Promise<string | undefined> {
  const [found] = await recordsMeant(sql, caller, PUBLIC_KINDS, text);
  return found?.id;
}
