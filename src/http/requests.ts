/** Around every request: its id, its log line, and problems instead of errors. */

import type { Context, ErrorHandler, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { errorFields, type Log } from "../log.ts";
import { said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import { wordSet } from "../text.ts";
import { audienceHeaders } from "./answer/caching.ts";
import { type Meter, observe } from "./meter.ts";
import type { Env } from "./route.ts";
import { wordsFor } from "./words.ts";

const REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;

/** Gives the request an id, refuses addresses that PostgreSQL cannot store, counts the request and logs one line. */
export function requestLog(log: Log, meter: Meter): MiddlewareHandler<Env> {
  return async (c, next) => {
    const started = performance.now();
    meter.inFlight += 1;
    const sentId = c.req.header("X-Request-Id");
    const id = sentId !== undefined && REQUEST_ID.test(sentId) ? sentId : crypto.randomUUID();
    c.set("requestId", id);
    c.get("head")["X-Request-Id"] = id;
    try {
      // OAI-PMH reports wrong arguments in its own format
      if (c.req.url.includes("%00") && c.req.path !== "/oai") {
        c.res = problemResponse(new Problem("malformed", said("problem.address.nul")), c);
      } else {
        await next();
      }
    } finally {
      meter.inFlight -= 1;
    }
    const ms = performance.now() - started;
    observe(c.get("meter") ?? meter.unrouted, c.res.status, ms / 1000);
    const caller = c.get("caller");
    log.request({
      request_id: id,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(ms * 10) / 10,
      ...(caller?.kind === "account" ? { account: caller.id, key: caller.keyId } : {}),
    });
  };
}

/** Turns what was thrown into a problem for the caller. What is neither a Problem nor known is a bug, logged with its stack. */
export function problems(log: Log, meter: Meter): ErrorHandler<Env> {
  return (error, c) => {
    const problem = asProblem(error, c.get("requestId"));
    // the other record has other versions
    const isVersion = /\/history\/./.test(c.req.path);
    if (problem.moved && !isVersion && ["GET", "HEAD"].includes(c.req.method))
      return movedResponse(problem.moved, c);
    if (isBroken(error)) meter.broken = { error, at: performance.now() };
    // without a cause nothing failed: a limit was reached, or the operator turned something off
    if (problem.code === "internal" || (problem.code === "unavailable" && problem.cause !== undefined)) {
      log.error("request failed", {
        request_id: c.get("requestId"),
        method: c.req.method,
        path: c.req.path,
        ...errorFields(error),
      });
    }
    return problemResponse(problem, c);
  };
}

/** Redirects to the same address of the other record. Not cached, because the merge can be undone. */
function movedResponse({ from, to }: { from: string; to: string }, c: Context<Env>): Response {
  const { pathname, search } = new URL(c.req.url);
  const Location = pathname.replace(new RegExp(`(?<=/)${from}(?=/|$)`, "i"), to) + search;
  const { Vary } = audienceHeaders(c.get("caller"));
  return c.body(null, 301, { Location, "Cache-Control": "no-cache", ...(Vary && { Vary }) });
}

export function problemResponse(problem: Problem, c: Context): Response {
  // as requested; c.req.path has no prefix /api
  const instance = new URL(c.req.url).pathname;
  const t = wordsFor(c);
  c.set("problem", problem);
  return new Response(JSON.stringify(problem.toJson(instance, t)), {
    status: problem.status,
    headers: {
      "Content-Type": "application/problem+json",
      "Content-Language": t.language,
      Vary: "Accept-Language",
      "Cache-Control": "no-store",
      ...problem.headers,
    },
  });
}

function asProblem(error: unknown, id: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new Problem("malformed", said("problem.invalid.one", { fault: error.message }), { cause: error });
  return storageProblem(error) ?? new Problem("internal", said("problem.internal", { id }), { cause: error });
}

/** Unique constraints that a caller can violate, and their messages. */
const CONFLICTS: Record<string, MessageKey> = {
  records_idno: "problem.record.number_taken",
  relations_once: "problem.relation.exists",
  relations_one_place: "problem.relation.exists",
  accounts_email_key_key: "problem.account.exists",
  roles_pkey: "problem.role.exists",
  schema_fields_pkey: "problem.field.exists",
  vocabularies_pkey: "problem.vocabulary.exists",
  vocabulary_terms_pkey: "problem.term.exists",
  vocabulary_terms_vocabulary_value_key: "problem.term.exists",
  jobs_unique_key: "problem.job.exists",
  relation_types_pkey: "problem.relation_type.exists",
};

const DOWN = wordSet(
  "ECONNREFUSED ECONNRESET ENOTFOUND ETIMEDOUT EPIPE ERR_SOCKET_CLOSED CONNECT_TIMEOUT",
  "CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED 57P01 57P02 57P03 53300 08006",
);

/** For errors of the database (by SQLSTATE) and of a disk that are the caller's fault or temporary. */
export function storageProblem(error: unknown): Problem | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  const { code } = error as { code: unknown };
  const constraint = "constraint_name" in error ? String(error.constraint_name) : "";
  const conflict = CONFLICTS[constraint];
  if (code === "23505" && conflict) {
    return new Problem("conflict", said(conflict), { cause: error });
  }
  if (code === "40001" || code === "40P01") {
    return new Problem("unavailable", said("problem.database.conflict"), {
      cause: error,
      headers: { "Retry-After": "1" },
    });
  }
  if (isDown(error)) {
    return new Problem("unavailable", said("problem.database.unreachable"), {
      cause: error,
      headers: { "Retry-After": "5" },
    });
  }
  if (isBroken(error)) {
    const key = code === "53100" ? "problem.database.full" : "problem.database.broken";
    return new Problem("unavailable", said(key), {
      cause: error,
      headers: { "Retry-After": "30" },
    });
  }
  if (typeof code === "string" && FULL_DISK.has(code)) {
    return new Problem("unavailable", said("problem.disk.full"), {
      cause: error,
      headers: { "Retry-After": "30" },
    });
  }
  return null;
}

/** The disk takes no more bytes for now. */
const FULL_DISK = new Set(["ENOSPC", "EDQUOT", "EROFS"]);

/** Errors that the next request will meet, too: disk or memory full, unreadable files, damage, read-only. */
const BROKEN = /^(53[0-2]00|58\w{3}|XX00[12]|25006)$/;

function isBroken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && BROKEN.test(code);
}

/** Whether the error, or its cause, means that the other end of a connection is unreachable. */
export function isUnreachable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  return isDown(error) || isUnreachable((error as { cause?: unknown }).cause);
}

/** A server sends FATAL when it refuses or ends a session: the database takes no connections, does not exist, or was renamed. */
function isDown(error: object): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return (typeof code === "string" && DOWN.has(code)) || severity === "FATAL";
}
