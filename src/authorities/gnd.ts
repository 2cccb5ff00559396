/** The Gemeinsame Normdatei of the German-speaking countries, from https://lobid.org/gnd/api. */
import { z } from "zod";
import {
  type Ask,
  type Authority,
  type AuthoritySource,
  type AuthorityType,
  authority,
  readAnswer,
  readEach,
} from "./authority.ts";

const FORM = /^[1-9]\d{0,8}-?[\dX]$/;

const texts = z.array(z.string()).catch([]);
const Entry = z.object({
  gndIdentifier: z.string().regex(FORM),
  preferredName: z.string(),
  type: texts,
  variantName: texts,
  dateOfBirth: texts,
  dateOfDeath: texts,
  professionOrOccupation: z.array(z.object({ label: z.string() })).catch([]),
  biographicalOrHistoricalInformation: texts,
  definition: texts,
});
const Found = z.object({ member: z.array(z.unknown()) });

/** The first match counts: an entry also has the more general types. */
const TYPES: readonly (readonly [string, AuthorityType])[] = [
  ["Family", "family"],
  ["Person", "person"],
  ["ConferenceOrEvent", "event"],
  ["PlaceOrGeographicName", "place"],
  ["CorporateBody", "organisation"],
  ["Work", "work"],
  ["SubjectHeading", "term"],
];

export function gnd(ask: Ask): AuthoritySource {
  return {
    form: FORM,
    example: "118540238",
    async search({ q, limit }) {
      const words = asWords(q);
      if (words === "") return [];
      const answer = await ask("/search", { q: words, size: String(limit), format: "json" });
      const { member } = readAnswer(Found, answer);
      return readEach(Entry, member).slice(0, limit).map(entry);
    },
    async find(id) {
      const answer = await ask(`/${id}.json`, {});
      return answer === null ? null : entry(readAnswer(Entry, answer));
    },
  };
}

/** Escapes words, because lobid reads queries in Lucene's syntax. */
function asWords(q: string): string {
  return q
    .replace(/[^\p{L}\p{M}\p{N}.,']+/gu, " ")
    .replace(/\b(?:AND|OR|NOT)\b/g, (operator) => operator.toLowerCase())
    .trim();
}

function entry(said: z.output<typeof Entry>): Authority {
  const [born, died] = [said.dateOfBirth[0], said.dateOfDeath[0]];
  return authority({
    source: "gnd",
    id: said.gndIdentifier,
    uri: `https://d-nb.info/gnd/${said.gndIdentifier}`,
    label: said.preferredName,
    description: [
      born || died ? `${born ?? ""}–${died ?? ""}` : undefined,
      ...said.professionOrOccupation.map(({ label }) => label),
      ...said.biographicalOrHistoricalInformation,
      ...said.definition,
    ],
    type: TYPES.find(([name]) => said.type.includes(name))?.[1] ?? null,
    alternates: said.variantName,
  });
}
