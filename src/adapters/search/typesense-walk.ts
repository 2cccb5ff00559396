/**
 * Records in the order of their ids. Typesense exports in no order, and sorting what is left of a million records for
 * every page would take minutes, so a page is asked for within a stretch of ids that holds few.
 */
import { idNumbers } from "./typesense-codes.ts";
import { afterFilter, allOf, belowFilter, type Filter, fromFilter } from "./typesense-filter.ts";
import type { StoredRecord } from "./typesense-record.ts";
import type { Found, Search } from "./typesense-server.ts";

/** The first number of an id ends here. */
const END = 2 ** 52;
/** Records that Typesense gives at once. */
const PAGE = 250;
/** Records in a stretch: more are sorted for nothing, with none the call was made for nothing. */
const MANY = 20_000;

export type Walk = (after: string | null, limit: number, fields: string) => Promise<StoredRecord[]>;

/** @param within another filter that records have to pass; its walk is one of its own. */
export function walkFrom(search: (searches: readonly Search[]) => Promise<Found[]>, within?: Filter): Walk {
  // how long a stretch was good the last time
  let length = END;
  return async (after, limit, fields) => {
    const records: StoredRecord[] = [];
    let from = after === null ? 0 : idNumbers(after)[0];
    let begin = after === null ? fromFilter(from) : afterFilter(after);
    while (records.length < limit && from < END) {
      const end = Math.min(END, from + length);
      const filter = allOf([begin, belowFilter(end), ...(within === undefined ? [] : [within])]);
      if (filter === null) return [];
      const [found] = await search([
        {
          q: "*",
          filter_by: filter,
          sort_by: "id_1:asc,id_2:asc,id_3:asc",
          limit: Math.min(PAGE, limit - records.length),
          include_fields: fields,
        },
      ]);
      const { hits, found: total } = found!;
      records.push(...hits.map(({ document }) => document));
      if (total > hits.length) {
        const last = records.at(-1)!.id;
        from = idNumbers(last)[0];
        begin = afterFilter(last);
      } else {
        from = end;
        begin = fromFilter(end);
      }
      if (total > MANY) length = Math.max(1, Math.floor(length / 4));
      else if (total < PAGE) length = Math.min(END, length * 4);
    }
    return records;
  };
}
