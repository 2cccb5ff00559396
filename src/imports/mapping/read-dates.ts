/** The transform `edtf`, which turns written dates into EDTF. */
import { LruCache } from "../../lru-cache.ts";
import { said } from "../../messages/said.ts";
import {
  type DateFormat,
  type Language,
  readWrittenDate,
  saysUndated,
  type WrittenDate,
} from "../../records/dates/readings.ts";
import type { Step } from "./step.ts";
import { brief } from "./targets.ts";

const DATE_COST = 4_000;
const REMEMBERED_DATES = 5_000;

type DatesForm = { lang?: Language | undefined; format: readonly DateFormat[]; strict: boolean };

/** Caches the last dates, because dates are slow to read and many rows have the same. Caches copies of the cells (see `readCsv`). */
export function readDates({ lang, format, strict }: DatesForm): Step {
  const known = new LruCache<string, WrittenDate | null>(REMEMBERED_DATES);
  return (values, row) =>
    values.flatMap((text) => {
      const value = text.trim();
      if (value === "") return [];
      let date = known.get(value);
      if (date === undefined) {
        row.spend(DATE_COST);
        date = readWrittenDate(value, lang, format);
        if (value.length <= 100)
          known.set(...(JSON.parse(JSON.stringify([value, date])) as [string, WrittenDate | null]));
      }
      if (date?.readings) row.doubted(date);
      row.dated({ text: value, ...(date ? { edtf: date.edtf } : {}), ...(lang ? { lang } : {}) });
      if (date) return [date.edtf];
      if (saysUndated(value)) row.undated(value);
      else if (strict) row.fault(notDate(brief(value), row.wording));
      else row.unread(value);
      return [];
    });
}

const notDate = (value: string, field: string | undefined) =>
  field === undefined
    ? said("fault.row.not_date", { value })
    : said("fault.row.not_date_but_words", { value, field });
