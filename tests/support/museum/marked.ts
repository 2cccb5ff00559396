/** The demo museum with a bird's name in capitals at everything that must never reach the public. */
import type { DemoRecord } from "../../../cli/demo/load.ts";
import type { DemoMedium } from "../../../cli/demo/media.ts";
import { readDemo } from "../../../cli/demo/read.ts";
import type { Entry } from "../../../src/records/record.ts";

/** Private fields. */
const OF_FIELDS: Readonly<Record<string, string>> = {
  "objects internal_note": "KESTREL",
  "objects condition_note": "OSPREY",
  "objects insurance_value": "MERLIN",
  "objects current_location_note": "HARRIER",
  "procedures note": "PEREGRINE",
  "storage_locations security_note": "GOSHAWK",
};
/** Records that are not public, and their media. */
const OF_RECORDS = "WRYNECK";
const OF_MEDIA = "FULMAR";

const marked = (entries: readonly Entry[], mark: string | undefined): Entry[] =>
  entries.map((entry) => (mark ? { ...entry, value: `${entry.value} (${mark})` } : entry));

export async function readMarked(name: string): Promise<unknown> {
  const read = await readDemo(name);
  if (name === "media") {
    const objects = (await readDemo("objects")) as DemoRecord[];
    const hidden = new Set(objects.flatMap(({ key, status }) => (status === "public" ? [] : [key])));
    return (read as DemoMedium[]).map((medium) => {
      const mark =
        medium.visibility === "private" ? OF_MEDIA : hidden.has(medium.object) ? OF_RECORDS : undefined;
      return { ...medium, caption: marked(medium.caption, mark) };
    });
  }
  if (name === "relations") return read;
  return (read as DemoRecord[]).map((record) => {
    const ofRecord = record.status === "public" ? undefined : OF_RECORDS;
    const texts = Object.entries(record.metadata_).map(([field, entries]) => {
      const mark = ["description", "biography"].includes(field) ? ofRecord : OF_FIELDS[`${name} ${field}`];
      return [field, marked(entries, mark)];
    });
    return { ...record, metadata_: Object.fromEntries(texts) };
  });
}
