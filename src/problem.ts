/**
 * The only errors that callers see: RFC 9457 problem details.
 *
 * Code throws `new Problem("not_found", said("problem.record.not_found", …))`; `app.ts` turns it into an answer.
 * Any other exception is a bug: it is logged, and the answer says "Internal error" with the request id.
 */

import { type Said, said, say, type Told } from "./messages/said.ts";
import { ENGLISH, type Translate } from "./messages/translate.ts";

/** The kinds of problem, their HTTP status and title (RFC 9110 names). */
export const PROBLEMS = {
  malformed: [400, "Malformed request"],
  unauthenticated: [401, "Credentials required"],
  forbidden: [403, "Not permitted"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  not_acceptable: [406, "Not acceptable"],
  too_slow: [408, "Request timeout"],
  conflict: [409, "Conflict"],
  gone: [410, "Gone"],
  stale: [412, "Changed by somebody else"],
  too_large: [413, "Too large"],
  unsupported_type: [415, "Unsupported media type"],
  no_such_range: [416, "Range not satisfiable"],
  invalid: [422, "Not valid"],
  too_many: [429, "Too many requests"],
  headers_too_large: [431, "Headers too large"],
  internal: [500, "Internal error"],
  not_implemented: [501, "Not implemented"],
  source_down: [502, "Source unavailable"],
  unavailable: [503, "Temporarily unavailable"],
  timed_out: [504, "Gateway timeout"],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of an input. `pointer` is an RFC 6901 JSON Pointer, or `query:NAME`, `header:NAME`, `path:NAME`. */
export type Fault = { pointer: string; detail: Told };
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
  readonly told: Told;
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    told: Told,
    more: { errors?: readonly Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(say(ENGLISH, told), { cause: more.cause });
    this.code = code;
    this.told = told;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }

  /** The body of the answer. @param instance the requested path @param t the words of the reader's language */
  toJson(instance: string, t: Translate): Record<string, unknown> {
    return {
      type: `urn:svc:problem:${this.code}`,
      title: PROBLEMS[this.code][1],
      status: this.status,
      detail: say(t, this.told),
      ...codeOf(this.told),
      instance,
      ...(this.errors.length > 0 ? { errors: faultsJson(t, this.errors) } : {}),
    };
  }
}

export const faultsJson = (t: Translate, faults: readonly Fault[]): FaultJson[] =>
  faults.map(({ pointer, detail }) => ({ pointer, detail: say(t, detail), ...codeOf(detail) }));

/** For programs: the key of a message without its first part, such as `record.not_found` for `problem.record.not_found`. */
function codeOf(told: Told): { code?: string } {
  if (typeof told === "string") return {};
  const { key, values } = told;
  if (key === "fault.near") return codeOf(values!.fault as Said);
  return { code: key.slice(key.indexOf(".") + 1) };
}

/** A 422 with every fault. By default its sentence is that of the only fault, or counts them. */
export function invalid(errors: readonly Fault[], told: Told = summaryOf(errors)): Problem {
  return new Problem("invalid", told, { errors });
}

function summaryOf(errors: readonly Fault[]): Said {
  const [first] = errors;
  if (errors.length !== 1 || !first) return said("problem.invalid.faults", { count: errors.length });
  const { pointer, detail: fault } = first;
  return pointer === ""
    ? said("problem.invalid.one", { fault })
    : said("problem.invalid.at", { pointer, fault });
}
