/** Checks that bad input is answered with a problem (RFC 9457) that says what is wrong, and changes nothing. */
import { afterEach, beforeEach, expect } from "vitest";
import type { ProblemJson } from "./museum/catalogue.ts";
import type { Museum } from "./museum/museum.ts";

/** Counts everything that a request could have written. */
async function traces(museum: Museum): Promise<Record<string, unknown>> {
  const [row] = await museum.services.sql`
    select (select count(*)::int from records) as records, (select sum(version)::int from records) as versions,
      (select max(version) from records) as newest, (select count(*)::int from revisions) as revisions,
      (select count(*)::int from relations) as relations, (select count(*)::int from imports) as imports,
      (select sum(next_number)::int from idno_patterns) as numbers, (select count(*)::int from outbox) as outbox,
      (select count(*)::int from accounts) as accounts, (select version::int from configuration) as configuration`;
  return { ...row };
}

/** Phrases of the validation library, which no cataloguer should ever read. */
export const JARGON =
  /\b(?:expected|received|Invalid|invalid|Too big|Too small|Unrecognized|undefined|NaN|string|array|record|boolean|regex|pattern)\b|[<>]=/;

/** The key of a message without its first part. */
const CODE = /^[a-z_0-9]+(\.[a-z_0-9]+)*$/;

/** The problem, which must have one of these statuses and all its properties, and must reveal no internals. */
export async function refusal(answer: Response, path: string, ...statuses: number[]): Promise<ProblemJson> {
  const text = await answer.text();
  const told = `${path}: ${answer.status} ${text.slice(0, 300)}`;
  expect(statuses, told).toContain(answer.status);
  expect(answer.headers.get("Content-Type"), told).toBe("application/problem+json");
  expect(answer.headers.get("Cache-Control"), told).toBe("no-store");
  expect(answer.headers.get("X-Request-Id"), told).toMatch(/^[\w-]{36}$/);
  const problem = JSON.parse(text) as ProblemJson;
  expect(problem, told).toEqual({
    type: expect.stringMatching(/^urn:svc:problem:[a-z_]+$/),
    title: expect.stringMatching(/^[A-Z][\w ]+$/),
    status: answer.status,
    detail: expect.stringMatching(/\S+ \S+/),
    ...(problem.code ? { code: expect.stringMatching(CODE) } : {}),
    instance: new URL(path.startsWith("/") ? `http://museum${path}` : path).pathname,
    ...(problem.errors ? { errors: expect.any(Array) } : {}),
  });
  for (const fault of problem.errors ?? []) {
    expect(fault, told).toEqual({
      pointer: expect.stringMatching(/^(\/|$|query:|header:|path:)/s),
      detail: expect.any(String),
      ...(fault.code ? { code: expect.stringMatching(CODE) } : {}),
    });
    expect(fault.detail, told).not.toBe("");
    const ownWords = fault.detail.replace(/"(?:[^"\\]|\\.)*"/g, "");
    expect(ownWords, told).not.toMatch(JARGON);
  }
  expect(text, told).not.toMatch(/\bat .*\.ts|node_modules|PostgresError|syntax error|relation "|column "/);
  return problem;
}

/** Errors inside the service (501 is an unknown method): none may ever be in the log. */
export function breakdowns(museum: Museum): string[] {
  return museum.log
    .filter((line) => /request failed|put off|"status":5(?!01)\d\d/.test(line))
    .map((line) => line.slice(0, 500));
}

/** Checks after every test of this block that refused requests wrote nothing and caused no internal error. */
export function leavingNothing(museum: () => Museum): void {
  let before: Record<string, unknown>;
  beforeEach(async () => {
    before = await traces(museum());
  });
  afterEach(async () => {
    expect(await traces(museum())).toEqual(before);
    expect(breakdowns(museum())).toEqual([]);
  });
}
