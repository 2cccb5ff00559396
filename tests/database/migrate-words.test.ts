/** The words of the default configuration get better with a new version, but for those that a museum has changed. */
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../../src/adapters/database/migrate/migrate.ts";
import { databases, openMuseum } from "../support/museum/museum.ts";

const FILES = [
  "0079_native_words.sql",
  "0081_words_on_the_page.sql",
  "0082_headings_of_links.sql",
  "0083_nouns_as_headings.sql",
  "0085_plural_headings.sql",
  "0086_words_for_readers.sql",
  "0087_labels_for_visitors.sql",
  "0088_labels_read_again.sql",
];

it.each(databases)(
  "better words replace released ones, and what the museum wrote stays (%s)",
  async (database) => {
    const museum = await openMuseum({ database });
    const { sql } = museum.services;
    const words = async () =>
      Object.fromEntries(
        (
          await sql<{ name: string; words: string }[]>`
          select name, concat_ws(' / ', label ->> 'fr', inverse_label ->> 'fr', label ->> 'de', label ->> 'es') as words
          from relation_types where name in ('created_by', 'acquired_from', 'found_at', 'made_at', 'parent_of', 'part_of') order by name`
        ).map((row) => [row.name, row.words]),
      );
    const version = async () => Number((await sql`select version from configuration`)[0]!.version);
    const help = async () =>
      (await sql`select help from schema_fields where record_type = 'object' and name = 'dimensions'`)[0]!
        .help;
    onTestFinished(() => museum.close());
    await sql`
    update relation_types set label = label || '{"fr": "créé par", "es": "creado por"}', inverse_label = inverse_label || '{"en": "created", "fr": "a créé"}'
    where name = 'created_by'`;
    await sql`
    update relation_types set label = label || '{"fr": "acheté à", "de": "von", "es": "de"}' where name = 'acquired_from'`;
    await sql`
    update relation_types set inverse_label = inverse_label || '{"fr": "comprend"}' where name = 'part_of'`;
    await sql`
    update relation_types set inverse_label = inverse_label || '{"fr": "fabriqué ici"}' where name = 'made_at'`;
    await sql`
    update relation_types set inverse_label = inverse_label || '{"fr": "sorti de terre ici"}' where name = 'found_at'`;
    // the same French word for something else
    await sql`
    update relation_types set label = '{"en": "relative of", "fr": "parent de"}' where name = 'parent_of'`;
    await sql`
    update schema_fields set help = help || '{"de": "Art, Wert und Einheit: Höhe 62.5 cm.", "fr": "En centimètres ; sans cadre."}'
    where record_type = 'object' and name = 'dimensions'`;
    const biography = async () =>
      (await sql`select help from schema_fields where record_type = 'entity' and name = 'biography'`)[0]!
        .help;
    const procedures = async () =>
      (
        await sql<{ said: string }[]>`
        select label ->> 'en' as said from record_subtypes
        where record_type = 'procedure' and name in ('acquisition', 'insurance', 'deaccession_and_disposal') order by name`
      ).map(({ said }) => said);
    await sql`
    update schema_fields set help = help || '{"en": "It is public; of living people record only what they agree to."}'
    where record_type = 'entity' and name = 'biography'`;
    await sql`
    update record_subtypes set label = label || '{"en": "Acquisition"}'
    where record_type = 'procedure' and name = 'acquisition'`;
    await sql`
    update record_subtypes set label = label || '{"en": "Government indemnity"}'
    where record_type = 'procedure' and name = 'insurance'`;
    await sql`
    update vocabulary_terms set label = label || '{"it": "ignota"}' where vocabulary = 'acquisition_method' and value = 'unknown'`;
    await sql`delete from schema_migrations where name in ${sql(FILES)}`;
    const before = await version();
    await migrate(sql);
    expect(await words()).toEqual({
      acquired_from: "acheté à / objets cédés / von / de",
      created_by: "auteur / œuvres / geschaffen von / autoría",
      found_at: "lieu de découverte / sorti de terre ici / gefunden in / hallado en",
      made_at: "lieu de production / objets fabriqués ici / hergestellt in / hecho en",
      parent_of: "parent de / parents",
      part_of: "partie de / éléments / Teil von / parte de",
    });
    expect(await help()).toMatchObject({
      de: "Art, Wert und Einheit: Höhe 62,5\u00a0cm.",
      fr: "En centimètres ; sans cadre.",
      nl: "Soort, waarde en eenheid: hoogte 62,5\u00a0cm.",
    });
    expect(await biography()).toMatchObject({
      en: "It is public; for living people, record only what they have agreed to.",
      de: "Der Text ist öffentlich; über lebende Personen nur das, womit sie einverstanden sind.",
    });
    expect(await procedures()).toEqual([
      "Acquisition and accessioning",
      "Deaccessioning and disposal",
      "Government indemnity",
    ]);
    const [technique] = await sql`
      select label from vocabulary_terms where vocabulary = 'technique' and value = 'painting'`;
    expect(technique!.label).toMatchObject({ it: "pittura", nl: "schilderen" });
    const [curator] =
      await sql`select label from vocabulary_terms where vocabulary = 'role' and value = 'curator'`;
    expect(curator!.label).toMatchObject({
      fr: "commissaire d’exposition",
      it: "curatore/curatrice",
      nl: "conservator",
    });
    const [statement] = await sql`
      select label from schema_fields where record_type = 'object' and label ->> 'de' = 'Material und Technik (Beschreibung)'`;
    expect(statement!.label).toMatchObject({
      en: "Material and technique (description)",
      fr: "Matières et techniques (texte libre)",
    });
    const labels = await sql<{ label: Record<string, string> }[]>`
      select label from vocabulary_terms where value = 'unknown' and vocabulary in ('acquisition_method', 'gender')
        or value = 'http://rightsstatements.org/vocab/UND/1.0/' order by vocabulary`;
    expect(labels.map(({ label }) => [label.it, label.nl])).toEqual([
      ["ignota", "onbekend"],
      ["sconosciuto", "onbekend"],
      ["Diritto d’autore indeterminato", "Auteursrechtelijke bescherming niet bepaald"],
    ]);
    // once for each update of a file, not for each row
    expect((await version()) - before).toBe(5 + 4 + 1 + 1 + 1 + 5 + 1 + 7);
  },
);
