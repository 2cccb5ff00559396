/** The contents of the files under /dumps/, in batches: everything that visitors see. */

import { VISITOR } from "../src/caller.ts";
import type { DumpFormat } from "../src/dumps/published.ts";
import { LIDO_NAMESPACE, lidoOf } from "../src/formats/lido/lido.ts";
import { publicQuads } from "../src/formats/rdf/public-quads.ts";
import { viewsOf } from "../src/formats/view.ts";
import { includedMedia } from "../src/media/routes.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import { type Kind, kinds, PUBLIC_KINDS } from "../src/records/kinds.ts";
import { publicIdPages } from "../src/records/public/ids.ts";
import { loadPublic } from "../src/records/public/load.ts";
import { visibleRecord } from "../src/records/visibility.ts";
import type { Services } from "../src/services.ts";

/** Records per batch. Other queries run between batches. */
const BATCH = 100;
/** The most media of one object. */
const MOST_MEDIA = 5_000;

export type Piece = { records: number; text: string };
export type DumpContents = {
  name: string;
  format: DumpFormat;
  pieces(services: Services): AsyncGenerator<Piece>;
};

export const DUMPS: readonly DumpContents[] = [
  ...PUBLIC_KINDS.map((kind) => ({
    name: `${kinds[kind].plural}.ndjson.gz`,
    format: "ndjson" as const,
    pieces: (services: Services) => recordLines(services, kind),
  })),
  { name: "catalogue.nq.gz", format: "nquads", pieces: quads },
  { name: "objects.lido.xml.gz", format: "lido", pieces: lidoWrap },
];

/** As from the API with `?include=ark,media`, but without addresses of lists; plus the type, and the relations from the record. */
async function* recordLines(services: Services, kind: Kind): AsyncGenerator<Piece> {
  for await (const ids of publicIdPages(services.sql, kind, BATCH)) {
    const { around, records } = await loadPublic(services, ids, { incoming: false });
    const media = kind === "object" ? await includedMedia(services, VISITOR, ids, MOST_MEDIA, ENGLISH) : null;
    const lines = records.map(({ row, ark, links }) => {
      const relations = links.map(({ relation_type, metadata, other }) => ({
        relation_type,
        to_type: other.record_type,
        to_id: other.id,
        metadata_: metadata,
      }));
      const record = visibleRecord(around.schema, VISITOR, row);
      const own = media?.get(row.id);
      return JSON.stringify({
        record_type: kind,
        ...record,
        ark: ark?.ark ?? null,
        relations,
        ...(own && { media: own.items, media_total: own.total }),
      });
    });
    yield { records: lines.length, text: lines.map((line) => `${line}\n`).join("") };
  }
}

async function* quads(services: Services): AsyncGenerator<Piece> {
  for (const kind of PUBLIC_KINDS) yield* publicQuads(services, kind, BATCH);
}

async function* lidoWrap(services: Services): AsyncGenerator<Piece> {
  yield {
    records: 0,
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<lido:lidoWrap xmlns:lido="${LIDO_NAMESPACE}">\n`,
  };
  for await (const ids of publicIdPages(services.sql, "object", BATCH)) {
    const views = await viewsOf(services, ids);
    yield { records: views.length, text: views.map((view) => `${lidoOf(view).text}\n`).join("") };
  }
  yield { records: 0, text: "</lido:lidoWrap>\n" };
}
