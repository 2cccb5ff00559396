/** What a list asks for, as the database understands it: the search finds the words, and the database does the rest. */
import type { Caller } from "../../caller.ts";
import type { Ctx } from "../../http/endpoint.ts";
import type { Kind } from "../../records/kinds.ts";
import type { ListQuery } from "../../records/read/list-order.ts";
import { type FoundIds, findListed } from "../../search/find-listed.ts";
import type { Services } from "../../services.ts";
import type { ListParams } from "./params.ts";

export type AskedList = {
  query: Omit<ListQuery, "page" | "page_size">;
  /** What the search says of the words; null without words. */
  found: FoundIds | null;
};

export async function listQueryOf(
  services: Services,
  c: Ctx,
  caller: Caller,
  kind: Kind,
  { q, status, subtype, linked_with, sort, dir }: ListParams,
): Promise<AskedList> {
  const found = q === "" ? null : await findListed(services, caller, [kind], q, c.get("requestId"));
  const query = {
    sort_by: sort,
    sort_dir: dir,
    ...(found ? { found: found.ids } : {}),
    ...(status ? { status } : {}),
    ...(subtype ? { subtype } : {}),
    ...(linked_with ? { linked_with } : {}),
  };
  return { query, found };
}
