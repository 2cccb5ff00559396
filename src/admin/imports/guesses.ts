/** Guesses the meanings of a list's columns from their names. Recognises the columns of our own lists. */
import type { Caller } from "../../caller.ts";
import { IN_LANGUAGE, type ListColumn, linkTarget, listColumns } from "../../lists/columns.ts";
import { PLAIN_WORDS, type TableWords } from "../../lists/table.ts";
import { languages, translator } from "../../messages/translate.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { maySeeField, maySeeLinksOf, visibleFields } from "../../records/visibility.ts";
import { SEPARATOR, withoutApostrophe } from "../../text/csv-cells.ts";
import { wordsOf } from "../../text.ts";
import { listWords } from "../lists/export.ts";
import { type ColumnChoice, MEDIA, OBJECT_NAME, TOGETHER } from "./form.ts";
import { ANY_HEADS, HEADS, LAST_HEADS, listed } from "./heads.ts";

const FILE_NAME = /\.[a-z\d]{2,4}\s*$/i;
const NOTHING: ColumnChoice = { target: "", split: "", lang: "" };
/** "Artist (name, first name)". Units stay, because they change the meaning of the values. */
const REMARK = /\s*[([](?!(?:in )?(?:[mckd]?m|k?g|in|inch(?:es)?)[)\]])[^()[\]]*[)\]]\s*$/i;
const BETWEEN_HEADS = /[/,;+&]|\s(?:und|oder|bzw\.|and|or|et|ou|e|o|y|en|of)\s/i;

const keyOf = (column: string): string => wordsOf(column.replaceAll("_", " ")).join(" ");

/** A column of object names also sets the type, and the title where there is none. */
function withTypes(choices: readonly ColumnChoice[], kind: Kind): ColumnChoice[] {
  const hasTypes = choices.some(({ target }) => target === "__type__");
  const also = [kinds[kind].titleField, OBJECT_NAME, ...(hasTypes ? [] : ["__type__"])];
  return choices.map((choice) =>
    choice.target === OBJECT_NAME ? { ...choice, target: also.join(TOGETHER) } : choice,
  );
}

/** The column names in our own lists: those for programs, and those in each language. */
const allWords = (schema: Schema, kind: Kind): TableWords[] => [
  PLAIN_WORDS,
  ...languages().map((language) => listWords(translator(language), schema, kind)),
];

/**
 * The columns of our own lists by name, if this is the header of such a list; else null. A list is ours if it has the columns for
 * the number and for the last change in the catalogue, whatever else a spreadsheet has added, removed or moved.
 */
export function ourColumns(
  schema: Schema,
  kind: Kind,
  header: readonly string[],
): ReadonlyMap<string, ListColumn> | null {
  const there = new Set(header.map(withoutApostrophe));
  for (const words of allWords(schema, kind)) {
    const columns = listColumns(schema, kind, words);
    const isMark = (column: ListColumn) =>
      column.is === "own" && (column.own === "idno" || column.own === "updated_at");
    if (columns.filter(isMark).every(({ name }) => there.has(name)))
      return new Map(columns.map((column) => [column.name, column]));
  }
  return null;
}

/**
 * The most likely meaning of each column. Guesses no target twice in the same language.
 *
 * @param rows the first rows
 */
export function guessChoices(
  schema: Schema,
  caller: Caller,
  kind: Kind,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): ColumnChoice[] {
  const ours = new Map(
    [...(ourColumns(schema, kind, header) ?? [])].filter(([, column]) => maySeeColumn(caller, kind, column)),
  );
  const guess = guesser(schema, caller, kind);
  const taken = new Set<string>();
  const last = listed(LAST_HEADS[kind] ?? "").map(keyOf);
  const rank = ({ column }: { column: string }) => last.indexOf(keyOf(column));
  const likeliest = header.map((column, index) => ({ column, index })).sort((a, b) => rank(a) - rank(b));
  const choices = header.map(() => NOTHING);
  for (const { column, index } of likeliest) {
    const own = choiceOfOurs(ours, withoutApostrophe(column));
    const cells = rows.flatMap((row) => row[index] || []);
    const all = own
      ? [own]
      : guess(column)
          .filter(({ target }) => target !== MEDIA || cells.every((cell) => FILE_NAME.test(cell)))
          .map((named) => ({ ...named, split: guessSeparator(cells, named.target, schema, kind) }));
    const found = all.find(({ target, lang }) => !taken.has(`${target} ${lang}`)) ?? NOTHING;
    if (found.target !== "") taken.add(`${found.target} ${found.lang}`);
    choices[index] = found;
  }
  return ours.size > 0 ? choices : withTypes(choices, kind);
}

