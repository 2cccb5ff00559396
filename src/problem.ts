/**
 * The only errors that callers see: RFC 9457 problem details.
 *
 * Code throws `new Problem("not_found", "There is no object …")`; `app.ts` turns it into an answer.
 * Any other exception is a bug: it is logged, and the answer says "Internal error" with the request id.
 */

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
export type Fault = { pointer: string; detail: string };

/** The pointer to the member at this path (RFC 6901). */
export function jsonPointer(...path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly errors: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { errors?: readonly Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause });
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code][0];
  }

  /** The body of the answer. @param instance the requested path */
  toJson(instance: string): Record<string, unknown> {
    return {
      type: `urn:svc:problem:${this.code}`,
      title: PROBLEMS[this.code][1],
      status: this.status,
      detail: this.message,
      instance,
      ...(this.errors.length > 0 ? { errors: this.errors } : {}),
    };
  }
}

/** A 422 with every fault. By default its sentence is that of the only fault, or counts them. */
export function invalid(errors: readonly Fault[], detail?: string): Problem {
  const first = errors[0];
  const sentence =
    detail ??
    (errors.length === 1 && first
      ? `The request is not valid: ${first.pointer === "" ? "" : `${first.pointer} `}${first.detail}`
      : `The request has ${errors.length} faults, listed in errors`);
  return new Problem("invalid", sentence, { errors });
}
