/** Receives uploads: the part `file` of a form, or the whole body. */

import type { Account } from "../caller.ts";
import { readDisposition } from "../http/answer/disposition.ts";
import { chunksOf, demandPlain, tooLarge } from "../http/request/body.ts";
import { readForm } from "../http/request/multipart.ts";
import { newId } from "../ids.ts";
import { type Said, said } from "../messages/said.ts";
import { invalid, Problem } from "../problem.ts";
import { sourceOf } from "../records/media/byte-source.ts";
import type { FileFacts } from "../records/media/medium.ts";
import { privateParts } from "../records/media/private/parts.ts";
import type { Services } from "../services.ts";
import { normalised } from "../text.ts";
import { durationOf } from "./duration.ts";
import { fitFilename } from "./filename.ts";
import { type Intake, type Received, takeIn } from "./intake.ts";
import { type MediumChange, readUploadFields } from "./shape.ts";
import { type AddedMedium, addMedium } from "./write.ts";

export type Uploaded = AddedMedium & { notes: Said[] };

/** If the file does not become a medium, it is deleted. */
export async function upload(
  services: Services,
  caller: Account,
  objectId: string,
  request: Request,
): Promise<Uploaded> {
  const limit = services.config.mediaMaxBytes;
  const intake = takeIn(services, newId(), limit);
  try {
    const isForm = /^multipart\//i.test(request.headers.get("Content-Type") ?? "");
    const sent = isForm ? await takeForm(request, limit, intake) : await takeBody(request, limit, intake);
    return await saveUpload(services, caller, objectId, await intake.end(), sent);
  } catch (error) {
    // otherwise the nightly job deletes it
    await intake.abandon(error instanceof Problem).catch(() => undefined);
    throw error;
  }
}

type Sent = { name: string; change: MediumChange };

async function takeForm(request: Request, limit: number, intake: Intake): Promise<Sent> {
  let name = "";
  const fields = await readForm(request, limit, {
    begin(filename) {
      name = filename;
    },
    take: (bytes) => intake.take(bytes),
  });
  return { name, change: readUploadFields(fields) };
}

async function takeBody(request: Request, limit: number, intake: Intake): Promise<Sent> {
  demandPlain(request);
  if (Number(request.headers.get("Content-Length") ?? 0) > limit) throw tooLarge(limit);
  if (request.body) for await (const chunk of chunksOf(request.body)) await intake.take(chunk);
  return { name: readDisposition(request.headers.get("Content-Disposition") ?? "").filename, change: {} };
}

/** Creates the medium of a stored file. The row is written after the file, so that no row lacks its file. */
export async function saveUpload(
  services: Services,
  caller: Account,
  objectId: string,
  received: Received,
  { name, change }: Sent,
): Promise<Uploaded> {
  const { filename: wished, ...fields } = change;
  const wanted = wished ?? name;
  const filename = fitFilename(wanted, received.type);
  const facts = await inspect(services, received);
  const added = await addMedium(services, caller, objectId, { ...received, ...facts, filename }, fields);
  const renamed = wanted !== "" && normalised(wanted, "NFC").replace(/^.*[\\/]/s, "") !== filename;
  const notes = renamed
    ? [said("job.media.renamed", { name: wanted.slice(0, 200), type: received.type.name, file: filename })]
    : [];
  return { ...added, notes };
}

/** Throws 422 for a picture that is unreadable, incomplete or has too many pixels, and for a file with contradictory structure. */
async function inspect({ images, files }: Services, { key, type, bytes }: Received): Promise<FileFacts> {
  if (type.category === "captions") await demandCaptions(files, key, bytes);
  const described = type.category === "image" ? await images.describe(key) : null;
  if (described && "refused" in described)
    throw invalid([{ pointer: "/file", detail: described.refused }], described.refused);
  const isTimed = type.category === "audio" || type.category === "video";
  return {
    width: described?.width ?? null,
    height: described?.height ?? null,
    pages: described?.pages ?? null,
    duration: isTimed ? await durationOf(files, { key, mimeType: type.mime, bytes }) : null,
    private_parts: await privateParts(type.mime, sourceOf(files, key, bytes)).catch(throwBroken),
  };
}

/** Most bytes of a caption file. A film of three hours has about 200 kB. */
const MOST_CAPTIONS = 1024 * 1024;

async function demandCaptions(files: Services["files"], key: string, bytes: number): Promise<void> {
  if (bytes > MOST_CAPTIONS) throw tooLarge(MOST_CAPTIONS);
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(await sourceOf(files, key, bytes).read(0, bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const detail = said("fault.file.captions");
    throw invalid([{ pointer: "/file", detail }], detail);
  }
}

function throwBroken(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  const detail = said("fault.file.broken");
  throw invalid([{ pointer: "/file", detail }], detail);
}
