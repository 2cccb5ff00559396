/** GET /v1/<plural>/export: all public records of a kind as one stream of N-Quads. */
import { z } from "zod";
import { type Api, endpoint } from "../http/endpoint.ts";
import { textStream } from "../http/text-stream.ts";
import { KINDS, kinds } from "../records/kinds.ts";
import { publicQuads } from "./bulk-export.ts";

const N_QUADS = "application/n-quads";

/** Some hundredths of a second of work, and a megabyte or two. */
const BATCH = 100;

const BulkQuery = z.strictObject({
  format: z
    .literal("nquads", { error: "is not nquads, in which a whole catalogue can be had" })
    .default("nquads"),
});

export function bulkExportRoutes(api: Api): void {
  const inTurn = oneByOne();
  for (const kind of KINDS.filter((each) => each !== "storage_location")) {
    const { plural } = kinds[kind];
    endpoint(api, {
      method: "get",
      path: `/v1/${plural}/export`,
      tag: plural,
      summary: `Export all public ${plural.replace("-", " ")} as linked data`,
      description:
        "N-Quads, streamed: one named graph a record, `urn:svc:graph:<type>:<uuid>`, as visitors see it.",
      access: "public",
      crossOrigin: "anybody",
      query: BulkQuery,
      produces: [],
      answers: { 200: { description: "N-Quads", type: N_QUADS, schema: z.string() } },
      handle({ c }) {
        const headers = { "Content-Type": N_QUADS, "Cache-Control": "no-store" };
        if (c.req.method === "HEAD") return c.body(null, 200, headers);
        const pages = publicQuads(api.services, kind, BATCH);
        const texts: AsyncIterator<string> = {
          next: () =>
            inTurn(async () => {
              const { done = false, value } = await pages.next();
              return done ? { done, value } : { done, value: value.text };
            }),
        };
        return c.body(textStream(texts), 200, headers);
      },
    });
  }
}

/** However many export at once, one batch is made at a time, and others are served in between. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
