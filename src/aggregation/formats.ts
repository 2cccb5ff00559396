/** The formats for aggregators and harvesters. */
import type { FurtherFormat } from "../linked-data/formats/formats.ts";
import { newest } from "../linked-data/newest.ts";
import { type Kind, PUBLIC_KINDS } from "../records/kinds.ts";
import type { Services } from "../services.ts";
import { document, type Xml } from "../xml.ts";
import { dublinCoreOf, OAI_DC_NAMESPACE, OAI_DC_SCHEMA } from "./dublin-core.ts";
import { EDM_SCHEMA, edmOf, RDF_NAMESPACE } from "./edm.ts";
import { LIDO_NAMESPACE, LIDO_SCHEMA, lidoOf } from "./lido.ts";
import { type DeliveredView, viewsOf } from "./view.ts";

export type DeliveryFormat = {
  /** `metadataPrefix` of OAI-PMH. */
  prefix: string;
  /** For `?format=` of an export. */
  word: string;
  schema: string;
  namespace: string;
  /** The kinds of record that the format can describe. */
  kinds: readonly Kind[];
  /** One element that declares its namespaces itself. */
  write(view: DeliveredView): Xml;
};

export const DELIVERY_FORMATS: readonly DeliveryFormat[] = [
  {
    prefix: "oai_dc",
    word: "dc",
    schema: OAI_DC_SCHEMA,
    namespace: OAI_DC_NAMESPACE,
    kinds: PUBLIC_KINDS,
    write: dublinCoreOf,
  },
  {
    prefix: "lido",
    word: "lido",
    schema: LIDO_SCHEMA,
    namespace: LIDO_NAMESPACE,
    kinds: ["object"],
    write: lidoOf,
  },
  {
    prefix: "edm",
    word: "edm",
    schema: EDM_SCHEMA,
    namespace: RDF_NAMESPACE,
    kinds: ["object"],
    write: edmOf,
  },
];

/** The formats for the export of one record. */
export function deliveredFormats(services: Services): FurtherFormat[] {
  return DELIVERY_FORMATS.map(({ word, kinds, write }) => ({
    word,
    type: "application/xml; charset=utf-8",
    kinds,
    async write(kind, id) {
      const [view] = await viewsOf(services, [id]);
      if (view?.record.row.record_type !== kind) return null;
      return { text: document(write(view)), updatedAt: newest(view.record) };
    },
  }));
}
