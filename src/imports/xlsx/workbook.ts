/** Opens a workbook: its sheets, its texts and the formats of its cells (ECMA-376 part 1, §18.2). */
import { said } from "../../messages/said.ts";
import { type ImportSource, refused } from "../source.ts";
import { type CellFormat, readFormats } from "./formats.ts";
import { readStrings, type SharedStrings } from "./strings.ts";
import { readAll } from "./xml.ts";
import { type Archive, damaged, openArchive } from "./zip.ts";

export type Sheet = { name: string; part: string; isHidden: boolean };

export type Workbook = {
  archive: Archive;
  /** In the order of their tabs, without charts. */
  sheets: readonly Sheet[];
  strings: SharedStrings;
  formats: readonly CellFormat[];
};

const MOST_SHEETS = 1_000;

/** Parts that show that a ZIP archive is another type of file. */
const OTHERS = [
  ["xl/vbaproject.bin", "xlsm"],
  ["xl/workbook.bin", "xlsb"],
  ["content.xml", "ods"],
  ["index/document.iwa", "numbers"],
  ["word/document.xml", "docx"],
] as const;

export async function openWorkbook(source: ImportSource): Promise<Workbook> {
  const archive = await openArchive(source);
  const { name } = source;
  const other = OTHERS.find(([part]) => archive.names.has(part))?.[1];
  const isWorkbook = archive.names.has(TYPES) && archive.names.has("_rels/.rels");
  if (other || !isWorkbook) throw refused(said("fault.file.not_table", { name, format: other ?? "zip" }));
  const book = (await relationsOf(archive, "", name)).find(({ type }) => type === "officeDocument")?.part;
  const type = book && (await typeOf(archive, book, name));
  if (book === undefined || !type?.endsWith(".sheet.main+xml"))
    throw refused(said("fault.file.not_table", { name, format: /macro/i.test(type ?? "") ? "xlsm" : "zip" }));
  const relations = await relationsOf(archive, book, name);
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.part;
  const parts = new Map(
    relations.filter(({ type }) => type === "worksheet").map(({ id, part }) => [id, part]),
  );
  const sheets: Sheet[] = [];
  let tabs = 0;
  let is1904 = false;
  await readAll(archive.read(book), name, {
    open(tag, attributes) {
      if (tag === "workbookPr") is1904 = ["1", "true"].includes(attributes.date1904 ?? "");
      if (tag !== "sheet") return;
      if (++tabs > MOST_SHEETS) throw refused(said("fault.workbook.sheets", { name, most: MOST_SHEETS }));
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1];
      const part = parts.get(id ?? "");
      const isHidden = (attributes.state ?? "visible") !== "visible";
      if (part !== undefined) sheets.push({ name: attributes.name ?? "", part, isHidden });
    },
  });
  if (sheets.length === 0) throw damaged(name);
  return {
    archive,
    sheets,
    strings: await readStrings(archive, partOf("sharedStrings"), name),
    formats: await readFormats(archive, partOf("styles"), is1904, name),
  };
}

const TYPES = "[content_types].xml";

async function typeOf(archive: Archive, part: string, name: string): Promise<string | undefined> {
  let type: string | undefined;
  await readAll(archive.read(TYPES), name, {
    open(tag, { PartName, Extension, ContentType }) {
      if (tag === "Override" && PartName?.replace(/^\//, "").toLowerCase() === part) type = ContentType;
      else if (tag === "Default" && part.endsWith(`.${Extension?.toLowerCase()}`)) type ??= ContentType;
    },
  });
  return type;
}

type Relation = { id: string; type: string; part: string };

/** The relations to other parts of the file. `type`: the last segment of the relation's type URI. */
export async function relationsOf(archive: Archive, part: string, name: string): Promise<Relation[]> {
  const [, folder = "", own = ""] = /^(.*\/)?([^/]*)$/.exec(part) ?? [];
  const at = `${folder}_rels/${own}.rels`;
  const relations: Relation[] = [];
  if (!archive.names.has(at)) return relations;
  await readAll(archive.read(at), name, {
    open(tag, { Id = "", Type = "", Target = "", TargetMode }) {
      if (tag !== "Relationship" || TargetMode === "External") return;
      relations.push({
        id: Id,
        type: Type.slice(Type.lastIndexOf("/") + 1),
        part: partAt(Target, folder, name),
      });
    },
  });
  return relations;
}

function partAt(target: string, folder: string, name: string): string {
  try {
    return decodeURI(new URL(target, `file:///${folder}`).pathname.slice(1)).toLowerCase();
  } catch {
    throw damaged(name);
  }
}
