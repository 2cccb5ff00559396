/**
 * The only errors that callers see: RFC 9457 problem details.
 *
 * Code throws `new Problem("not_found", said("problem.record.not_found", …))`; `app.ts` turns it into an answer.
 * Any other exception is a bug: it is logged, and the answer says "Internal error" with the request id.
 */

import { type Said, said, say } from "./messages/said.ts";
import { ENGLISH, MESSAGE_KEYS, type Translate } from "./messages/translate.ts";

/** The kinds of problem, and their HTTP status. */
export const PROBLEMS = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  stale: 412,
  too_large: 413,
  unsupported_type: 415,
  no_such_range: 416,
  invalid: 422,
  too_many: 429,
  headers_too_large: 431,
  internal: 500,
  not_implemented: 501,
  source_down: 502,
  unavailable: 503,
  timed_out: 504,
} as const satisfies Record<string, number>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_KINDS = Object.keys(PROBLEMS) as ProblemCode[];

/** One fault of an input. `pointer` is an RFC 6901 JSON Pointer, or `query:NAME`, `header:NAME`, `path:NAME`. */
export type Fault = { pointer: string; detail: Said };
/** As callers see it. `code`: the key of its message, for programs. */
export type FaultJson = { pointer: string; detail: string; code?: string };

/** The pointer to the member at this path (RFC 6901). */
export function jsonPointer(...path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  /** `message` is the same in English. */
  readonly told: Said;
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;
  /** Of a record that was merged: who reads it is led to the other one. */
  readonly moved: { from: string; to: string } | undefined;

  constructor(
    code: ProblemCode,
    told: Said,
    more: {
      errors?: readonly Fault[];
      headers?: Record<string, string>;
      cause?: unknown;
      moved?: { from: string; to: string } | undefined;
    } = {},
  ) {
    super(say(ENGLISH, told), { cause: more.cause });
    this.code = code;
    this.told = told;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
    this.moved = more.moved;
  }

  get status(): number {
    return PROBLEMS[this.code];
  }

  /** The body of the answer. @param instance the requested path @param t the words of the reader's language */
  toJson(instance: string, t: Translate): Record<string, unknown> {
    return {
      type: `urn:svc:problem:${this.code}`,
      title: t(`title.${this.code}`),
      status: this.status,
      detail: say(t, this.told),
      code: codeOf(this.told),
      instance,
      ...(this.errors.length > 0 ? { errors: faultsJson(t, this.errors) } : {}),
    };
  }
}

/** @param nameOf what the reader calls a field */
export const faultsJson = (
  t: Translate,
  faults: readonly Fault[],
  nameOf?: (field: string) => string,
): FaultJson[] =>
  faults.map(({ pointer, detail }) => ({ pointer, detail: say(t, detail, nameOf), code: codeOf(detail) }));

/** All codes of problems and faults. */
export const CODES: readonly string[] = [
  ...new Set(MESSAGE_KEYS.flatMap((key) => /^(?:problem|fault)\.(.*)$/.exec(key)?.[1] ?? [])),
].sort();

/** For programs: the key of a message without its first part, such as `record.not_found` for `problem.record.not_found`. */
export function codeOf({ key, values }: Said): string {
  // a fault around another says where, or what to do
  if (key.startsWith("fault.") && typeof values?.fault === "object") return codeOf(values.fault);
  return key.slice(key.indexOf(".") + 1);
}

/** A 422 with every fault. By default its sentence is that of the only fault, or counts them. */
export function invalid(errors: readonly Fault[], told: Said = summaryOf(errors)): Problem {
  return new Problem("invalid", told, { errors });
}

/** The same for one fault. */
export const invalidAt = (pointer: string, detail: Said): Problem => invalid([{ pointer, detail }]);

function summaryOf(errors: readonly Fault[]): Said {
  const [first] = errors;
  if (errors.length !== 1 || !first) return said("problem.invalid.faults", { count: errors.length });
  const { pointer, detail: fault } = first;
  return pointer === ""
    ? said("problem.invalid.one", { fault })
    : said("problem.invalid.at", { pointer, fault });
}
