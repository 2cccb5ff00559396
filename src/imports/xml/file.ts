/**
 * Reads an XML file for an import. If the record path consists of names only, the file is streamed and may have any size. For
 * any other XPath, the whole file is read into memory, up to a limit.
 */

import { type Document, type Element, Node } from "slimdom";
import { yieldingRunner } from "../../http/yielding.ts";
import { type Said, said, type Told } from "../../messages/said.ts";
import { type Fault, Problem } from "../../problem.ts";
import { withNear } from "../../text/nearest.ts";
import { firstReading } from "../first-reading.ts";
import type { FirstUse, ImportFile, ImportRows } from "../import-file.ts";
import type { ImportRow, MappedRow } from "../mapping/mapped-row.ts";
import { columnsNamed, type Mapping } from "../mapping/mapping.ts";
import type { LocalText } from "../mapping/source-row.ts";
import { brief, shortColumn } from "../mapping/targets.ts";
import { type ImportSource, refused, type SourceOptions } from "../source.ts";
import { parseRecordPath } from "./clark.ts";
import { xmlEncoding } from "./encoding.ts";
import { isTooLong, type Place, RecordReader, type XmlRecord } from "./records.ts";
import { xmlRejectsWriter } from "./rejects.ts";
import { LOOKED_THROUGH, unmappedIn } from "./unmapped.ts";
import { compileXPath, untaggedIn, XML, type XPath } from "./xpath.ts";
import { TooManySteps } from "./xpath-limits.ts";

/** Most characters of a file that is read whole. Measured: 30 MB took 0.6 GB of memory. */
const LONGEST_WHOLE = 32_000_000;
/** Most nodes of such a file. */
const MOST_NODES_WHOLE = 1_000_000;
/** How many records of such a file become rows at a time. */
const PIECE = 200;
/** Characters that are parsed at a time: about two thousand elements, which take some milliseconds. */
const PARSED = 8_192;
/** Most XPaths of a mapping, and most characters of all of them. */
const MOST_XPATHS = 500;
const MOST_XPATH_TEXT = 100_000;
/** Most characters that all XPaths together may return for one record. */
const MOST_TEXT = 4_000_000;

/** Turns a record into a row. `lang`: the `xml:lang` that the record inherits. */
export type ReadRecord = (
  element: Element,
  lang: string,
) => Pick<ImportRow, "unmapped" | "invalid"> & { mapped: MappedRow };

type Columns = ReadonlyMap<string, XPath>;
type Piece = { records: XmlRecord[]; fault?: Told };
type Records = AsyncGenerator<Piece, void, undefined>;

type XmlOptions = SourceOptions & { recordXPath: string; readRecord?: ReadRecord };

/** `isCheck`: see `firstReading`. */
export async function openXmlFile<T>(
  source: ImportSource,
  options: XmlOptions,
  use: FirstUse<T>,
  isCheck = false,
): Promise<ImportFile<T>> {
  const recordXPath = options.recordXPath.trim();
  const selected = compileXPath(recordXPath);
  if ("fault" in selected)
    throw refused(
      said("fault.xpath.of_records", { xpath: brief(recordXPath), fault: selected.fault }),
      "/record_xpath",
    );
  const path = parseRecordPath(recordXPath);
  const { readRecord } = options;
  const rowsIn = async (text: AsyncIterable<string>, mapping: Mapping): Promise<ImportRows> => {
    const columns = readRecord ? new Map<string, XPath>() : await columnsOf(mapping);
    const outward = [...columns].find(([, xpath]) => xpath.looksOutside)?.[0];
    const reader = path && outward === undefined ? new RecordReader(path) : null;
    const why = path
      ? said("fault.xpath.looks_outside", { xpath: brief(shortColumn(outward ?? "")) })
      : said("fault.xpath.not_names");
    const records = reader ? pieces(text, reader) : wholeRecords(text, selected, why);
    const row = readRecord ? rowBy(readRecord) : rowByColumns(columns);
    return rowsOf(records, row, source.name, () => {
      const nothing = readRecord
        ? said("fault.file.no_lido", { name: source.name })
        : said("fault.xpath.selects_nothing", { xpath: brief(recordXPath), name: source.name });
      return withNear(nothing, reader?.similarName && brief(`//${reader.similarName}`));
    });
  };
  const first = await firstReading(
    source,
    xmlEncoding(source, options),
    (text) => use({ mappingFaults, rows: (mapping) => rowsIn(text, mapping) }),
    isCheck,
  );
  return {
    ...first,
    form: "xml",
    recordXPath,
    unusedColumns: () => [],
    rejects: xmlRejectsWriter,
  };
}

