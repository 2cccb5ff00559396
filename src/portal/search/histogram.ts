/** How many records there are by decade or century, as bars that are links. Inline SVG; without scripts. */

import { html } from "hono/html";
import type { Html, View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import { bucketOf, type Years, yearsOf } from "../../search/buckets.ts";
import { edtfYear } from "./address.ts";
import type { Counts } from "./facets.ts";

/** `value`: as the search counts it, `193X` or `19XX`. */
export type Bar = Years & { value: string; count: number };

/** Centuries that are shown by decade. */
const FEW_CENTURIES = 3;
/** The index counts so many values: of more decades some would be missing. */
const MOST_COUNTED = 50;

/**
 * Every decade or century from the first to the last, the empty ones too.
 * @param within years that are shown; null: all that there are
 */
export function barsOf(counts: Counts, field: string, within: Years | null): Bar[] {
  const centuries = counts[`${field}.century`] ?? [];
  const decades = counts[`${field}.decade`] ?? [];
  const spans = centuries.flatMap(({ value }) => yearsOf(value) ?? []);
  const all = within ?? spanOf(spans);
  if (all === null) return [];
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

/** Without the empty ones at both ends. */
function trimmed(bars: readonly Bar[]): Bar[] {
  const first = bars.findIndex(({ count }) => count > 0);
  const last = bars.findLastIndex(({ count }) => count > 0);
  return first === -1 ? [] : bars.slice(first, last + 1);
}

/** What years are shown while these are chosen: the centuries around a few, else everything. */
export function windowFor(chosen: Years | null): Years | null {
  if (chosen === null || chosen.to - chosen.from >= 100) return null;
  const first = yearsOf(bucketOf(chosen.from, 100))!;
  const last = yearsOf(bucketOf(chosen.to, 100))!;
  return { from: first.from, to: last.to };
}

const HEIGHT = 56;
const WIDTH = 10;
/** So that one record among thousands is seen. Heights go by the square root: few would be nothing beside many. */
const LOWEST = 2;

/**
 * @param address of the search with this bar chosen
 * @param ticks bars that are named below, where there is room for them
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
  const step = Math.max(Math.ceil((bars.length - 1) / (ticks - 1)), 1);
  const named = bars.map(({ value }, index) => {
    const isLast = index === bars.length - 1;
    // one that stands beside the last would run into it
    const isNamed = isLast || (index % step === 0 && (index === 0 || bars.length - 1 - index > step / 2));
    return html`<span>${isNamed ? dateInWords(value, view.t.language) : ""}</span>`;
  });
  return html`<svg class="histogram" viewBox="0 0 ${bars.length * WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="group" aria-label="${label}">${drawn}</svg>
    <p class="axis" aria-hidden="true">${ticks === 2 ? [named[0], ...named.slice(1).slice(-1)] : named}</p>`;
}
