/** The sentences of rules are translated wherever staff see them. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { translator } from "../src/messages/translate.ts";
import { SENTENCES, translateReason, translateSentence } from "../src/pages/sentences.ts";
import { spokenIn } from "./support/spoken-sentences.ts";

const files = (folder: string, names: string): string[] =>
  names.split(" ").map((name) => `${folder}/${name}.ts`);

/** Files whose sentences appear on pages: beside a field, as a reason, as a message. */
const SHOWN = [
  ...files(
    "src/records",
    "fields authority-ids batch-ends batch-links batch-parents batch-plan batch-transaction described-ends edit-part edit-plan find-by-keys imports-store loans purge read relations rules shape taken-number trash write",
  ),
  ...files(
    "src/imports",
    "column-values csv-row-scanner csv-table csv decode deferred-links encoding items row schema-fit source undo-choice undo-part undo-plan undo-trash warnings",
  ),
  ...files(
    "src/vocabularies",
    "configuration-store field-write relation-type-shape relation-type-write shape skos subtype-write term-write vocabulary-write",
  ),
  ...files("src/procedures", "move"),
  ...files("src/settings", "change colours logo shape"),
  ...files(
    "src/staff",
    "actor configuration-apply configuration-terms role-shape role-write user-shape user-write",
  ),
  ...files("src/accounts", "keys on-behalf own-name passwords"),
  "src/text.ts",
  "src/language-tag.ts",
  ...files("src/jobs", "change shown"),
  ...files("src/health", "measure reason routes"),
  ...files("src/media", "type upload write"),
  ...files("src/http", "requests resource-answers"),
  ...files("src/adapters/backups", "backup-files backup-source disk-fault"),
  "src/adapters/images/describe.ts",
  ...readdirSync("workers").map((name) => `workers/${name}`),
  ...files(
    "src/admin",
    "bulk-pages editor-routes import-mappings import-mappings-store list-views list-views-store configuration/highlights configuration/subtypes configuration/terms configuration/transfer system/backups system/jobs",
  ),
];

/** Files of which pages show only some sentences: the others are about requests that pages do not send. */
const PARTLY_SHOWN = [
  ...files("src/imports", "mapping transforms rejects counts file-signatures header"),
  ...files("src/adapters/database", "restore dump-reader"),
  ...files("src/http", "sentences body"),
  ...files("src", "nearest caller"),
  ...files("src/accounts", "login"),
];

