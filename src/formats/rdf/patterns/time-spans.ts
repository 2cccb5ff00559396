/**
 * Dates as E52_Time-Span. Years are astronomical, as in XSD 1.1 and EDTF: 0000 is 1 BC. Days instead of xsd:gYear,
 * because P82a and P82b expect xsd:dateTime, and days can be compared with that.
 */
import { type EdtfDate, parseEdtf } from "../../../records/dates/edtf.ts";
import { type Graph, typed } from "../graph.ts";

/** The first or last second of a day of `EdtfDate`. EDTF writes long years with a plus, XSD without. */
const moment = (day: string, time: "00:00:00" | "23:59:59") =>
  typed(`${day.replace("+", "")}T${time}Z`, "xsd:dateTime");

/**
 * Adds a time-span that contains all dates. @param lasted the event fills the interval, so its beginning and end are known;
 * otherwise it happened at some time within the interval
 */
export function writeTimeSpan(
  graph: Graph,
  node: string,
  dates: readonly string[],
  { lasted = false }: { lasted?: boolean } = {},
): void {
  const read = dates.map(parseEdtf).filter((date) => date !== null);
  graph.node(node, "E52_Time-Span");
  const first = outermost(read, (date) => date.earliestDay, -1)?.earliest;
  const last = outermost(read, (date) => date.latestDay, 1)?.latest;
  if (first) graph.add(node, "P82a_begin_of_the_begin", moment(first, "00:00:00"));
  const [start, end] = lasted && read.length === 1 ? sidesOf(read[0]!) : [null, null];
  const known = !(start?.latestDay && end?.earliestDay) || start.latestDay <= end.earliestDay;
  if (start?.latest && known) graph.add(node, "P81a_end_of_the_begin", moment(start.latest, "23:59:59"));
  if (end?.earliest && known) graph.add(node, "P81b_begin_of_the_end", moment(end.earliest, "00:00:00"));
  if (last) graph.add(node, "P82b_end_of_the_end", moment(last, "23:59:59"));
  for (const date of read) {
    const quality = qualityOf(date);
    if (quality && date.earliest) graph.add(node, "P79_beginning_is_qualified_by", quality);
    if (quality && date.latest) graph.add(node, "P80_end_is_qualified_by", quality);
    graph.add(node, "P170i_time_is_defined_by", typed(date.edtf, "edtf:EDTF"));
  }
}

/** The date that begins first (-1) or ends last (1); null if one is open on that side. */
function outermost(
  dates: readonly EdtfDate[],
  day: (date: EdtfDate) => number | null,
  sign: 1 | -1,
): EdtfDate | null {
  let found: EdtfDate | null = null;
  for (const date of dates) {
    const here = day(date);
    if (here === null) return null;
    if (found === null || (here - day(found)!) * sign > 0) found = date;
  }
  return found;
}

/** Beginning and end of a certain interval; null for a side that is unknown. */
function sidesOf(date: EdtfDate): [EdtfDate | null, EdtfDate | null] {
  const sides = date.edtf.split("/");
  if (sides.length !== 2 || date.approximate || date.uncertain) return [null, null];
  return [parseEdtf(sides[0]!), parseEdtf(sides[1]!)];
}

function qualityOf({ approximate, uncertain }: EdtfDate) {
  const words = [...(uncertain ? ["uncertain"] : []), ...(approximate ? ["approximate"] : [])];
  return words.length === 0 ? null : { value: words.join(", "), lang: "en" };
}
