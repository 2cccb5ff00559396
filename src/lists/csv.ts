/** Records as CSV for spreadsheets and `import-csv`: a row for each record, a column for each field and language. */
import type { Caller } from "../caller.ts";
import { writeCsvRow } from "../imports/csv.ts";
import { withApostrophe } from "../imports/rejects.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { ListQuery } from "../records/list.ts";
import { keysFound } from "../records/list-facts.ts";
import type { RecordRow } from "../records/record.ts";
import type { RelationType, Schema } from "../records/schema.ts";
import { findNamed, linksOfRecords } from "../records/store.ts";
import { maySeeLinksOf, visibleFields, visibleMetadata } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

/** The names of the columns, their selection, and the separator. */
export type CsvWords = {
  delimiter: string;
  /** The heading for a metadata field, `idno`, `status`, the key of the subtype or another column of the record. */
  column(name: string): string;
  link(type: RelationType): string;
  /** Columns besides number and name, as `list-columns.ts` names them. Empty: all columns, and the links. */
  chosen: readonly string[];
};

/** The records, and their reader. */
type CsvList = {
  caller: Caller;
  schema: Schema;
  kind: Kind;
  query: Omit<ListQuery, "page" | "page_size">;
};

/** The names of the API, for programs. */
export const PLAIN_WORDS: CsvWords = {
  delimiter: ",",
  column: (name) => name,
  link: ({ name }) => name,
  chosen: [],
};

/** Separates several values in one cell. */
const SEVERAL = " | ";

/** Data of other records: names of linked records by record and relation type, numbers of parents by id. */
type Around = {
  links: ReadonlyMap<string, readonly string[]>;
  parents: ReadonlyMap<string, string>;
};
/** `key`: by which it can be selected; null for a column that is only in the complete table. */
type Column = { key: string | null; name: string; cell(row: RecordRow, around: Around): string };

/** The heading line, and a function for the lines of some records. */
export async function csvOf(
  sql: Sql,
  list: CsvList,
  words: CsvWords,
): Promise<{ head: string; rows(part: readonly RecordRow[]): Promise<string> }> {
  const always = ["@idno", kinds[list.kind].titleField];
  const columns = (await allColumns(sql, list, words)).filter(
    ({ key }) =>
      words.chosen.length === 0 || (key !== null && (always.includes(key) || words.chosen.includes(key))),
  );
  const line = (cells: readonly string[]) => writeCsvRow(cells.map(withApostrophe), words.delimiter);
  return {
    // without a byte order mark, spreadsheets read the file as Windows-1252
    head: `\uFEFF${line(columns.map(({ name }) => name))}`,
    async rows(part) {
      const around = await aroundOf(sql, list, part);
      return part.map((row) => line(columns.map(({ cell }) => cell(row, around)))).join("");
    },
  };
}

async function aroundOf(sql: Sql, { caller, schema }: CsvList, part: readonly RecordRow[]): Promise<Around> {
  const links = new Map<string, string[]>();
  const ids = part.map(({ id }) => id);
  for (const { from_id, relation_type, record_type, idno, names } of await linksOfRecords(sql, caller, ids)) {
    const key = `${from_id} ${relation_type}`;
    const { titleField } = kinds[record_type];
    const [first] =
      visibleMetadata(schema, caller, record_type, { [titleField]: names ?? [] })[titleField] ?? [];
    links.set(key, [...(links.get(key) ?? []), first?.value ?? idno]);
  }
  const above = [...new Set(part.flatMap(({ parent_id }) => parent_id ?? []))];
  const parents = above.length === 0 ? [] : await findNamed(sql, caller, above);
  return { links, parents: new Map(parents.map(({ id, idno }) => [id, idno])) };
}

async function allColumns(
  sql: Sql,
  { caller, schema, kind, query }: CsvList,
  words: CsvWords,
): Promise<Column[]> {
  const { subtypeKey, columns } = kinds[kind];
  const found = await keysFound(sql, caller, kind, query);
  const fields = visibleFields(schema, caller, kind);
  const types = [...schema.relationTypes.values()].filter((type) => maySeeLinksOf(caller, type, kind));
  const own = (key: string, name: string, cell: Column["cell"]): Column => ({
    key: `@${key}`,
    name: words.column(name),
    cell,
  });
  return [
    own("idno", "idno", ({ idno }) => idno),
    own("subtype", subtypeKey, ({ subtype }) => subtype),
    own("status", "status", ({ status }) => status),
    ...columns.map((column) =>
      own(column, column, (row, { parents }) =>
        column === "parent_id" ? (parents.get(row.parent_id ?? "") ?? "") : String(row[column] ?? ""),
      ),
    ),
    own("created_at", "created_at", (row) => row.created_at),
    own("updated_at", "updated_at", (row) => row.updated_at),
    ...fields.flatMap(({ name }) =>
      (found.languages.get(name) ?? []).map(
        (lang): Column => ({
          key: name,
          name: lang === null ? words.column(name) : `${words.column(name)} (${lang})`,
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
        (type): Column => ({
          key: null,
          name: words.link(type),
          cell: ({ id }, { links }) => (links.get(`${id} ${type.name}`) ?? []).join(SEVERAL),
        }),
      ),
  ];
}
