/**
/**
 * Records as a table for spreadsheets and imports: a row for each record, a column for each field and language. Every list has the
 * number and the time of the last change, by which an import recognises it, and returns exactly (`text/csv-cells.ts`).
 */
import type { Caller } from "../caller.ts";
import { findEnds } from "../records/batch/ends.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { wordsOfQualifier } from "../records/links/qualifier-words.ts";
import { locationPaths } from "../records/public/location-paths.ts";
import { findNamed } from "../records/public/neighbours.ts";
import { keysFound } from "../records/read/list-facts.ts";
import type { ListQuery } from "../records/read/list-order.ts";
import { linksOfRecords } from "../records/read/store.ts";
import type { RecordRow } from "../records/record.ts";
import type { Schema } from "../records/schema.ts";
import { maySeeField, maySeeLinksOf, visibleNames } from "../records/visibility.ts";
import type { Sql } from "../services.ts";
import { cellOf } from "../text/csv-cells.ts";
import { type ColumnWords, listColumns } from "./columns.ts";

/** The names of the columns, their selection, and the separator of CSV. */
export type TableWords = ColumnWords & {
  delimiter: string;
  /** Columns besides number and name, as `lists/columns.ts` names them. Empty: all columns, and the links. */
  chosen: readonly string[];
};

/** The records, and their reader. */
type ListAsked = {
  caller: Caller;
  schema: Schema;
  kind: Kind;
  query: Omit<ListQuery, "page" | "page_size">;
};

/** The names of the API, for programs. */
export const PLAIN_WORDS: TableWords = {
  delimiter: ",",
  column: (name) => name,
  link: ({ name }) => name,
  kind: (kind) => kind,
  role: (link) => `${link} (role)`,
  qualifier: (link) => `${link} (qualifier)`,
  path: (link) => `${link} (path)`,
  chosen: [],
};

/** A name for each link and role, the roles, how each link qualifies a maker, and the paths of storage locations. */
type Links = { link: string[]; role: string[]; qualifier: string[]; path: string[] };
/** Data of other records: links by record, relation type and kind, numbers of parents by id. */
type Around = { links: ReadonlyMap<string, Links>; parents: ReadonlyMap<string, string> };
/** `key`: by which it can be selected; of links, their type and where they lead. */
type Column = {
  key: string;
  name: string;
  isNumber?: boolean;
  cell(row: RecordRow, around: Around): string;
};

export type ListTable = {
  names: readonly string[];
  /** For each column: whether its values are numbers, none of which identifies anything. */
  numeric: readonly boolean[];
  rows(part: readonly RecordRow[]): Promise<string[][]>;
};

/** The names of the columns, and the cells of some records. */
export async function listTable(sql: Sql, list: ListAsked, words: TableWords): Promise<ListTable> {
  const always = ["@idno", "@updated_at", kinds[list.kind].titleField];
  const columns = (await allColumns(sql, list, words)).filter(
    ({ key }) => words.chosen.length === 0 || always.includes(key) || words.chosen.includes(key),
  );
  return {
    names: columns.map(({ name }) => name),
    numeric: columns.map(({ isNumber }) => isNumber === true),
    async rows(part) {
      const around = await aroundOf(sql, list, part);
      return part.map((row) => columns.map(({ cell }) => cell(row, around)));
    },
  };
}

async function aroundOf(sql: Sql, list: ListAsked, part: readonly RecordRow[]): Promise<Around> {
  const { caller, schema } = list;
  const above = [...new Set(part.flatMap(({ parent_id }) => parent_id ?? []))];
  const parents = await findNamed(sql, schema, caller, above);
  return {
    links: await linksOf(sql, list, part),
    parents: new Map([...parents].map(([id, { idno }]) => [id, idno])),
  };
}

/** Links by the name of the other record, or by its number if an import would not find it by this name. */
async function linksOf(
  sql: Sql,
  { caller, schema }: ListAsked,
  part: readonly RecordRow[],
): Promise<Map<string, Links>> {
  const ids = part.map(({ id }) => id);
  const found = (await linksOfRecords(sql, caller, ids)).map((link) => {
    return { ...link, name: visibleNames(schema, caller, link.record_type, link.names)[0]?.value };
  });
  const byName = new Map<string, string>();
  for (const kind of new Set(found.map(({ record_type }) => record_type))) {
    const names = new Set(found.flatMap((one) => (one.record_type === kind ? (one.name ?? []) : [])));
    for (const [name, { id }] of (await findEnds(sql, kind, [...names])).found)
      byName.set(`${kind} ${name}`, id);
  }
  const paths = await locationPaths(sql, schema, caller, [], found);
  const links = new Map<string, Links>();
  for (const { id, from_id, relation_type, record_type, idno, name, metadata } of found) {
    const key = `${from_id} ${relation_type} ${record_type}`;
    const own = links.get(key) ?? { link: [], role: [], qualifier: [], path: [] };
    links.set(key, own);
    const isFound = name !== undefined && byName.get(`${record_type} ${name}`) === id;
    for (const role of metadata.role?.length ? metadata.role : [{ value: "" }]) {
      own.link.push(isFound ? name : idno);
      own.role.push(role.value);
      own.qualifier.push(wordsOfQualifier(schema, metadata));
      own.path.push(paths.get(id) ?? name ?? idno);
    }
  }
  return links;
}

async function allColumns(
  sql: Sql,
  { caller, schema, kind, query }: ListAsked,
  words: TableWords,
): Promise<Column[]> {
  const found = await keysFound(sql, caller, kind, query);
  const { subtypeKey } = kinds[kind];
  return listColumns(schema, kind, words).flatMap((column): Column[] => {
    const { name } = column;
    if (column.is === "own") {
      const { own } = column;
      const key = own === subtypeKey ? "@subtype" : `@${own}`;
      return [{ key, name, isNumber: own === "lat" || own === "lon", cell: ownCell(kind, own) }];
    }
    if (column.is === "field") {
      const { field } = column;
      if (!maySeeField(caller, field)) return [];
      return (found.languages.get(field.name) ?? []).map((lang) => ({
        key: field.name,
        isNumber: field.field_type === "number",
        name: lang === null ? name : `${name} (${lang})`,
        cell: ({ metadata }) =>
          cellOf(
            (metadata[field.name] ?? [])
              .filter((entry) => (entry.lang ?? null) === lang)
              .map(({ value }) => value),
          ),
      }));
    }
    const { is, type, to } = column;
    const links = `${type.name} ${to}`;
    if (!found[is === "path" ? "link" : is].has(links) || !maySeeLinksOf(caller, type, kind)) return [];
    return [
      {
        key: links,
        name,
        cell: ({ id }, around) => {
          const values = around.links.get(`${id} ${links}`)?.[is] ?? [];
          return values.some((value) => value !== "") ? cellOf(values) : "";
        },
      },
    ];
  });
}

function ownCell(kind: Kind, own: string): Column["cell"] {
  if (own === kinds[kind].subtypeKey) return ({ subtype }) => subtype;
  if (own === "parent_id") return ({ parent_id }, { parents }) => parents.get(parent_id ?? "") ?? "";
  return (row) => String(row[own as "idno"] ?? "");
}
