/** The catalogues of words, and that the program uses them as they are meant. */

import { readFileSync } from "node:fs";
import { IntlMessageFormat } from "intl-messageformat";
import { afterAll, describe, expect, it, vi } from "vitest";
import { reportError } from "../../cli/main.ts";
import { readCatalogues } from "../../src/adapters/catalogues.ts";
import { createApp } from "../../src/app.ts";
import EN from "../../src/messages/en.json" with { type: "json" };
import { said, say } from "../../src/messages/said.ts";
import { withSemicolons } from "../../src/messages/semicolons.ts";
import {
  type Catalogue,
  ENGLISH,
  languages,
  type MessageKey,
  setCatalogues,
  translator,
} from "../../src/messages/translate.ts";
import { Problem } from "../../src/problem.ts";
import { openMuseum } from "../support/museum/museum.ts";
import { filesUnder, ROOT, type Source, sourcesUnder } from "../support/sources.ts";

const others = readCatalogues();
const english: Readonly<Record<string, string>> = EN;
const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { en: EN, ...others };

/** The names of the values of a message, in order; throws if it is not ICU. */
function valuesOf(text: string): string[] {
  const names = new Set<string>();
  const walk = (elements: ReturnType<IntlMessageFormat["getAst"]>) => {
    for (const element of elements) {
      if ("options" in element) for (const { value } of Object.values(element.options)) walk(value);
      // 0 is text, 7 the number of a plural
      if (element.type !== 0 && element.type !== 7) names.add(element.value);
    }
  };
  walk(new IntlMessageFormat(text, "en", undefined, { ignoreTag: true }).getAst());
  return [...names].sort();
}