function maySeeColumn(caller: Caller, kind: Kind, column: ListColumn): boolean {
  if (column.is === "field") return maySeeField(caller, column.field);
  return column.is === "own" || maySeeLinksOf(caller, column.type, kind);
}

/** In our lists, every field and link may have several values, in any language. */
function choiceOfOurs(ours: ReadonlyMap<string, ListColumn>, name: string): ColumnChoice | undefined {
  const column = ours.get(name);
  if (column)
    return {
      ...NOTHING,
      target: column.target,
      split: column.is === "own" ? "" : SEPARATOR,
      format: column.is === "field" && column.field.field_type === "date" ? "EDTF" : "",
    };
  const [, plain = "", lang = ""] = IN_LANGUAGE.exec(name) ?? [];
  const field = ours.get(plain);
  return field?.is === "field" ? { target: field.target, split: SEPARATOR, lang } : undefined;
}

/** Guesses the targets of a column from its name, the most likely first, and its language. */
function guesser(schema: Schema, caller: Caller, kind: Kind) {
  const byName = namesOfTargets(schema, caller, kind);
  const targetsOf = (column: string): readonly string[] => {
    const key = keyOf(column);
    return byName.get(key) ?? byName.get(key.replace(/s$/, "")) ?? [];
  };
  /** For "Artist / maker": the targets that both have. */
  const targetsOfAll = (column: string): readonly string[] => {
    const [first = [], ...others] = column.split(BETWEEN_HEADS).map(targetsOf);
    return first.filter((target) => others.every((one) => one.includes(target)));
  };
  return (column: string) => {
    const whole = targetsOf(column);
    const targets = whole.length > 0 ? whole : targetsOfAll(column.replace(REMARK, ""));
    const [, name, lang] = (targets.length === 0 && IN_LANGUAGE.exec(column)) || [];
    if (name === undefined || lang === undefined) return targets.map((target) => ({ target, lang: "" }));
    const field = fieldsOf(schema, kind).get(targetsOf(name)[0] ?? "");
    return field?.is_translatable ? [{ target: field.name, lang }] : [];
  };
}

/** Targets by name: the names in our own exports (also those for programs), labels, and names usual in museums. */
function namesOfTargets(schema: Schema, caller: Caller, kind: Kind): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  const learn = (name: string, target: string) => {
    const key = keyOf(name);
    if (key !== "") byName.set(key, [...(byName.get(key) ?? []), target]);
  };
  const words = allWords(schema, kind);
  for (const each of words)
    for (const { is, name, target } of listColumns(schema, kind, each))
      if (is === "own" && target !== "") learn(name, target);
  const possible = new Set(["__idno__", "__lat__", "__lon__", "__parent__", MEDIA]);
  for (const field of visibleFields(schema, caller, kind)) {
    possible.add(field.name);
    for (const name of [field.name, ...Object.values(field.label)]) learn(name, field.name);
  }
  for (const type of schema.relationTypes.values()) {
    if (!type.from_types.includes(kind) || !maySeeLinksOf(caller, type, kind)) continue;
    for (const to of type.to_types) possible.add(linkTarget(type.name, to));
    const [to, ...others] = type.to_types;
    // a column with links to records of several kinds can have no single target
    if (to === undefined || others.length > 0) continue;
    for (const each of words) learn(each.link(type), linkTarget(type.name, to));
  }
  for (const [target, heads] of [...Object.entries(ANY_HEADS), ...Object.entries(HEADS[kind] ?? {})])
    if (possible.has(target)) for (const name of listed(heads)) learn(name, target);
  return byName;
}

/**
 * The separator that our lists used before values were escaped, if the first rows contain it. Columns of links always get it: two
 * names in a later row would otherwise become one new record, and replace both links. Museums write `;` between names and terms.
 */
function guessSeparator(cells: readonly string[], target: string, schema: Schema, kind: Kind): string {
  const isLink = target.startsWith("__relation:");
  if (cells.some((cell) => cell.includes(" | "))) return SEPARATOR;
  const field = fieldsOf(schema, kind).get(target);
  const isOfNames = isLink ? !target.endsWith(":storage_location__") : target === MEDIA;
  const mayBeSeveral = isOfNames || (field?.is_repeatable === true && field.vocabulary !== null);
  if (mayBeSeveral && cells.some((cell) => withoutBrackets(cell).includes(";"))) return ";";
  return isLink ? SEPARATOR : "";
}

const withoutBrackets = (text: string): string => text.replace(/[([][^()[\]]*[)\]]/g, "");
