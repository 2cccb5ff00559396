/** A list like a real register: one row in a hundred is refused, for one of three reasons. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export const MIXED_MAPPING = {
  number: "__idno__",
  title: { target: "title", lang: "en" },
  year: "date",
  maker: "__relation:created_by:entity__",
};

/** The reasons for which bad rows are rejected, in turn. */
export const MIXED_REASONS = [/19o2/, /number|idno/, /cells|columns/] as const;

/** Row `n`, from 1; every hundredth is bad. */
function row(n: number): string {
  const maker = `Maker ${n % 400}`;
  if (n % 100 !== 0) return `M-${n},Harbour view no ${n},${1850 + (n % 120)},${maker}`;
  const kinds = [
    `M-${n},Harbour view no ${n},19o2,${maker}`,
    `,Harbour view no ${n},1902,${maker}`,
    `M-${n},Harbour view no ${n},1902,${maker},one cell too many`,
  ];
  return kinds[(n / 100) % kinds.length]!;
}

function* mixedLines(rows: number): Generator<string> {
  yield `${Object.keys(MIXED_MAPPING).join(",")}\n`;
  for (let n = 1; n <= rows; n++) yield `${row(n)}\n`;
}

export function mixedList(rows: number): string {
  return [...mixedLines(rows)].join("");
}

export async function writeMixedList(path: string, rows: number): Promise<void> {
  await pipeline(Readable.from(mixedLines(rows)), createWriteStream(path));
}
