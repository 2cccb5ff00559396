/** Measurements in LIDO with a qualifier: `height: about 62.5 cm`. */
import { readMeasured } from "../rdf/patterns/things.ts";

const ABOUT = /(?<=^|[\s:=])(ca\.?|circa|c\.|etwa|about|approx\.|env\.|environ)\s+(?=\d)/i;

/** Reads a measurement; `about`: the word before its value, else "". */
export function readAbout(text: string): (ReturnType<typeof readMeasured> & { about: string }) | null {
  const about = ABOUT.exec(text)?.[1] ?? "";
  const measured = readMeasured(text.replace(ABOUT, ""));
  return measured && { ...measured, about };
}
