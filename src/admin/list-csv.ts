/** Records as a table that spreadsheets open and `import-csv` reads: a row for each, a column for each field and language. */
import { writeCsvRow } from "../imports/csv.ts";
import { disarmed } from "../imports/rejects.ts";
import { labelIn } from "../pages/labels.ts";
import type { View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { ListQuery } from "../records/list.ts";
import { keysFound, linksOfRecords } from "../records/list-facts.ts";
import type { RecordRow } from "../records/record.ts";
import { fieldsOf, type Schema } from "../records/schema.ts";
import { maySeeField, maySeeLinksOf } from "../records/visibility.ts";
import type { Sql } from "../services.ts";
import { namePlainly } from "./field-names.ts";

/** Between several values of one cell. */
const SEVERAL = " | ";

type Linked = ReadonlyMap<string, readonly string[]>;
/** `links`: names at the other ends, by record and relation type. */
type Column = { name: string; cell(row: RecordRow, links: Linked): string };

/** Spreadsheets of these languages part their columns so. */
const delimiterOf = ({ t }: View): string => (t.language === "en" ? "," : ";");

/** The head of the table, and its rows for a part of the records. */
export async function csvOf(
  sql: Sql,
  view: View,
  schema: Schema,
  kind: Kind,
  query: Omit<ListQuery, "page" | "page_size">,
): Promise<{ head: string; rows(part: readonly RecordRow[]): Promise<string> }> {
  const columns = await columnsOf(sql, view, schema, kind, query);
  const line = (cells: readonly string[]) => writeCsvRow(cells.map(disarmed), delimiterOf(view));
  return {
    // without a byte order mark spreadsheets take a file for Windows-1252
    head: `\uFEFF${line(columns.map(({ name }) => name))}`,
    async rows(part) {
      const ids = part.map(({ id }) => id);
      const links = new Map<string, string[]>();
      for (const { from_id, relation_type, name } of await linksOfRecords(sql, view.caller, ids)) {
        const key = `${from_id} ${relation_type}`;
        links.set(key, [...(links.get(key) ?? []), name]);
      }
      return part.map((row) => line(columns.map(({ cell }) => cell(row, links)))).join("");
    },
  };
}

async function columnsOf(
  sql: Sql,
  view: View,
  schema: Schema,
  kind: Kind,
  query: Omit<ListQuery, "page" | "page_size">,
): Promise<Column[]> {
  const { t, caller } = view;
  const { subtypeKey, columns } = kinds[kind];
  const named = (name: string) => namePlainly(view, schema, kind, name);
  const found = await keysFound(sql, caller, kind, query);
  const fields = [...fieldsOf(schema, kind).values()].filter((field) => maySeeField(caller, field));
  const types = [...schema.relationTypes.values()].filter((type) => maySeeLinksOf(caller, type, kind));
  return [
    { name: named("idno"), cell: ({ idno }) => idno },
    { name: named(subtypeKey), cell: ({ subtype }) => subtype },
    { name: named("status"), cell: ({ status }) => status },
    ...columns
      .filter((column) => column !== "parent_id")
      .map((column): Column => ({ name: named(column), cell: (row) => String(row[column] ?? "") })),
    ...fields.flatMap(({ name }) =>
      (found.languages.get(name) ?? []).map(
        (lang): Column => ({
          name: lang === null ? named(name) : `${named(name)} (${lang})`,
          cell: ({ metadata }) =>
            (metadata[name] ?? [])
              .filter((entry) => (entry.lang ?? null) === lang)
              .map(({ value }) => value)
              .join(SEVERAL),
        }),
      ),
    ),
    ...types
      .filter(({ name }) => found.relationTypes.has(name))
      .map(
        ({ name, label }): Column => ({
          name: labelIn(label, t.language, name),
          cell: ({ id }, links) => (links.get(`${id} ${name}`) ?? []).join(SEVERAL),
        }),
      ),
  ];
}
