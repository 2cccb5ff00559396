/** Checks a form while somebody fills it in: faults, dates in words, and fields needed for publication. Writes nothing. */

import type { Api } from "../../http/endpoint.ts";
import type { Translate } from "../../messages/translate.ts";
import type { Pages } from "../../pages/page.ts";
import { pageForm } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import type { Fault } from "../../problem.ts";
import { parseEdtf } from "../../records/dates/edtf.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { suggestDates } from "../../records/dates/readings.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { currentSchema, type Field, isNeededToPublish, type Schema } from "../../records/schema.ts";
import { parseDraft } from "../../records/shape.ts";
import { visibleFields } from "../../records/visibility.ts";
import { newState, stateFaults } from "../../records/write/rules.ts";
import { faultsNamed } from "../field-names.ts";
import { listPath } from "../sections.ts";
import { typedTerms, withStoredValues } from "./typed-terms.ts";
import { bodyOf, ENTRY, newBodyOf, type Values, valuesOfForm } from "./values.ts";
import { readingOfWords, withReadDates, wordingFieldOf } from "./written-dates.ts";

/** `keeps`: the date cannot be read, but the form can keep its wording. */
type Reading = { text: string; suggestions: { edtf: string; text: string }[]; keeps: boolean };

/** A date in the reader's language, with its earliest and latest day; empty if it is not EDTF. */
export function readingOf(t: Translate, value: string): string {
  const date = parseEdtf(value.trim());
  if (!date) return "";
  const words = dateInWords(date.edtf, t.language);
  const { earliest, latest } = date;
  const days = earliest === latest ? earliest : `${earliest ?? "…"} – ${latest ?? "…"}`;
  return words === days ? words : `${words} (${days})`;
}

/** Empty fields of the form without which the record cannot be published. */
export function missingFields(fields: readonly Field[], { metadata, status }: Values): Field[] {
  if (status === "public") return [];
  const isEmpty = ({ name }: Field) => !metadata[name]?.some(({ value }) => value.trim() !== "");
  return fields.filter((field) => isNeededToPublish(field) && isEmpty(field));
}

export function editorCheckRoutes(api: Api, pages: Pages): void {
  for (const kind of KINDS) {
    pageForm(api, pages, {
      path: `${listPath(kind)}/check`,
      summary: `What is wrong with the form for ${kinds[kind].one}, as JSON; nothing is written`,
      access: { action: "update", kind },
      async take(view, sent) {
        const schema = await currentSchema(api.services.sql);
        const fields = visibleFields(schema, view.caller, kind);
        const form = await withStoredValues(api.services.sql, view, fields, sent);
        const values = withReadDates(fields, valuesOfForm(kind, form));
        const missing = missingFields(fields, values).map(({ name, label }) => ({
          name,
          label: labelIn(label, view.t.language, name),
        }));
        const faults = faultsNamed(view, schema, kind, faultsOf(schema, kind, fields, values));
        const unlisted = [...(await typedTerms(api.services.sql, view, fields, form)).unlisted];
        return view.c.json({ faults, missing, readings: readings(view, fields, form), unlisted }, 200, {
          "Cache-Control": "no-store",
        });
      },
    });
  }
}

function faultsOf(schema: Schema, kind: Kind, fields: readonly Field[], values: Values): Fault[] {
  const read = parseDraft(kind, newBodyOf(bodyOf(kind, { ...values, status: "draft" }, fields, null)));
  return "faults" in read ? read.faults : stateFaults(schema, kind, newState(schema, kind, read.draft));
}

/** The readings of dates, by name of control. */
function readings(
  { t }: View,
  fields: readonly Field[],
  form: ReadonlyMap<string, string>,
): Record<string, Reading> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const field = fields.find((each) => each.name === ENTRY.exec(name)?.[1]);
      if (field?.field_type !== "date") return [];
      const wording = wordingFieldOf(fields, field);
      const edtf = readingOfWords(value);
      if (edtf !== null) {
        const read = { edtf, text: dateInWords(edtf, t.language) };
        const text = t(wording ? "editor.date.savedWithWords" : "editor.date.saved", read);
        return [[name, { text, suggestions: [], keeps: false }]];
      }
      const text = readingOf(t, value);
      const meant = text === "" ? suggestDates(value) : [];
      const suggestions = meant.map((each) => ({ edtf: each, text: dateInWords(each, t.language) }));
      return [[name, { text, suggestions, keeps: text === "" && wording !== undefined }]];
    }),
  );
}