/** Values that a language may use or not; all others are in every language. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  "date.about": ["date", "form", "place"],
  "date.and": ["starts"],
  "date.or": ["starts"],
  "date.century": ["number", "roman", "count"],
  "date.millennium": ["number", "roman", "count"],
  "date.decade": ["first", "count"],
  "date.ad": ["year", "form"],
  "date.part": ["part", "date", "form"],
};

describe("catalogues", () => {
  it.each(Object.keys(catalogues))("have the same messages with the same values in %s", (language) => {
    const words = catalogues[language]!;
    expect(Object.keys(words)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(words)) {
      const values = valuesOf(text);
      if (OFFERED[key])
        expect({ key, not: values.filter((name) => !OFFERED[key]!.includes(name)) }).toEqual({
          key,
          not: [],
        });
      else expect({ key, values }).toEqual({ key, values: valuesOf(english[key]!) });
      expect({ key, text: text.trim() }).not.toEqual({ key, text: "" });
    }
  });

  it.each(Object.keys(catalogues))(
    "end faults that others may follow without a full stop in %s",
    (language) => {
      const followed =
        /^fault\.(?:value|range|xml|loan|language_tag_of|file\.(?:not_encoding|damaged)|row\.(?!too_long|quote_|cells|rest_))/;
      const ended = Object.entries(catalogues[language]!).filter(
        ([key, text]) => followed.test(key) && /\.\}*$/.test(text),
      );
      expect(ended).toEqual([]);
    },
  );

  it("write a number that chooses a form as #: a plain value would have no signs between thousands", () => {
    const plain = Object.entries(catalogues).flatMap(([language, words]) =>
      Object.entries(words)
        .filter(([, text]) =>
          [...text.matchAll(/\{(\w+), plural/g)].some(([, name]) => text.includes(`{${name}}`)),
        )
        .map(([key]) => `${language}: ${key}`),
    );
    expect(plain).toEqual([]);
  });

  it("have a form for each number that their language tells apart", () => {
    let said = 0;
    for (const language of Object.keys(catalogues))
      for (const [key, text] of Object.entries(catalogues[language]!))
        for (const count of text.includes(", plural,") ? [0, 1, 2, 5, 1_000_000, 1.5] : []) {
          const values = Object.fromEntries(
            [...valuesOf(text), ...(OFFERED[key] ?? [])].map((name) => [name, count]),
          );
          expect({ key, text: translator(language)(key as MessageKey, values) }).not.toEqual({
            key,
            text: "",
          });
          said += 1;
        }
    expect(said).toBeGreaterThan(100);
  });
});

it.each(["invalid", "mapping", "header", "import"] as const)(
  "the terminal counts several faults of %s and lists them, without a word of JSON",
  (of) => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const told = said(`problem.${of}.faults`, { count: 2 });
    const faults = ["/a", "/b"].map((pointer) => ({ pointer, detail: said("fault.required") }));
    reportError(new Problem("invalid", told, { errors: faults }));
    const [first, ...rest] = printed.mock.calls.map(([line]) => String(line));
    printed.mockRestore();
    expect(rest).toHaveLength(2);
    expect(first).not.toContain("errors");
  },
);

it("French has a no-break space before : ; ? ! and inside « »", () => {
  // an ICU number format, a form of IIIF, a header of HTTP
  const codes = /, ::\.0|!w,h|Content-Type: /g;
  const wrong = /[ \u202f][:;?!»]|«(?!\u00a0)|(?<!\u00a0)»|[\p{L}\p{N})}’][:;?!](?=\s|$)/u;
  const fr = Object.entries(catalogues.fr!);
  expect(fr.filter(([, text]) => wrong.test(text.replace(codes, "")))).toEqual([]);
});

it("Italian has no article before a value: it would be il, l’ or lo, or gli 8 beside i 9, and the day of a date is any number", () => {
  const articles = /\b(il|lo|la|(d|a|da|ne|su)(l|llo|lla)) \{|\b(i|gli|(de|a|da|ne|su)(i|gli)) #/i;
  const dates = (key: string) => key.startsWith("date.");
  const it = Object.entries(catalogues.it!);
  expect(it.filter(([key, text]) => !dates(key) && articles.test(text))).toEqual([]);
});

it.each(Object.keys(catalogues))("the two buttons below an undo begin with two words in %s", (language) => {
  const begins = (key: MessageKey) => translator(language)(key).split(" ")[0];
  for (const key of ["admin.import.undo", "bulk.undo"] as const)
    expect(begins(key)).not.toBe(begins("merge.cancel"));
  const page = readFileSync(`${ROOT}src/admin/imports/undo-page.ts`, "utf8");
  expect(page).not.toContain("editor.cancel");
});

/** Words that are said otherwise everywhere else in the language. */
const OTHER_WORDS: Readonly<Record<string, RegExp>> = {
  de: /Triple.?[Ss]tore|Datensatztyp|Beziehungsart|Sammelbearbeitung|Lagerort|Geschichte|\bBody\b|\bLog\b|\bMails?\b(?<!E-Mails?)|Verbessern Sie|Jemand anders\b|\bangewandt|eingebaute Datenbank|lauscht|\bWorker\b|Arbeiter\b|engere[rn]? Begriff| in \{(?:records|units)\}/u,
  fr: /fichiers? des? médias|[Pp]ersonne de l’administration|fichier versé|triplestore|base de triplets|e-mail|caractère de commande|\bworker\b|exécuteur/u,
};

it.each(Object.entries(OTHER_WORDS))("one thing has one name in %s", (language, other) => {
  const found = Object.entries(catalogues[language]!).filter(([, text]) => other.test(text));
  expect(found).toEqual([]);
});

