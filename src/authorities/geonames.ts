/** GeoNames: https://www.geonames.org/export/web-services.html. Every request names a GeoNames account. */

import { z } from "zod";
import { isLanguageTag } from "../language-tag.ts";
import { said } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import {
  type Ask,
  type Authority,
  type AuthoritySource,
  authority,
  readAnswer,
  readEach,
} from "./authority.ts";

const text = z.string().optional().catch(undefined);
const Place = z.object({
  geonameId: z.int().positive(),
  name: z.string(),
  toponymName: text,
  fclName: text,
  fcodeName: text,
  adminName1: text,
  countryName: text,
  alternateNames: z.array(z.object({ name: z.string(), lang: text })).catch([]),
});
const Found = z.object({ geonames: z.array(z.unknown()) });
/** Errors come with status 200: https://www.geonames.org/export/webservice-exception.html */
const Refused = z.object({ status: z.object({ value: z.int() }) });

const NOTHING = [11, 15];
const REASONS: Record<number, MessageKey> = {
  10: "problem.geonames.account",
  18: "problem.geonames.daily_limit",
  19: "problem.geonames.hourly_limit",
  20: "problem.geonames.weekly_limit",
};

export function geonames(ask: Ask, username: string | null): AuthoritySource {
  async function request(path: string, query: Record<string, string>): Promise<unknown> {
    if (username === null) throw new Problem("source_down", said("problem.geonames.not_set_up"));
    const answer = await ask(path, { ...query, style: "FULL", username });
    const refused = Refused.safeParse(answer);
    if (!refused.success) return answer;
    const { value } = refused.data.status;
    if (NOTHING.includes(value)) return null;
    const code = String(value);
    throw new Problem("source_down", said(REASONS[value] ?? "problem.geonames.error", { code }));
  }

  return {
    form: /^[1-9]\d{0,9}$/,
    example: "2988507",
    async search({ q, limit, lang }) {
      const answer = await request("/searchJSON", { q, maxRows: String(limit), lang });
      if (answer === null) return [];
      const { geonames: found } = readAnswer(Found, answer);
      return readEach(Place, found).slice(0, limit).map(place);
    },
    async find(id, lang) {
      const answer = await request("/getJSON", { geonameId: id, lang });
      return answer === null ? null : place(readAnswer(Place, answer));
    },
  };
}

function place(said: z.output<typeof Place>): Authority {
  return authority({
    source: "geonames",
    id: String(said.geonameId),
    uri: `https://sws.geonames.org/${said.geonameId}/`,
    label: said.name,
    description: [said.fcodeName ?? said.fclName, said.adminName1, said.countryName],
    type: "place",
    alternates: [
      said.toponymName,
      ...said.alternateNames
        .filter(({ lang }) => lang === undefined || isLanguageTag(lang))
        .map(({ name }) => name),
    ],
  });
}
