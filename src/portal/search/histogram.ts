/** The number of records by decade or century. The bars are links. Inline SVG, without scripts. */

import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { bucketOf, type Years, yearsOf } from "../../search/buckets.ts";
import { edtfYear } from "./address.ts";
import { type Counts, MOST_COUNTED } from "./facets.ts";

/** `value`: as in the index, `193X` or `19XX`. */
export type Bar = Years & { value: string; count: number };

/** Up to this number of centuries, the bars are decades. */
const FEW_CENTURIES = 3;

/**
 * Every decade or century from the first to the last, including empty ones.
 * @param within the years to show; null: all
 */
export function barsOf(counts: Counts, field: string, within: Years | null): Bar[] {
  const centuries = counts[`${field}.century`] ?? [];
  const decades = counts[`${field}.decade`] ?? [];
  const spans = centuries.flatMap(({ value }) => yearsOf(value) ?? []);
  const all = within ?? spanOf(spans);
  if (all === null) return [];
  // if as many decades are counted as the index counts, some may be missing
  const isFew = within !== null || (all.to - all.from < FEW_CENTURIES * 100 && decades.length < MOST_COUNTED);
  const [size, counted] = isFew ? ([10, decades] as const) : ([100, centuries] as const);
  const bars = seriesOf(all, size).map((value) => ({
    ...yearsOf(value)!,
    value,
    count: counted.find((each) => each.value === value)?.count ?? 0,
  }));
  return within === null ? trimmed(bars) : bars;
}

function spanOf(spans: readonly Years[]): Years | null {
  if (spans.length === 0) return null;
  return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
}

function seriesOf({ from, to }: Years, size: 10 | 100): string[] {
  const series: string[] = [];
  for (let year = from; year <= to; ) {
    const value = bucketOf(year, size);
    series.push(value);
    year = yearsOf(value)!.to + 1;
  }
  return series;
}

/** Without the empty bars at both ends. */
function trimmed(bars: readonly Bar[]): Bar[] {
  const first = bars.findIndex(({ count }) => count > 0);
  const last = bars.findLastIndex(({ count }) => count > 0);
  return first === -1 ? [] : bars.slice(first, last + 1);
}

/** The years to show when some are chosen: the centuries around them if they are few, else all (null). */
export function windowFor(chosen: Years | null): Years | null {
  if (chosen === null || chosen.to - chosen.from >= 100) return null;
  const first = yearsOf(bucketOf(chosen.from, 100))!;
  const last = yearsOf(bucketOf(chosen.to, 100))!;
  return { from: first.from, to: last.to };
}

const HEIGHT = 56;
const WIDTH = 10;
/** How many digits, with the gaps between numbers, fit above a narrow and a wide histogram. */
const FEW_DIGITS = 30;
const MANY_DIGITS = 120;
/** The lowest bar. Heights are square roots, so that small counts are visible beside large ones. */
const LOWEST = 2;

/**
 * @param address returns the address of the search with this bar chosen
 * @param ticks the most bars with a label below
 */
export function histogram(
  view: View,
  label: string,
  bars: readonly Bar[],
  chosen: Years | null,
  address: (bar: Bar) => string,
  ticks = 2,
): Html {
  const most = Math.max(...bars.map(({ count }) => count), 1);
  const isIn = (bar: Bar) => chosen !== null && bar.from <= chosen.to && bar.to >= chosen.from;
  const drawn = bars.map((bar, index) => {
    const height = bar.count === 0 ? 0 : LOWEST + (HEIGHT - LOWEST) * Math.sqrt(bar.count / most);
    const words = `${dateInWords(bar.value, view.t.language)}${view.t("form.colon")} ${view.t("job.count.records", { count: bar.count })}`;
    const shapes = html`<rect class="reach" x="${index * WIDTH}" width="${WIDTH}" height="${HEIGHT}"/><rect class="bar" x="${index * WIDTH + 1}" y="${(HEIGHT - height).toFixed(1)}" width="${WIDTH - 2}" height="${height.toFixed(1)}"/>`;
    const [from, to] = [bar.from, bar.to].map((year) => dateInWords(edtfYear(year), view.t.language));
    if (bar.count === 0) return html`<g data-from="${from}" data-to="${to}">${shapes}</g>`;
    return html`<a href="${address(bar)}" rel="nofollow" ${isIn(bar) ? html`class="chosen"` : ""} aria-label="${words}" data-from="${from}" data-to="${to}"><title>${words}</title>${shapes}</a>`;
  });
  // the counts of all bars if there is room for them, else of the highest
  const isRoomy = bars.length * (String(most).length + 1) <= (ticks === 2 ? FEW_DIGITS : MANY_DIGITS);
  const highest = bars.findIndex(({ count }) => count === most);
  const counts = bars.map(({ count }, index) => {
    const hasCount = index === highest || (isRoomy && count > 0);
    return html`<span${index === highest ? html` class="most"` : ""}>${hasCount ? view.formats.number(count) : ""}</span>`;
  });
  const step = Math.max(Math.ceil((bars.length - 1) / (ticks - 1)), 1);
  const labels = bars.map(({ value }, index) => {
    const isLast = index === bars.length - 1;
    // a label beside the last one would overlap it
    const hasLabel = isLast || (index % step === 0 && (index === 0 || bars.length - 1 - index > step / 2));
    return html`<span>${hasLabel ? dateInWords(value, view.t.language) : ""}</span>`;
  });
  return html`<p class="bar-counts" aria-hidden="true">${counts}</p>
    <svg class="histogram" viewBox="0 0 ${bars.length * WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="group" aria-label="${label}">${drawn}</svg>
    <p class="axis" aria-hidden="true">${ticks === 2 ? [labels[0], ...labels.slice(1).slice(-1)] : labels}</p>`;
}
