/** The formats for aggregators and harvesters. */
import { type Kind, PUBLIC_KINDS } from "../records/kinds.ts";
import type { Xml } from "../xml.ts";
import { dublinCoreOf, OAI_DC_NAMESPACE, OAI_DC_SCHEMA } from "./dublin-core.ts";
import { EDM_SCHEMA, edmOf, RDF_NAMESPACE } from "./edm/edm.ts";
import { LIDO_NAMESPACE, LIDO_SCHEMA, lidoOf } from "./lido/lido.ts";
import type { DeliveredView } from "./view.ts";

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