async function mappingFaults(mapping: Mapping): Promise<Fault[]> {
  const faults = new Map<string, Fault>();
  const named = columnsNamed(mapping);
  const characters = named.reduce((sum, [xpath]) => sum + xpath.length, 0);
  if (named.length > MOST_XPATHS || characters > MOST_XPATH_TEXT) {
    const most = { most: MOST_XPATHS, most_characters: MOST_XPATH_TEXT };
    const detail = said("fault.mapping.many_xpaths", { count: named.length, characters, ...most });
    return [{ pointer: "", detail }];
  }
  const yielding = yieldingRunner();
  for (const [xpath, pointer] of named) {
    const compiled = await yielding(() => compileXPath(xpath));
    if (!("fault" in compiled)) continue;
    const detail = said("fault.xpath.of", { xpath: brief(shortColumn(xpath)), fault: compiled.fault });
    faults.set(`${pointer} ${xpath}`, { pointer, detail });
  }
  return [...faults.values()];
}

async function columnsOf(mapping: Mapping): Promise<Columns> {
  const yielding = yieldingRunner();
  const columns = new Map<string, XPath>();
  for (const [xpath] of columnsNamed(mapping)) {
    const compiled = columns.get(xpath) ?? (await yielding(() => compileXPath(xpath)));
    if ("fault" in compiled) throw new Error(`${xpath}: ${compiled.fault.key}`);
    columns.set(xpath, compiled);
  }
  return columns;
}

/** Yields the records in the order in which they end. Stops at a fault. */
async function* pieces(text: AsyncIterable<string>, reader: RecordReader): Records {
  const yielding = yieldingRunner();
  try {
    for await (const piece of text) {
      for (let at = 0; at < piece.length; at += PARSED) {
        const { records, fault } = await yielding(() => reader.take(piece.slice(at, at + PARSED)));
        if (records.length > 0 || fault) yield { records, fault: fault?.told };
        if (fault) return;
      }
    }
    const { records, fault } = reader.end();
    if (records.length > 0 || fault) yield { records, fault: fault?.told };
  } catch (error) {
    // bytes that are invalid in the encoding of the file
    if (!(error instanceof Problem)) throw error;
    yield { records: [], fault: error.told };
  }
}

async function* wholeRecords(text: AsyncIterable<string>, selected: XPath, why: Said): Records {
  const yielding = yieldingRunner();
  const places = new Map<Element, Place>();
  const whole = parseRecordPath("/*")!;
  const reader = new RecordReader(whole, { longest: LONGEST_WHOLE, nodes: MOST_NODES_WHOLE, places });
  for await (const { records, fault } of pieces(text, reader)) {
    const [root] = records;
    if (fault !== undefined) {
      const tooLong = said("fault.xml.long_file", { why, millions: LONGEST_WHOLE / 1e6 });
      yield { records: [], fault: isTooLong(fault) ? tooLong : fault };
      return;
    }
    const nodes = elementsOf(selected, root!.element.ownerDocument as Document, places);
    const found = new Map<Element, XmlRecord>();
    for (const element of new Set(nodes))
      found.set(element, await yielding(() => recordAt(element, root!.raw, places)));
    for (const [element, { line }] of found)
      await yielding(() => {
        const outer = ancestorsOf(element).find((each) => found.has(each));
        if (outer) found.get(outer)!.nested ??= line;
      });
    const all = [...found.values()];
    for (let at = 0; at < all.length; at += PIECE) yield { records: all.slice(at, at + PIECE) };
  }
}

function elementsOf(selected: XPath, document: Document, places: ReadonlyMap<Element, Place>): Element[] {
  let nodes: readonly unknown[] = [null];
  try {
    nodes = selected.select(document, places.size);
  } catch (error) {
    if (error instanceof TooManySteps) throw refused(said("fault.xpath.work_of_records"), "/record_xpath");
    // the XPath returns numbers or texts instead of nodes
  }
  if (nodes.some((node) => !places.has(node as Element)))
    throw refused(said("fault.xpath.not_elements"), "/record_xpath");
  return nodes as Element[];
}

