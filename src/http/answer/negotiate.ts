/** Content negotiation: the best of the offered media types for the caller (RFC 9110 §12.5.1). */
import { type Language, languages } from "../../messages/translate.ts";

/**
 * The best of `offered` (in the order in which the server prefers them), or null if the caller accepts none. Parts of the header
 * that are not media ranges are ignored.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | null {
  const ranges = (accept ?? "")
    .slice(0, 2_000)
    .split(",")
    .map(readRange)
    .filter((range) => range !== null);
  if (ranges.length === 0) return offered[0] ?? null;
  let best: { type: string; q: number } | null = null;
  for (const type of offered) {
    const q = quality(type, ranges);
    if (q > 0 && (best === null || q > best.q)) best = { type, q };
  }
  return best?.type ?? null;
}

type Range = { type: string; q: number };

/** A parameter (RFC 9110 §5.6.6), which may be empty. Quoted commas and semicolons, which nobody sends, are not supported. */
const PARAMETER = /^(?:[^\s=;"]+=(?:[^\s"]*|"[^"\\]*"))?$/;

function readRange(text: string): Range | null {
  const [type, ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  if (type === undefined || !/^[^\s/]+\/[^\s/]+$/.test(type)) return null;
  if (!parameters.every((parameter) => PARAMETER.test(parameter))) return null;
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, q: weightOf(weight?.slice(2)) };
}

/** 1 if the weight is missing or invalid. */
function weightOf(text: string | undefined): number {
  return text !== undefined && /^(0(\.\d*)?|1(\.0*)?)$/.test(text) ? Number(text) : 1;
}

/** The most specific range that matches decides. */
function quality(type: string, ranges: readonly Range[]): number {
  const [main] = type.split("/");
  for (const pattern of [type, `${main}/*`, "*/*"]) {
    const range = ranges.find((candidate) => candidate.type === pattern);
    if (range) return range.q;
  }
  return 0;
}

/** Languages of an Accept-Language header, best first (RFC 9110 §12.5.4). */
export function preferredLanguages(header: string | undefined): string[] {
  if (!header) return [];
  return header
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", weight] = part.trim().split(/\s*;\s*q=/i);
      return { tag: tag.trim(), q: weightOf(weight?.trim()) };
    })
    .filter(({ tag, q }) => tag !== "" && tag !== "*" && q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ tag }) => tag);
}

/** The best supported language: `chosen`, then those of an Accept-Language header, then English. */
export function languageFor(header: string | undefined, chosen?: string): Language {
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...preferredLanguages(header)];
  for (const tag of wanted.map((each) => each.toLowerCase())) {
    const named = (other: string) => languages().find((language) => language.toLowerCase() === other);
    const found = named(tag) ?? named(tag.split("-")[0]!);
    if (found) return found;
  }
  return "en";
}