/** Sentences of the files above that no page shows, or shows in other words, by the reason. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  "it is part of a sentence that is translated as a whole, with everything that can fill it": [
    ", for example 1920, 1920-05, 1920~, 192X, 1900/1910",
    "{} is not an EDTF date{}",
    "contains {}, which XML cannot contain",
    "contains {}, which is invisible",
    "has more than {} marks on one letter, from {} on",
    "U+{}{} as character {}",
    " and {} more",
    "{} may be any of {} {} ({}{})",
    "is linked with {}",
    "has {} below it",
    "remove the links",
    "move the records below it",
    "1 other record",
    "{} other records",
    "{} and {} more",
    "is now at version {}, not {}",
    'has the ETag "{}", which If-Match does not name',
    "the byte 0x{} (number {})",
    "The file is not {} text: {}, {}. Correct it, or name the file's encoding.",
    "The file is {} except for {}{}, {}. Correct {}.",
    ", with the upsert strategy merge",
    " ({} of them in the trash)",
    "{} of {}.{} that do not fit the new definition{}{}",
    "retry the job when they have it again",
    "{}. What was undone so far stays undone: {}",
    "retry the job when they have it again, or undo the import",
    "{}. The rows before that are imported, as {}: {}",
  ],
  "pages show the faults that it counts, or their own text, instead": [
    "The header has {} faults, listed in errors",
    " for {} reasons, listed in errors",
    "The import cannot begin{}",
    "There is no {} {}",
    "The {} {} was deleted",
    "is no longer valid",
    "{}, which the jobs of others need",
    "settings:manage, which the jobs of others need",
    "Only a superuser imports a configuration: it may change roles",
    "Only a superuser downloads backups: they hold everything",
  ],
  "the forms cannot send what it refuses": [
    "{} already exists (use upsert to skip, merge or replace)",
    "{} is the title of {}, and the source does not say which",
    "{} cannot be added to many records at once",
    " (GET /v1/relation-types lists them)",
    "records:publish for {}",
    "the id of a record cannot be changed",
    "must be left out: POST gives a new id",
    "the idno strategy {} needs a column that is mapped to __idno__",
    "{} is not an authority field of {}; there are: {}",
    " (GET /v1/schemas/{} lists those there are)",
    "from {} to {}",
    "{} to {}",
    "a public field",
    "a private field public",
    "the vocabulary {} public",
    "a private relation type public",
    "{}; none leads {}",
    "{}; those that lead {}: {}",
    "{} is not a known encoding; use a name such as utf-8 or windows-1252",
    "{} is UTF-8, not {}: leave the encoding out",
    "is {} and cannot be changed",
    "Only a superuser can make or change the keys of a superuser",
    "{} has more permissions than you, and a key acts for its owner: you can only revoke it",
    "to change its owner",
    "The address contains a NUL character",
  ],
  "it stays in the program, the database or the files that programs read": [
    "relation type",
    "never closed",
    "closed too early",
    "without a number",
    "column {} (no name)",
    "isolation level read committed",
    "import-undo {}",
    "it was cancelled",
    "the process stops",
    "its lease was lost",
    "The job must stop: {}",
    "job failed",
    "job failed; it is retried later",
    "not sent",
    "it could not be sent for a day",
    "{} is a {} file and is stored as {}",
    "too long to show here; svc-manage shows it",
    '<?xml version="1.0" encoding="UTF-8"?>\n<lido:lidoWrap xmlns:lido="{}">\n',
  ],
  "it is the name of a character, beside its code": [
    "half of a surrogate pair",
    "line feed",
    "vertical tab, in FileMaker a line break",
    "form feed",
    "carriage return",
    "group separator, in FileMaker between repetitions",
    "soft hyphen",
    "zero width space",
    "zero width non-joiner",
    "zero width joiner",
    "left-to-right mark",
    "right-to-left mark",
    "line separator",
    "word joiner",
    "byte order mark",
  ],
  "it is translated with the sentence before it": ["No backup was made"],
  "it describes the API": [
    "a relation type",
    "a role",
    "a subtype",
    "a term",
    "the settings",
    "The museum's name",
    "A sentence about the museum, on the first page",
    "Plain text on the first page; an empty line starts a new paragraph",
    "The colour of links and buttons in the light scheme; null: the default",
    "The colour of links and buttons in the dark scheme; null: a lighter shade of `accent_colour`",
    "At the foot of every page",
  ],
};

const [german, french] = [translator("de"), translator("fr")];

/** What the sentence may look like when the program has filled it in. */
function samplesOf(parts: readonly string[]): string[] {
  const filled = [parts.join("7"), parts.join('"7"')];
  // the end of a sentence that begins with a value, or with a word and a colon
  return filled.flatMap((text) => [text, `"7" ${text}`, `${text}: 7`]);
}

const isTranslated = (parts: readonly string[]): boolean =>
  samplesOf(parts).some(
    (sample) => translateSentence(german, sample) !== sample && translateSentence(french, sample) !== sample,
  );

/** Words rather than a name or a code. */
const isSentence = (parts: readonly string[]): boolean => /[a-z] [a-z7]|7 [a-z]/.test(parts.join("7"));

