/**
 * The metadata of an ARK: an Electronic Resource Citation with its kernel elements and the commitment of the museum
 * (https://datatracker.ietf.org/doc/draft-kunze-ark/ §5.1), from what visitors may see.
 */
import { VISITOR } from "../caller.ts";
import { ENGLISH } from "../messages/translate.ts";
import { kinds } from "../records/kinds.ts";
import { attributedName } from "../records/links/attributions.ts";
import { isMaker } from "../records/links/makers.ts";
import { listRelations } from "../records/links/relations.ts";
import type { FoundRecord } from "../records/read/store.ts";
import { bestTitle, type Entry, type RecordRow } from "../records/record.ts";
import { currentSchema } from "../records/schema.ts";
import { visibleMetadata } from "../records/visibility.ts";
import type { Services } from "../services.ts";

/** The kernel's word for a missing value. */
const UNAVAILABLE = "(:unav)";

/** @param address that resolves the ARK */
export async function ercOf({ sql, config }: Services, row: FoundRecord, address: string): Promise<string> {
  const schema = await currentSchema(sql, row.configuration_version);
  const { record_type: kind } = row;
  const metadata = visibleMetadata(schema, VISITOR, kind, row.metadata);
  const fields = [...(schema.fields.get(kind)?.values() ?? [])];
  const valuesOf = (element: string): string[] =>
    fields
      .filter(({ mapping }) => mapping.dc === element)
      .flatMap(({ name }): Entry[] => metadata[name] ?? [])
      .map(({ value }) => value);
  const created = { type: "created_by", outgoing: true, limit: 200, offset: 0 };
  const makers = (await listRelations(sql, VISITOR, schema, row, created)).items
    .filter(({ metadata_ }) => isMaker(metadata_))
    .map(({ to_title, metadata_ }) => attributedName(ENGLISH, schema, metadata_, to_title));
  const who = makers.length > 0 ? makers : valuesOf("creator");
  return [
    "erc:",
    line("who", who.map(plain).join("; ")),
    line("what", plain(bestTitle(metadata[kinds[kind].titleField], []) ?? row.idno)),
    line("when", plain(whenOf(row, valuesOf("date")))),
    line("where", address),
    "erc-support:",
    line("who", new URL(config.baseUrl).host),
    line("what", "The name is never given to anything else, even if the record is deleted."),
    line("where", config.baseUrl),
    "",
  ].join("\n");
}

const whenOf = ({ start_date }: RecordRow, dates: readonly string[]): string => dates[0] ?? start_date ?? "";

const line = (name: string, value: string): string => `${name}: ${value === "" ? UNAVAILABLE : value}`;

/** One line, with the separators `;` and `|` encoded. */
function plain(value: string): string {
  const signs: Record<string, string> = { "%": "%pe", ";": "%sc", "|": "%vb" };
  return value
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .replace(/[%;|]/g, (sign) => signs[sign]!);
}
