/** Finds out which of many files belongs to which object, and stores them with one request. */

import type { Account, Caller } from "../caller.ts";
import { oneByOne } from "../http/concurrency-limit.ts";
import { tooLarge } from "../http/request/body.ts";
import { readForm } from "../http/request/multipart.ts";
import { type Said, said } from "../messages/said.ts";
import { invalidAt } from "../problem.ts";
import { ownersOfFiles } from "../records/media/store.ts";
import { readRecord } from "../records/read/read.ts";
import type { Services } from "../services.ts";
import { type ArrivingFile, inOrder, placesOf, receiveFile } from "./care/bulk.ts";
import { readBatchFields } from "./shape.ts";

export type BatchItem = {
  filename: string;
  object_id?: string;
  idno?: string;
  state: "matched" | "ambiguous" | "unmatched" | "stored" | "duplicate" | "refused";
  /** The position in the list of the import that named the file. */
  position?: number;
  /** Why the file is not stored. */
  reason?: Said;
};

const MOST_FILES = 1_000;

type PlannedFile = { filename: string; bytes?: number; sha256?: string | undefined };

/** Plans run one at a time, because each reads the numbers of all objects. */
const oneAtATime = oneByOne();

/** What storing these files would do. A checksum also finds a file that somebody added to an object by hand. */
export async function planBatch(
  { sql, config }: Services,
  caller: Caller,
  files: readonly PlannedFile[],
): Promise<BatchItem[]> {
  const names = files.map(({ filename }) => filename);
  const places = await oneAtATime(() => placesOf(sql, caller, names));
  const checksums = files.flatMap(({ sha256 }) => sha256 ?? []);
  const owners = await ownersOfFiles(sql, caller, checksums);
  /** The first file of this list, by object and checksum. */
  const firsts = new Map<string, string>();
  return files.map(({ filename, bytes = 0, sha256 = "" }, at): BatchItem => {
    const { position, ...place } = places[at]!;
    const known = owners.get(sha256) ?? [];
    const named = { filename, ...(position === undefined ? {} : { position }) };
    if (bytes > config.mediaMaxBytes)
      return { ...named, state: "refused", reason: tooLarge(config.mediaMaxBytes).told };
    if ("refused" in place) {
      if (known[0]) return { ...named, ...known[0], state: "duplicate" };
      const isAmbiguous = place.refused.key === "fault.file.several_objects";
      return { ...named, state: isAmbiguous ? "ambiguous" : "unmatched", reason: place.refused };
    }
    const object = { object_id: place.objectId, idno: place.idno };
    if (known.some(({ object_id }) => object_id === place.objectId))
      return { ...named, ...object, state: "duplicate" };
    const own = `${place.objectId} ${sha256}`;
    const first = firsts.get(own);
    if (first !== undefined)
      return { ...named, ...object, state: "duplicate", reason: said("fault.file.same_as", { file: first }) };
    if (sha256 !== "") firsts.set(own, filename);
    return { ...named, ...object, state: "matched" };
  });
}

/** Stores the files of a form. If the form breaks off, no file is kept, because its fields may follow the files. */
export async function storeBatch(
  services: Services,
  caller: Account,
  request: Request,
): Promise<BatchItem[]> {
  const files: ArrivingFile[] = [];
  try {
    const fields = await readForm(
      request,
      services.config.mediaMaxBytes,
      {
        async begin(filename, before) {
          // check the fields early, before much is uploaded in vain
          if (files.length === 0) await readChange(services, caller, before);
          await files.at(-1)?.end();
          files.push(receiveFile(services, filename));
        },
        async take(bytes) {
          await files.at(-1)!.take(bytes);
        },
      },
      MOST_FILES,
    );
    const { object, ...change } = await readChange(services, caller, fields);
    const sent = files.filter((file) => !file.isNothing());
    if (sent.length === 0) throw invalidAt("/file", said("fault.form.no_file"));
    const plan = object
      ? sent.map(({ filename }): BatchItem => ({ filename, ...object, state: "matched" }))
      : await planBatch(services, caller, sent);
    const items = new Map<ArrivingFile, BatchItem>(sent.map((file, at) => [file, plan[at]!]));
    for (const [file, item] of [...items].sort(([, one], [, other]) => inOrder(one, other)))
      items.set(file, await store(caller, file, item, change));
    return [...items.values()];
  } finally {
    for (const file of files) await file.drop();
  }
}

type Change = Omit<ReturnType<typeof readBatchFields>, "object_id">;

async function readChange({ sql }: Services, caller: Account, fields: ReadonlyMap<string, string>) {
  const { object_id, ...change } = readBatchFields(fields);
  if (object_id === undefined) return { object: null, ...change };
  const { idno } = await readRecord(sql, caller, "object", object_id);
  return { object: { object_id, idno }, ...change };
}

async function store(
  caller: Account,
  file: ArrivingFile,
  item: BatchItem,
  change: Change,
): Promise<BatchItem> {
  if (item.object_id === undefined) return { ...item, state: "unmatched" };
  const refused = await file.save(caller, item.object_id, change);
  if (refused === null) return { ...item, state: "stored" };
  if (refused.code === "conflict") return { ...item, state: "duplicate" };
  return { ...item, state: "refused", reason: refused.told };
}
