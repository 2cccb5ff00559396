/**
 * Limits the unanswered requests of one visitor, because slow bodies hold connections. Connections themselves can only be counted
 * with Node, and behind a proxy they all have one address.
 */

import type { MiddlewareHandler } from "hono";
import { bucketOf } from "../config/networks.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Env } from "./route.ts";

/** Enough for a class of thirty whose browsers send six requests each. */
const MOST = 200;

/** Answers 429 above the limit. Runs after `clientAddress`. */
export function limitUnderWay(): MiddlewareHandler<Env> {
  const underWay = new Map<string, number>();
  return async (c, next) => {
    const who = bucketOf(c.get("client"));
    const count = underWay.get(who) ?? 0;
    if (count >= MOST)
      throw new Problem("too_many", said("problem.rate.under_way", { count: MOST }), {
        headers: { "Retry-After": "1" },
      });
    underWay.set(who, count + 1);
    try {
      await next();
    } finally {
      const left = underWay.get(who)! - 1;
      if (left > 0) underWay.set(who, left);
      else underWay.delete(who);
    }
  };
}
