/** The searches of one page, which find what visitors may see. */
import { VISITOR } from "../../caller.ts";
import type { PageView } from "../../pages/view.ts";
import { currentSchema } from "../../records/schema.ts";
import { type Found, searchFor } from "../../search/search.ts";
import type { Services } from "../../services.ts";
import { readSearchState, type SearchState, searchOf } from "./address.ts";

const EVERYTHING: SearchState = readSearchState(new URLSearchParams());

type More = {
  /** The number of hits; one by default. */
  size?: number;
  /** Kinds of record, separated by commas. */
  types?: string;
  mostValues?: number;
};

export type VisitorSearch = {
  find(state: Partial<SearchState>, facets: readonly string[], more?: More): Promise<Found>;
  /** Headers of the page: it is not cached if one of its searches was not answered. */
  headers(): Record<string, string>;
};

export function visitorSearch(services: Services, view: PageView): VisitorSearch {
  let isDegraded = false;
  return {
    async find(state, facets, { size = 1, types, mostValues } = {}) {
      const schema = await currentSchema(services.sql, view.settings.version);
      const found = await searchFor(services, schema, VISITOR, {
        ...searchOf({ ...EVERYTHING, ...state }, facets, size, types),
        requestId: view.c.get("requestId"),
        ...(mostValues === undefined ? {} : { mostValues }),
      });
      isDegraded ||= found.degraded;
      return found;
    },
    headers(): Record<string, string> {
      return isDegraded ? { "Cache-Control": "no-store" } : {};
    },
  };
}
