/** Items of Wikidata, by the API of its software: https://www.wikidata.org/w/api.php?action=help. */
import { z } from "zod";
import {
  type Ask,
  type Authority,
  type AuthoritySource,
  type AuthorityType,
  authority,
  readAnswer,
  readEach,
  Unreadable,
} from "./authority.ts";

const FORM = /^Q[1-9]\d{0,11}$/;
const Id = z.string().regex(FORM);
const text = z.string().optional().catch(undefined);

const Hit = z.object({
  id: Id,
  label: text,
  description: text,
  aliases: z.array(z.string()).catch([]),
});
const Found = z.object({ search: z.array(z.unknown()) });

const inLanguages = z.record(z.string(), z.object({ value: z.string() })).catch({});
const Item = z.object({
  id: Id,
  labels: inLanguages,
  descriptions: inLanguages,
  aliases: z.record(z.string(), z.array(z.object({ value: z.string() }))).catch({}),
  claims: z.record(z.string(), z.array(z.unknown())).catch({}),
});
const Entities = z.object({ entities: z.record(z.string(), z.unknown()) });
const Missing = z.object({ missing: z.union([z.string(), z.boolean()]) });
/** Errors come with status 200. */
const Refused = z.object({ error: z.object({ code: z.string() }) });
const Value = z.object({
  mainsnak: z.object({ datavalue: z.object({ value: z.object({ id: z.string() }) }) }),
});

/** Classes of an item (P31) that help users to choose. */
const CLASSES: Record<string, AuthorityType> = {
  Q5: "person",
  Q8436: "family",
  Q13417114: "family",
  Q43229: "organisation",
  Q33506: "organisation",
  Q207694: "organisation",
  Q3305213: "work",
  Q860861: "work",
  Q838948: "work",
  Q7725634: "work",
  Q1656682: "event",
  Q464980: "event",
};

export function wikidata(ask: Ask): AuthoritySource {
  return {
    form: FORM,
    example: "Q5582",
    async search({ q, limit, lang }) {
      const answer = await ask("", {
        ...{ action: "wbsearchentities", format: "json", type: "item" },
        ...{ search: q, limit: String(limit), language: lang, uselang: lang },
      });
      const { search } = readAnswer(Found, answer);
      return readEach(Hit, search).slice(0, limit).map(hit);
    },
    async find(id, lang) {
      const languages = [...new Set([lang, "mul", "en"])];
      const answer = await ask("", {
        ...{ action: "wbgetentities", format: "json", ids: id, languages: languages.join("|") },
        ...{ props: "labels|descriptions|aliases|claims", languagefallback: "1" },
      });
      const refused = Refused.safeParse(answer);
      if (refused.success) {
        if (refused.data.error.code === "no-such-entity") return null;
        throw new Unreadable("the answer is an error");
      }
      // a merged item comes under the id of the item into which it was merged
      const [found] = Object.values(readAnswer(Entities, answer).entities);
      return Missing.safeParse(found).success ? null : item(readAnswer(Item, found), languages);
    },
  };
}

const iri = (id: string): string => `http://www.wikidata.org/entity/${id}`;

function hit({ id, label, description, aliases }: z.output<typeof Hit>): Authority {
  return authority({
    ...{ source: "wikidata", id, uri: iri(id), label: label ?? id, type: null },
    description: [description],
    alternates: aliases,
  });
}

function item(said: z.output<typeof Item>, languages: readonly string[]): Authority {
  const best = (texts: z.output<typeof inLanguages>): string | undefined =>
    languages.map((lang) => texts[lang]?.value).find((value) => value !== undefined);
  return authority({
    source: "wikidata",
    id: said.id,
    uri: iri(said.id),
    label: best(said.labels) ?? said.id,
    description: [best(said.descriptions)],
    type: typeOf(said.claims),
    alternates: [
      ...languages.map((lang) => said.labels[lang]?.value),
      ...languages.flatMap((lang) => said.aliases[lang] ?? []).map(({ value }) => value),
    ],
  });
}

/** From the classes. An item with coordinates (P625) and no known class is a place. */
function typeOf(claims: z.output<typeof Item>["claims"]): AuthorityType | null {
  for (const { mainsnak } of readEach(Value, claims.P31 ?? [])) {
    const type = CLASSES[mainsnak.datavalue.value.id];
    if (type) return type;
  }
  return claims.P625 ? "place" : null;
}
