/** Reports elements and attributes of XML and LIDO that were not read, with the number of records and an example. */
import { type Said, said } from "../../messages/said.ts";
import { brief } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import { item, listUnder } from "../report/counts.ts";
import { LOOKED_THROUGH } from "./unmapped.ts";

/** How many different places are counted, and how many the report lists. */
const MOST = 2_000;
const NAMED = 50;

export function createUnmappedPlaces() {
  const places = new Map<string, { records: number; example: string }>();
  let records = 0;
  let needsMapping = true;
  const sorted = () => [...places].sort(([, a], [, b]) => b.records - a.records);
  return {
    take({ row }: RowOutcome): void {
      records += 1;
      needsMapping &&= row.invalid === undefined;
      for (const [place, example] of row.unmapped ?? []) {
        const known = places.get(place);
        if (known) known.records += 1;
        else if (places.size < MOST) places.set(place, { records: 1, example });
      }
    },

    lines(most = NAMED): Said[] {
      if (places.size === 0) return [];
      if (!needsMapping)
        return listUnder(said("job.report.unread_elements"), sorted(), {
          lineOf: ([place, { records: count, example }]) =>
            item("job.report.unmapped_place", { place, count, example: brief(example) }),
          most,
        });
      const named = sorted().slice(0, most);
      const more = places.size - named.length;
      const list = named.map(([place, one]) => `${place} (${one.records})`).join(", ");
      const shown = more > 0 ? said("job.report.list_and_more", { list, count: more }) : list;
      return [
        records > LOOKED_THROUGH
          ? said("job.report.unmapped_in_first", { places: shown, count: LOOKED_THROUGH })
          : said("job.report.unmapped", { places: shown }),
      ];
    },

    /** Place → number of records; place → example. */
    json: () => ({
      unmapped: Object.fromEntries(sorted().map(([place, { records: count }]) => [place, count])),
      unmapped_examples: Object.fromEntries(sorted().map(([place, { example }]) => [place, example])),
    }),
  };
}
