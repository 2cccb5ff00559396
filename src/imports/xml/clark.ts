/** Names in Clark notation, `{uri}local` (http://www.jclark.com/xml/xmlns.htm), and paths of such names that select records. */
import { normalised } from "../../text.ts";

/** Rewrites `{uri}local` as `Q{uri}local`, the notation of XPath 3.1, except inside quotes. */
export function fromClark(xpath: string): string {
  return xpath.replace(
    /"[^"]*"|'[^']*'|Q\{[^{}]*\}|(?<![\p{L}\p{N}_.-])\{([^{}]*)\}(?=[\p{L}_*])/gu,
    (whole, uri: string | undefined) => (uri === undefined ? whole : `Q{${uri}}`),
  );
}

/** A step of a record path. `deep`: it follows `//`. A null `uri` or `local` matches any. */
type Step = { deep: boolean; uri: string | null; local: string | null };

/** The steps that the children of an element may match, as bits: bit n for step n. */
type Reached = number;

export type RecordPath = {
  /** The state before the root element. */
  begin: Reached;
  /** The state after an element whose parent has the state `before`. */
  at(before: Reached, uri: string, local: string): Reached;
  isRecord(reached: Reached): boolean;
  /** The local name of a record; null if it may be any. */
  local: string | null;
};

const STEP = /(\/\/|\/|^)(?:Q?\{([^{}]*)\}|(\*):)?(\*|[\p{L}_][\p{L}\p{N}_.·-]*)/uy;
const MOST_STEPS = 30;

/** Parses a path of names only (`/a/{uri}b`, `//b`, `*`), which can be matched while the file is read. Null for any other XPath. */
export function parseRecordPath(xpath: string): RecordPath | null {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < xpath.length) {
    const found = STEP.exec(xpath);
    if (!found) return null;
    const [, part, uri, any, name] = found;
    const local = name === "*" ? null : normalised(name!, "NFC");
    const anywhere = any !== undefined || (uri === undefined && local === null);
    steps.push({ deep: part === "//", uri: anywhere ? null : (uri ?? ""), local });
  }
  if (steps.length === 0 || steps.length > MOST_STEPS) return null;
  const whole = 1 << steps.length;
  return {
    begin: 1,
    at(before, uri, local) {
      let reached = 0;
      for (const [n, step] of steps.entries()) {
        if ((before & (1 << n)) === 0) continue;
        if (step.deep) reached |= 1 << n;
        if ((step.uri ?? uri) === uri && (step.local ?? local) === local) reached |= 1 << (n + 1);
      }
      return reached;
    },
    isRecord: (reached) => (reached & whole) !== 0,
    local: steps.at(-1)!.local,
  };
}