describe("the sentences of the rules", () => {
  it("have a German and a French translation wherever pages show them", () => {
    const except = new Set(Object.values(NOT_SHOWN).flat());
    const missing = SHOWN.flatMap((path) =>
      spokenIn(path)
        .filter((parts) => isSentence(parts) && !isTranslated(parts) && !except.has(parts.join("{}")))
        .map((parts) => `${path}: ${parts.join("{}")}`),
    );
    expect(missing).toEqual([]);
  });

  it("are translated only while a rule uses them", () => {
    const spoken = [...SHOWN, ...PARTLY_SHOWN].flatMap((path) => spokenIn(path).flat()).join("\n");
    const runs = (sentence: string) => sentence.split(/\{~?\w+\}|[;:.,()"?]/).map((run) => run.trim());
    const unused = Object.keys(SENTENCES).filter((sentence) =>
      runs(sentence).some((run) => !spoken.includes(run)),
    );
    expect(unused).toEqual([]);
    const all = new Set(
      [...SHOWN, ...PARTLY_SHOWN].flatMap((path) => spokenIn(path)).map((parts) => parts.join("{}")),
    );
    expect(
      Object.values(NOT_SHOWN)
        .flat()
        .filter((sentence) => !all.has(sentence)),
    ).toEqual([]);
  });

  it("have no placeholder that the English sentence does not fill", () => {
    const holes = (text: string) => [...text.matchAll(/\{~?(\w+)\}/g)].map(([, name]) => name);
    const strange = Object.entries(SENTENCES).filter(([sentence, words]) =>
      Object.values(words).some((translation) =>
        holes(translation).some((name) => !holes(sentence).includes(name)),
      ),
    );
    expect(strange).toEqual([]);
  });

  it.each([
    [
      "title is the title of the records and must stay public",
      "Das Feld benennt die Datensätze. Es bleibt öffentlich.",
    ],
    [
      '"sepia" is not one of light, dark; did you mean "serif"?',
      "„sepia“ ist hier nicht möglich. Möglich sind: light, dark",
    ],
    [
      'column "Jahr": "neulich" is not understood as a date',
      "Spalte „Jahr“: „neulich“ wird nicht als Datum verstanden.",
    ],
    [
      "cannot be undone: title is required for publication",
      "lässt sich nicht zurücksetzen: title: ist vor dem Veröffentlichen auszufüllen",
    ],
    [
      "edited since by jo@museum.example (2026-01-31)",
      "seither bearbeitet von jo@museum.example (2026-01-31)",
    ],
    [
      'The term "oil" is used by 3 records (1 of them in the trash); give them another term first',
      "Der Begriff „oil“ wird noch verwendet (3 Datensätze, davon im Papierkorb: 1): Geben Sie diesen zuerst einen anderen Begriff.",
    ],
    [
      "The file is UTF-8 except for 2 places, the first in line 3, column 1, the byte 0xE4 (number 17). Correct them.",
      "Die Datei ist in UTF-8 gespeichert, aber nicht durchgehend: an 2 Stellen, zuerst Zeile 3, Zeichen 1 (Byte 0xE4, Nummer 17). Verbessern Sie diese Stelle.",
    ],
    ['"text" is not a term of the vocabulary colour', "„text“ ist kein Begriff des Vokabulars colour."],
    ["12,345 rows", "12.345 Zeilen"],
    [
      '"Kahn" may be any of 6 entities (ENT-1 "Kahn", ENT-2 "Kahn" and 1 more); give its number, or another "key" before gnd',
      '„Kahn“ ist nicht eindeutig. Gemeint sein können: ENT-1 "Kahn", ENT-2 "Kahn" und 1 weitere; schreiben Sie die Nummer, oder ordnen Sie die Zeilen über eine andere Spalte zu.',
    ],
    ["The role guard is used by 1 account", "Die Rolle guard wird noch verwendet (1 Konto)."],
    ["what nobody has said before", "what nobody has said before"],
  ])("are translated into German: %s", (sentence, translation) =>
    expect(translateReason(german, sentence)).toBe(translation),
  );

  it("are searched quickly, even in long texts that somebody made up", () => {
    const begun = performance.now();
    for (const text of ["; . : ".repeat(6), " ; ".repeat(600)])
      expect(translateSentence(german, text)).toBe(text);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
