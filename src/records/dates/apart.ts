/** Whether two dates of EDTF can be the same day. */
import { parseEdtf } from "./edtf.ts";

/** Days by which a date may be wrong that says that it is approximate or uncertain. */
const SLACK = 3653;

/** Whether all of `one` is before `other`. */
export function isBefore(one: string, other: string): boolean {
  const [first, second] = [parseEdtf(one), parseEdtf(other)];
  if (!first || !second) return false;
  const doubted = [first, second].some(({ approximate, uncertain }) => approximate || uncertain);
  const gap = (second.earliestDay ?? -Infinity) - (first.latestDay ?? Infinity);
  return gap > (doubted ? SLACK : 0);
}

export const areApart = (one: string, other: string): boolean => isBefore(one, other) || isBefore(other, one);