/** Words of a text that has at least one of three letters, without those of ICU. */
const wordsOf = (text: string): string =>
  (
    text
      .replace(/\{\w+(, (plural|select|number),)?|\b(one|other|yes|no|early|mid) (?=\{)/g, "")
      .match(/\p{L}{3,}/gu) ?? []
  )
    .join(" ")
    .toLowerCase();

/** Names and codes, which no language translates. */
const NAMES = /^(bauhaus|ctrl|geonames|gnd|logo|maya|mib|min|ndjson|sparql|tgn|ulan|viaf|wikidata)$/;

/** Texts that are the same in English: each was looked at. */
const SAME: Readonly<Record<string, string>> = {
  de: `alabaster, barcode, bronze, collage, definition, downloads, drama, dublin core element, essay,
    expression, gold, gouache, import, installation, linked data cidoc crm, mail, manifest,
    manifestation, material, museum, name, organisation, park, person, portal, position, region, relief,
    religion, renaissance, schema, start, statue, status, superuser, system, tempera, text, version,
    website, winter`,
  es: `bash zsh fish, collage, gouache, inca, material, medieval, metal, pastel, portal, roles, true false,
    universal`,
  fr: `acquisition, action, add remove, architecture, art nouveau, attribution, baroque, bash zsh fish,
    bronze, collage, collection, collections, condition, conditions, configuration, continent, culture,
    date, date edtf, dates, description, designer, dimensions, expression, expressions, genre, gouache,
    identification, images, import, imports, inca, inscription, installation, latin, latitude,
    longitude, manifestation, manifestations, menu, messages, miniature, note, notes, options, organisation, pages,
    parents, participants, pastel, photo photos, photos, portrait, position, production, provenance, province, public,
    relief, religion, renaissance, reproduction, rococo, sculpture, site, statue, suggestion suggestions,
    suggestions, synagogue, technique, temple, textile, true false, type, version, village`,
  it: `account, add remove, backup, bash zsh fish, collage, designer, file, inca, intersex, link, linked
    data cidoc crm, mail, manifest, menu, password, schema, tempera, terracotta, triple
    store, true false`,
  nl: `account, add remove, aquatint, architect, art deco, art nouveau, barcode, bash zsh fish, byte bytes,
    collage, conflict, continent, database, details, diameter, downloads, dublin core element, essay,
    facet, genre, gouache, iiif viewer, illustrator, import, imports, inca, label, labels, later, letters,
    linked data cidoc crm, mail, manifest, menu, mezzotint, museum, object, opera, park,
    pastel, procedure, procedures, query sparql, record, record records, records, renaissance, rococo,
    schema, specimen, start, status, subtype, superuser, tempera, term, terracotta, true false, type,
    website, wikidata item, winter`,
};

it("no text is English in another language, but for words that are the same", async () => {
  const museum = await openMuseum();
  const labels = await museum.services.sql<{ text: Record<string, string> }[]>`
    select label as text from vocabularies union all select label from schema_fields
    union all select help from schema_fields union all select label from vocabulary_terms
    union all select label from roles union all select label from record_subtypes
    union all select label from relation_types union all select inverse_label from relation_types`;
  await museum.close();
  for (const [language, words] of Object.entries(others)) {
    const texts = [
      ...Object.entries(english).map(([key, text]) => [text, words[key as MessageKey]] as const),
      ...labels.map(({ text }) => [text.en ?? "", text[language] ?? text.en ?? ""] as const),
    ].filter(([text]) => wordsOf(text) !== "");
    const same = texts.filter(([text, other]) => wordsOf(text) === wordsOf(other));
    const found = [...new Set(same.map(([text]) => wordsOf(text)))].filter((each) => !NAMES.test(each));
    expect([language, found.sort().join(", ")]).toEqual([language, SAME[language]?.replace(/\s+/g, " ")]);
    expect(texts.length).toBeGreaterThan(3000);
    expect(same.length / texts.length).toBeLessThan(0.05);
  }
});

/** The same English for another thing: a quantity, what a button does, what happened. */
const OTHER_SENSES =
  /^(admin\.filter|duplicate\.title|fieldType\.number|record\.onLoan|search\.button|security\.event|transfer\.(in|out))$/;

it.each(Object.keys(others))("terms of the glossary in docs/translating.md are said so in %s", (language) => {
  const page = readFileSync(`${ROOT}docs/translating.md`, "utf8");
  const rows = [...page.split("\n## Glossary\n")[1]!.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!);
  const [header = [], ...terms] = rows.map((row) => row.toLowerCase().split(" | "));
  const name = new Intl.DisplayNames("en", { type: "language" }).of(language)!;
  const column = header.indexOf(name.toLowerCase());
  if (column === -1) return;
  const strays = terms.flatMap((term) => {
    const forms = term[column]!.replace(/ \([^)]*\)/g, "").split(", ");
    return Object.entries(english)
      .filter(([key, text]) => text.toLowerCase() === term[0] && !OTHER_SENSES.test(key))
      .map(([key]) => ({ key, text: catalogues[language]![key]!, forms }))
      .filter(({ text }) => !forms.includes(text.toLowerCase()));
  });
  expect(terms.length).toBeGreaterThan(100);
  expect(strays).toEqual([]);
});

describe("one of something", () => {
  const dry = { dry: "yes", count: 1 };
  it.each([
    ["job.report.would_be_created", { count: 1 }, "1 würde neu angelegt", "1 serait créée"],
    ["job.report.rejected", { count: 1 }, "1 abgelehnt", "1 refusée"],
    ["backups.lead", { days: 1 }, "1 Tag aufbewahrt", "conservées 1 jour,"],
    ["cli.doctor.admins_able", { count: 1 }, "1 kann sich anmelden", "1 peut se connecter"],
    ["cli.schema.older", { missing: 1, count: 9 }, "fehlt 1 von 9", "1 fichier de schéma sur 9"],
    ["cli.undo.trashed", dry, "1 neu angelegter Datensatz: käme in", "1 notice créée par cet import"],
    ["cli.undo.left", dry, "1 Datensatz bliebe, wie er ist", "1 notice resterait"],
    ["cli.search.waiting", { count: 1 }, "1 Datensatz wartet", "1 notice attend d’être indexée "],
    ["problem.role.in_use", { role: "x", count: 1 }, "Geben Sie ihm zuerst", "Donnez-lui d’abord"],
    ["records.named", { shown: "OBJ-1", more: 1 }, "OBJ-1 und 1 weiterer", "OBJ-1 et 1 de plus"],
    ["chooser.some", { count: 1 }, "1 Vorschlag", "1 suggestion"],
    ["photos.failed", { count: 1 }, "1 nicht hinzugefügt", "1 non ajoutée"],
    ["cli.reindex.failed", { done: "x", count: 1 }, "1 fehlgeschlagen, er wird", "qui sera réessayée"],
  ] as const)("is not spoken of as many: %s", (key, values, german, french) => {
    expect(translator("de")(key, values)).toContain(german);
    expect(translator("fr")(key, values).replaceAll("\u00a0", " ")).toContain(french);
  });
});

describe("one of something, where other languages need no form for it,", () => {
  const added = { added: 1, would_add: 1, there: 1, refused: 1, count: 3, awaited: 0 };
  const moved = { count: 3, size: "", there: 1, left: 1 };
  it.each([
    ["it", "record.media.more", { count: 1 }, "Mostra un’altra immagine"],
    ["it", "search.more", { count: 1 }, "un altro"],
    ["it", "job.report.list_and_more", { list: "a", count: 1 }, "a e un altro"],
    ["it", "problem.role.beyond_more", { permissions: "a", more: 1 }, "a e un altro"],
    ["it", "job.report.more", { count: 1 }, "… e ancora 1"],
    ["it", "cli.reset.job_running", { kind: "x", id: "1", more: 1 }, "x 1 e un’altra."],
    ["it", "cli.import_media.done", added, "1 aggiunto, 1 già presente, 1 scartato"],
    ["it", "cli.import_media.would_do", added, "1 da aggiungere, 1 già presente, 1 scartato"],
    ["it", "cli.media_move.moved", moved, ", 1 già presente, 1 rimasto"],
    ["it", "cli.doctor.mails", { waiting: 1, given_up: 1 }, "1 abbandonata"],
    ["it", "cli.schema.refused", { refused: 1, count: 3 }, "3 passi: 1 non si può eseguire"],
    ["es", "cli.import_media.done", added, "1 nuevo, 1 que ya estaba, 1 rechazado"],
    ["es", "cli.import_media.would_do", added, "1 por añadir, 1 que ya está, 1 rechazado"],
    ["es", "cli.media_move.copied", moved, ", 1 ya estaba;"],
    ["de", "record.media.more", { count: 1 }, "Ein weiteres Bild zeigen"],
    ["de", "search.more", { count: 1 }, "noch 1"],
  ] as const)("has one in %s: %s", (language, key, values, text) => {
    expect(translator(language)(key, values)).toContain(text);
  });
});

it("what somebody typed stands in quotation marks", () => {
  for (const language of languages().filter((each) => each !== "en")) {
    const t = translator(language);
    for (const said of [
      t("fault.record.no_number", { number: "zero" }),
      t("admin.link.several", { number: "zero", numbers: "" }),
      t("admin.location.noDay", { day: "zero" }),
    ])
      expect(said).toMatch(/[„“«]\u00a0?zero\u00a0?[“”»]/);
  }
});

it("a Dutch fault of a part of a mapping is a sentence of its own", () => {
  const t = translator("nl");
  const fault = say(t, said("fault.template.empty_braces"));
  expect(t("fault.template.optional", { fault })).toContain("deel dat niet klopt: dit heeft lege accolades");
  expect(t("fault.xpath.pattern", { pattern: "(b", fault: "is geen" })).toContain("“(b”: dit is geen");
});

it("the demo says the master of a ship, and earthenware of any age, otherwise than a teacher and creamware", () => {
  type Terms = Record<string, Record<string, string>[]>;
  const terms: Terms = JSON.parse(readFileSync(`${ROOT}cli/demo/museum/terms.json`, "utf8"));
  const wordsFor = (vocabulary: string, en: string) =>
    Object.values(terms[vocabulary]!.find((term) => term.en === en)!);
  expect(wordsFor("role", "ship’s master").join()).not.toMatch(/Meister|maître|maestr|meester/);
  expect(wordsFor("material", "earthenware")).not.toContain("terraglia");
});

it.each(Object.keys(others))("a colon stands between a pointer and its fault in %s", (language) => {
  const t = translator(language);
  for (const key of ["problem.invalid.at", "problem.mapping.at", "problem.import.fault_at"] as const)
    expect(t(key, { pointer: "/A", fault: "x" })).toContain(`/A${t("form.colon")} x`);
});

it("pages write colons and semicolons as their language does", () => {
  const scripts = filesUnder("src/pages/assets").filter((path) => path.endsWith(".js"));
  const pages = [
    ...sourcesUnder("src/admin", "src/portal", "src/pages"),
    ...scripts.map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") })),
  ];
  const byHand = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/((?:\}|<\/\w+>)[:;] (?:\$\{|<|`)|join\("; "\)).*/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  );
  expect(pages.length).toBeGreaterThan(50);
  // a header of HTTP
  expect(byHand.filter((found) => !found.startsWith("src/pages/policy.ts: "))).toEqual([]);
  expect(withSemicolons(translator("fr"), ["a", "b"])).toBe("a\u00a0; b");
  expect(withSemicolons(translator("de"), ["a", "b"])).toBe("a; b");
});

it("the first of a month is 1er in French and 1º in Italian, and no other day is", () => {
  const said = ["2026-12-01", "2026-12-11"].map((day) =>
    languages().map((language) => say(translator(language), { key: "fault.move.later", values: { day } })),
  );
  expect(said[0]!.filter((text) => /1er décembre|1º dicembre/.test(text))).toHaveLength(2);
  expect(said[1]!.filter((text) => /er décembre|º dicembre/.test(text))).toEqual([]);
});

it("a fault says what is wanted, not that it is so", () => {
  expect(translator("de")("fault.name.form")).toMatch(/^muss /);
  expect(translator("fr")("fault.name.form")).toMatch(/^doit /);
  for (const language of languages())
    expect(translator(language)("fault.length.between", { least: 1, most: 2 })).toMatch(
      /^(must|muss|doit|deve|debe|moet) /,
    );
});

it("a suggestion ends before the question mark", () => {
  const values = { value: "x", count: 1, date: "1890-22?", other: "" };
  const said = languages().map((language) => translator(language)("fault.value.date", values));
  expect(said.every((text) => /1890-22\?["“”\s»]+\?$/.test(text))).toBe(true);
});

type Call = { at: string; key: string; values: string[] };

/** A call with its key and its values, as the formatter writes it; a call whose values are passed on is left out. */
const CALL = /\b(?:t|said|help)\(\s*"([\w.-]+)"\s*,?\s*(?:\)|\{)/g;

function callsIn({ path, text }: Source): Call[] {
  return [...text.matchAll(CALL)].flatMap(({ 0: whole, 1: key, index }) => {
    const at = `${path}:${text.slice(0, index).split("\n").length}`;
    if (!whole.endsWith("{")) return [{ at, key: key!, values: [] }];
    const values = topNames(text.slice(index + whole.length));
    return values === null ? [] : [{ at, key: key!, values }];
  });
}

/** The names of an object literal, whose text begins after its brace; null if it takes over those of another. */
function topNames(text: string): string[] | null {
  let depth = 0;
  let flat = "";
  for (const letter of text) {
    if (letter === "}" && depth === 0) break;
    if ("([{".includes(letter)) depth += 1;
    else if (")]}".includes(letter)) depth -= 1;
    else if (depth === 0) flat += letter;
  }
  const names = flat.split(",").map((part) => part.split(":")[0]!.trim());
  return names.some((name) => name.startsWith("...")) ? null : names.filter((name) => name !== "");
}

describe("the program", () => {
  it("gives each message the values that it needs", () => {
    const calls = sourcesUnder("src", "workers", "cli").flatMap(callsIn);
    expect(calls.length).toBeGreaterThan(500);
    const wanting = calls.flatMap(({ at, key, values }) => {
      const missing = valuesOf(english[key] ?? "").filter((name) => !values.includes(name));
      return missing.length > 0 ? [`${at}: ${key} needs ${missing}`] : [];
    });
    expect(wanting).toEqual([]);
  });
});

it("no argument has a no-break space, which would hide its format", () => {
  const hidden = Object.entries(catalogues).flatMap(([language, words]) =>
    Object.entries(words)
      .filter(([, text]) => /\{\w+,[^{}]*\u00a0/.test(text))
      .map(([key]) => `${language}: ${key}`),
  );
  expect(hidden).toEqual([]);
});

it.each([...languages()])("a sentence within another has one full stop in %s", (language) => {
  const t = translator(language);
  const cell = said("fault.row.quote_open", { cell: 2 });
  const broken = say(t, said("problem.import.partly_done", { fault: cell, id: "7" }));
  expect(broken).toContain(say(t, cell).replace(/\.$/, ""));
  expect(broken).not.toMatch(/\.\.|\0/);
  expect(say(t, said("fault.row.rest_of_broken", { fault: cell, line: 3 }))).toContain(say(t, cell));
});

it("what another version has stored is shown by its key", () => {
  expect(say(ENGLISH, { key: "problem.invalid.at" })).toBe("problem.invalid.at");
  expect(say(ENGLISH, { key: "problem.of.tomorrow" as MessageKey })).toBe("problem.of.tomorrow");
});

it("the catalogue has no message that nobody says", () => {
  const code = sourcesUnder("src", "workers", "cli")
    .map(({ text }) => text)
    .join("\n");
  const begun = [...code.matchAll(/`([a-zA-Z_]+\.[a-zA-Z_.]*)\$\{/g)].map(([, beginning]) => beginning!);
  const said = (key: string) =>
    code.includes(`"${key}"`) || begun.some((beginning) => key.startsWith(beginning));
  expect(Object.keys(english).filter((key) => !said(key))).toEqual([]);
});

describe("a new language", () => {
  afterAll(() => setCatalogues(others));

  it("is one file", async () => {
    const shouted = Object.entries(english).map(([key, text]) => [key, `¡${text}!`]);
    setCatalogues({ ...others, eo: Object.fromEntries(shouted) as Catalogue });
    expect(languages()).toEqual(["en", ...Object.keys(others), "eo"]);
    const museum = await openMuseum();
    const { app } = createApp(museum.services);
    const answer = await app.fetch(
      new Request("http://127.0.0.1/", { headers: { Accept: "text/html", "Accept-Language": "eo" } }),
    );
    const text = await answer.text();
    expect(text).toContain('<html lang="eo"');
    expect(text).toContain(`¡${english["home.lead"]}!`);
    expect(text).toContain('hreflang="eo"');
    await museum.close();
  });
});
