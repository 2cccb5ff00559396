/** Checks why aggregators would refuse a record, or show it badly. */
import { type Said, said } from "../messages/said.ts";

export const AGGREGATORS = { ddb: "Deutsche Digitale Bibliothek", europeana: "Europeana" } as const;
export type Aggregator = keyof typeof AGGREGATORS;

/**
 * From the mandatory elements of DDB-LIDO (https://wiki.deutsche-digitale-bibliothek.de) and the rules in Europeana's schema
 * (https://github.com/europeana/metis-schema). Who refuses it; if nobody, the object is accepted, but hard to find.
 */
export const CHECKS = {
  no_title: ["ddb"],
  no_type: ["ddb", "europeana"],
  no_rights: ["ddb", "europeana"],
  unknown_rights: ["ddb", "europeana"],
  unaccepted_rights: ["europeana"],
  no_image: ["ddb", "europeana"],
  no_date: [],
  no_description: [],
  no_language: [],
} as const satisfies Record<string, readonly Aggregator[]>;

export type Finding = keyof typeof CHECKS;
export const FINDINGS = Object.keys(CHECKS) as Finding[];

/** What is wrong. */
export const findingSays = (finding: Finding): Said => said(`aggregator.${finding}`);
