/** Checks why aggregators would refuse a record, or show it badly. */

export const AGGREGATORS = { ddb: "Deutsche Digitale Bibliothek", europeana: "Europeana" } as const;
export type Aggregator = keyof typeof AGGREGATORS;

type Check = { refusedBy: readonly Aggregator[]; says: string };

/**
 * From the mandatory elements of DDB-LIDO (https://wiki.deutsche-digitale-bibliothek.de) and the rules in Europeana's schema
 * (https://github.com/europeana/metis-schema). If `refusedBy` is empty, the object is accepted, but hard to find.
 */
export const CHECKS = {
  no_title: { refusedBy: ["ddb"], says: "has no title" },
  no_type: { refusedBy: ["ddb", "europeana"], says: "does not say what it is: no object name, and no type" },
  no_rights: {
    refusedBy: ["ddb", "europeana"],
    says: "has no rights statement, and neither has its first file",
  },
  unknown_rights: {
    refusedBy: ["ddb", "europeana"],
    says: "has rights that are neither a statement of rightsstatements.org nor a Creative Commons licence",
  },
  unaccepted_rights: {
    refusedBy: ["europeana"],
    says: "has a rights statement that Europeana does not accept",
  },
  no_image: { refusedBy: ["ddb", "europeana"], says: "has no public picture or other file" },
  no_date: { refusedBy: [], says: "has no date" },
  no_description: { refusedBy: [], says: "has no description" },
  no_language: { refusedBy: [], says: "has no title with a language" },
} as const satisfies Record<string, Check>;

export type Finding = keyof typeof CHECKS;
export const FINDINGS = Object.keys(CHECKS) as Finding[];