/** The ancestors of the element, the root first. */
function ancestorsOf(element: Element): Element[] {
  const all: Element[] = [];
  for (let at = element.parentNode; at?.nodeType === Node.ELEMENT_NODE; at = at.parentNode)
    all.unshift(at as Element);
  return all;
}

function recordAt(element: Element, text: string, places: ReadonlyMap<Element, Place>): XmlRecord {
  const { line, from, to } = places.get(element)!;
  const outer = ancestorsOf(element);
  const ancestors = outer.map((each) => {
    const { from: start, tag } = places.get(each)!;
    return text.slice(start, tag);
  });
  const lang = outer.findLast((each) => each.hasAttributeNS(XML, "lang"))?.getAttributeNS(XML, "lang") ?? "";
  return { line, element, raw: text.slice(from, to), ancestors, lang };
}

type MakeRow = (record: XmlRecord, yielding: ReturnType<typeof yieldingRunner>) => Promise<ImportRow>;

async function rowsOf(
  records: Records,
  rowOf: MakeRow,
  name: string,
  nothing: () => Said,
): Promise<ImportRows> {
  let broken: Told | undefined;
  const value = await firstOf(records, name, nothing);
  const yielding = yieldingRunner();
  const taken = async (piece: Piece): Promise<ImportRow[]> => {
    broken ??= piece.fault;
    const rows: ImportRow[] = [];
    for (const record of piece.records) rows.push(await rowOf(record, yielding));
    return rows;
  };
  return {
    rows: (async function* () {
      try {
        yield await taken(value);
        for await (const piece of records) yield await taken(piece);
      } finally {
        await records.return(undefined);
      }
    })(),
    broken: () => broken,
  };
}

/** The first piece with a record. Closes the file and throws a problem if there is none. */
async function firstOf(records: Records, name: string, nothing: () => Said): Promise<Piece> {
  try {
    for (;;) {
      const { done, value } = await records.next();
      if (done) throw refused(nothing());
      if (value.records.length > 0) return value;
      if (value.fault !== undefined)
        throw refused(said("fault.file.unreadable", { name, fault: value.fault }));
    }
  } catch (error) {
    await records.return(undefined);
    throw error;
  }
}

const rowBy =
  (read: ReadRecord): MakeRow =>
  async ({ line, element, raw, ancestors, lang }, yielding) => ({
    line,
    values: new Map(),
    cells: [raw, ...ancestors],
    ...(await yielding(() => read(element, lang))),
    untagged: untaggedIn(element, lang),
  });

const rowByColumns = (columns: Columns): MakeRow => {
  let records = 0;
  return (record, yielding) => rowOf(record, columns, yielding, ++records <= LOOKED_THROUGH);
};

async function rowOf(
  { line, element, raw, ancestors, lang, nested }: XmlRecord,
  columns: Columns,
  yielding: ReturnType<typeof yieldingRunner>,
  looksThrough: boolean,
): Promise<ImportRow> {
  let characters = 0;
  const seen = looksThrough ? new Set<Node>() : undefined;
  const values = new Map<string, readonly LocalText[]>();
  let fault: Said | undefined;
  if (nested !== undefined) fault = said("fault.row.nested_record", { line: String(nested) });
  for (const [column, xpath] of columns) {
    if (fault !== undefined) break;
    try {
      const texts = await yielding(() => xpath.read(element, lang, seen));
      characters += texts.reduce((sum, { text }) => sum + text.length, 0);
      if (characters > MOST_TEXT)
        throw new TooManySteps(said("fault.xpath.many_characters_together", { most: MOST_TEXT }));
      values.set(column, texts);
    } catch (error) {
      const reason = error instanceof TooManySteps ? error.told : (error as Error).message.split("\n")[0]!;
      fault = said("fault.row.xpath", { xpath: brief(shortColumn(column)), reason });
    }
  }
  const cells = [raw, ...ancestors];
  if (fault !== undefined) return { line, values: new Map(), cells, fault };
  const unmapped = seen && (await yielding(() => unmappedIn(element, seen)));
  const untagged = await yielding(() => untaggedIn(element, lang));
  return { line, values, cells, untagged, ...(unmapped ? { unmapped } : {}) };
}
