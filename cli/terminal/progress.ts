/** Shows the progress of long work: a bar on a terminal, a line every few seconds elsewhere. */
import { type Said, said } from "../../src/messages/said.ts";
import { inWords } from "./words.ts";

export type Progress = {
  /** `part` from 0 to 1; undefined if the total is unknown. */
  show(part: number | undefined, told: Said): void;
  /** Removes the bar. */
  clear(): void;
};

const WIDTH = 28;

export function openProgress(): Progress {
  const out = process.stderr;
  const begun = performance.now();
  // a log gets its first line only if the work takes long
  let last = out.isTTY ? Number.NEGATIVE_INFINITY : begun;
  const every = out.isTTY ? 100 : 5_000;
  return {
    show(part, told) {
      // the result follows
      if (part === 1 || performance.now() - last < every) return;
      last = performance.now();
      const isGuessed = part !== undefined && part > 0.02;
      const time = isGuessed ? clock(((performance.now() - begun) / part) * (1 - part)) : "";
      const text = inWords(isGuessed ? said("cli.progress.left", { text: told, time }) : told);
      if (!out.isTTY) {
        out.write(`${part === undefined ? "" : `${Math.floor(part * 100)} %  `}${text}\n`);
        return;
      }
      const full = Math.round((part ?? 0) * WIDTH);
      const bar =
        part === undefined
          ? ""
          : `[${"█".repeat(full)}${"░".repeat(WIDTH - full)}] ${Math.floor(part * 100)} %  `;
      out.write(`\r\u001b[K${`${bar}${text}`.slice(0, (out.columns ?? 100) - 1)}`);
    },
    clear() {
      if (out.isTTY) out.write("\r\u001b[K");
    },
  };
}

function clock(ms: number): Said {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90
    ? said("cli.progress.seconds", { count: seconds })
    : said("cli.progress.minutes", { count: Math.ceil(seconds / 60) });
}
