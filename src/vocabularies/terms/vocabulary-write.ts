/** Changes of vocabularies, and what must hold for them. */
import type { Caller } from "../../caller.ts";
import { demandUnchanged, type Expected } from "../../http/answer/resource-answers.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { QUALIFIERS } from "../../records/links/attributions.ts";
import { currentSchema } from "../../records/schema.ts";
import { maySeeVocabulary } from "../../records/visibility.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import { changeConfiguration } from "../configuration-store.ts";
import { demandSame } from "../shape.ts";
import { type VocabularyDraft, type VocabularyReplacement, vocabularyJson } from "./vocabulary-shape.ts";
import {
  deleteVocabulary,
  fieldsWithVocabulary,
  findVocabulary,
  insertVocabulary,
  updateVocabulary,
  type VocabularyRow,
} from "./vocabulary-store.ts";

export async function createVocabulary(services: Services, draft: VocabularyDraft): Promise<VocabularyRow> {
  return changeConfiguration(services.sql, async (tx) => {
    await insertVocabulary(tx, draft);
    return { ...draft, term_count: 0 };
  });
}

/** `edit` makes the new state from the current one. */
export async function changeVocabulary(
  services: Services,
  name: string,
  expected: Expected,
  edit: (current: VocabularyRow) => VocabularyReplacement,
): Promise<VocabularyRow> {
  return changeConfiguration(services.sql, async (tx) => {
    const before = await demandVocabulary(tx, name);
    await demandUnchanged(expected, vocabularyJson(before));
    const wish = edit(before);
    demandSame("name", wish.name, name);
    await updateVocabulary(tx, { ...wish, name });
    return demandVocabulary(tx, name);
  });
}

export async function removeVocabulary(services: Services, name: string, expected: Expected): Promise<void> {
  await changeConfiguration(services.sql, async (tx) => {
    await demandUnchanged(expected, vocabularyJson(await demandVocabulary(tx, name)));
    if (name === QUALIFIERS)
      throw new Problem("conflict", said("problem.vocabulary.fixed", { vocabulary: name }));
    const fields = await fieldsWithVocabulary(tx, name);
    if (fields.length > 0) {
      throw new Problem(
        "conflict",
        said("problem.vocabulary.in_use", { vocabulary: name, fields: fields.join(", ") }),
      );
    }
    await deleteVocabulary(tx, name);
  });
}

export async function demandVocabulary(sql: Sql | Tx, name: string): Promise<VocabularyRow> {
  const row = await findVocabulary(sql, name);
  if (!row) throw noVocabulary(name);
  return row;
}

/** The vocabulary, when this caller may see it. */
export async function demandVisibleVocabulary(
  sql: Sql,
  caller: Caller,
  name: string,
): Promise<VocabularyRow> {
  if (!maySeeVocabulary(await currentSchema(sql), caller, name)) throw noVocabulary(name);
  return demandVocabulary(sql, name);
}

function noVocabulary(name: string): Problem {
  return new Problem("not_found", said("problem.vocabulary.not_found", { name: name.slice(0, 80) }));
}
