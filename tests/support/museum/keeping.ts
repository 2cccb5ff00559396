/** Writes public records and links as the operator does, without requests. */
import { OPERATOR } from "../../../src/caller.ts";
import type { Kind } from "../../../src/records/kinds.ts";
import { addRelation } from "../../../src/records/links/relations.ts";
import type { Metadata } from "../../../src/records/record.ts";
import type { Draft } from "../../../src/records/shape.ts";
import { createRecord } from "../../../src/records/write/write.ts";
import type { Services } from "../../../src/services.ts";

export type Keeping = ReturnType<typeof keeping>;

export const keeping = (services: Services) => ({
  /** The id of the record. */
  async keep(kind: Kind, metadata: Metadata, more: Partial<Draft> = {}): Promise<string> {
    const draft = { status: "public", metadata, ...more } as Draft;
    return (await createRecord(services, OPERATOR, kind, draft)).id;
  },
  link: (
    id: string,
    relation_type: string,
    to_type: Kind,
    to_id: string,
    metadata_: Metadata = {},
    kind: Kind = "object",
  ) => addRelation(services, OPERATOR, kind, id, { relation_type, to_type, to_id, metadata_ }, null),
});
