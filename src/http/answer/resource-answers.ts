/** Answers with one configuration resource. Its ETag, which `If-Match` is compared with, is a hash of its content. */

import type { Caller } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Ctx } from "../endpoint.ts";
import { cachedJson, contentTag, expectedTags } from "./caching.ts";

/** The same for every caller, and strong, so that `If-Match` may use it (RFC 9110 §13.1.1). */
export async function tagOf(body: unknown): Promise<string> {
  return (await contentTag(body)).replace("W/", "");
}

export async function oneJson(c: Ctx, caller: Caller, body: unknown): Promise<Response> {
  return cachedJson(c, caller, body, await tagOf(body));
}

/** The resource after a write. `created`: the address of a new resource. */
export async function writtenJson(c: Ctx, body: unknown, created?: { at: string }): Promise<Response> {
  return c.json(body as object, created ? 201 : 200, {
    ETag: await tagOf(body),
    "Cache-Control": "private, no-store",
    ...(created ? { Location: created.at } : {}),
  });
}

/** The address of the resource created by a POST to a list. */
export function below(c: Ctx, name: string): { at: string } {
  return { at: `${new URL(c.req.url).pathname.replace(/\/$/, "")}/${name}` };
}

/** The ETags that the caller expects; null without `If-Match`. */
export type Expected = readonly string[] | "any" | null;

export function ifMatch(c: Ctx): Expected {
  return expectedTags(c, /^[\w-]+$/);
}

/** 412 if somebody else changed the resource since the caller read it. */
export async function demandUnchanged(expected: Expected, current: unknown): Promise<void> {
  if (expected === null || expected === "any") return;
  const tag = await tagOf(current);
  if (!expected.some((candidate) => candidate === tag || `"${candidate}"` === tag)) {
    throw new Problem("stale", said("problem.resource.changed"), {
      headers: { ETag: tag },
    });
  }
}

/** `Link` (RFC 8288): first, prev, next and last. `cursor`: of the next page, in lists that have them; null after the last. */
export function pageLinks(
  c: Ctx,
  page: { total: number; page: number; page_size: number },
  cursor?: string | null,
): string {
  const url = new URL(c.req.url);
  const link = (rel: string, name: "page" | "cursor", value: string | number) => {
    const query = new URLSearchParams(url.search);
    query.delete("page");
    query.delete("cursor");
    query.set(name, String(value));
    return `<${url.pathname}?${query}>; rel="${rel}"`;
  };
  const pages = Math.max(1, Math.ceil(page.total / page.page_size));
  const links = [link("first", "page", 1)];
  if (page.page > 1) links.push(link("prev", "page", Math.min(page.page - 1, pages)));
  if (cursor) links.push(link("next", "cursor", cursor));
  else if (cursor === undefined && page.page < pages) links.push(link("next", "page", page.page + 1));
  links.push(link("last", "page", pages));
  return links.join(", ");
}
