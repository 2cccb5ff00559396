/** Operations on the search index. */
import { z } from "zod";
import { KINDS } from "../records/kinds.ts";
import { compareIndex } from "../search/compare.ts";
import { countRecords } from "../search/rebuild-store.ts";
import { operation, type Talk } from "./operation.ts";

const OfKind = z.strictObject({ kind: z.enum(KINDS).nullable() });

export const searchOperations = {
  "search-verify": operation(OfKind, async (services, { kind }, { emit }: Talk<Compared>) => {
    const total = await countRecords(services.sql, kind);
    return compareIndex(services, kind, (done) => emit({ done, total }));
  }),
};

export type Compared = { done: number; total: number };
