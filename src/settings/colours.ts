/** Checks that the accent colour is readable on the backgrounds of both colour schemes (WCAG 2.2, 1.4.3). */
import { type Said, said } from "../messages/said.ts";

/** The backgrounds of text, as in style.css, the brightest first. */
export const GROUNDS = {
  light: ["#fffdfa", "#f8f5ef", "#efeae1"],
  dark: ["#191714", "#201d1a", "#2a2622"],
} as const;
export type Scheme = keyof typeof GROUNDS;

/** WCAG 2.2, AA for text. */
const ENOUGH = 4.5;
/** The contrast of derived colours, slightly above the minimum. */
const COMFORTABLE = 6;

/** The lowest contrast of a colour (`#14575e`) with the backgrounds of a scheme. */
export function leastContrast(colour: string, scheme: Scheme): { ratio: number; ground: string } {
  const all = GROUNDS[scheme].map((ground) => ({ ratio: contrast(colour, ground), ground }));
  return all.reduce((least, each) => (each.ratio < least.ratio ? each : least));
}

/** Why a colour cannot be used for text, with its contrast; null if it can. */
export function hardToRead(colour: string, scheme: Scheme): Said | null {
  const { ratio, ground } = leastContrast(colour, scheme);
  if (ratio >= ENOUGH) return null;
  // never rounded up to the minimum
  const contrast = Math.floor(ratio * 100) / 100;
  return said(`fault.colour.${scheme}`, { contrast, ground, enough: ENOUGH });
}

/** A lighter shade, for the dark scheme, of the colour chosen for the light one. */
export function lightened(colour: string): string {
  for (let white = 0; white <= 1; white += 0.02) {
    const mixed = hexOf(channelsOf(colour).map((value) => value + (255 - value) * white));
    if (leastContrast(mixed, "dark").ratio >= COMFORTABLE) return mixed;
  }
  return "#ffffff";
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const channelsOf = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const hexOf = (channels: readonly number[]): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
