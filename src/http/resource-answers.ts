/** Answers with one configuration resource: their ETag is their content, and `If-Match` is held against it. */
import type { Caller } from "../caller.ts";
import { Problem } from "../problem.ts";
import { cachedJson, contentTag, expectedTags } from "./caching.ts";
import type { Ctx } from "./endpoint.ts";

/** The same for everybody who may see the resource at all, and strong, so that `If-Match` may use it (RFC 9110 §13.1.1). */
export async function tagOf(body: unknown): Promise<string> {
  return (await contentTag(body)).replace("W/", "");
}

export async function oneJson(c: Ctx, caller: Caller, body: unknown): Promise<Response> {
  return cachedJson(c, caller, body, await tagOf(body));
}

/** The resource after a write. `created` says at which address it is new. */
export async function writtenJson(c: Ctx, body: unknown, created?: { at: string }): Promise<Response> {
  return c.json(body as object, created ? 201 : 200, {
    ETag: await tagOf(body),
    "Cache-Control": "private, no-store",
    ...(created ? { Location: created.at } : {}),
  });
}

/** The address of what was created in the list that was posted to. */
export function below(c: Ctx, name: string): { at: string } {
  return { at: `${new URL(c.req.url).pathname.replace(/\/$/, "")}/${name}` };
}

/** The ETags of what the caller believes to change; null when it does not say. */
export type Expected = readonly string[] | "any" | null;

export function ifMatch(c: Ctx): Expected {
  return expectedTags(c, /^[\w-]+$/);
}

/** 412 when somebody else changed the resource since the caller read it. */
export async function demandUnchanged(expected: Expected, present: unknown): Promise<void> {
  if (expected === null || expected === "any") return;
  const tag = await tagOf(present);
  if (!expected.some((candidate) => candidate === tag || `"${candidate}"` === tag)) {
    throw new Problem("stale", "This was changed since you read it: read it again and repeat your change", {
      headers: { ETag: tag },
    });
  }
}

/** RFC 8288: first, prev, next and last of a list with numbered pages. */
export function pageLinks(c: Ctx, page: { total: number; page: number; page_size: number }): string {
  const url = new URL(c.req.url);
  const at = (number: number, rel: string) => {
    const query = new URLSearchParams(url.search);
    query.set("page", String(number));
    return `<${url.pathname}?${query}>; rel="${rel}"`;
  };
  const pages = Math.max(1, Math.ceil(page.total / page.page_size));
  const links = [at(1, "first")];
  if (page.page > 1) links.push(at(Math.min(page.page - 1, pages), "prev"));
  if (page.page < pages) links.push(at(page.page + 1, "next"));
  links.push(at(pages, "last"));
  return links.join(", ");
}
