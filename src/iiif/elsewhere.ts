/** Passes on the answers of an external image server (CANTALOUPE_URL) to callers who may see the picture. */

import { readAtMost } from "../bytes.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Picture } from "../records/media/pictures.ts";
import type { ImageServer } from "../services.ts";
import { identifierOf } from "./picture.ts";
import type { ImageAddress } from "./request.ts";

/** @param type the media type that the answer of that server must have */
export async function imageElsewhere(
  server: ImageServer,
  picture: Picture,
  { region, size, rotation, quality }: ImageAddress,
  type: string,
  signal: AbortSignal,
): Promise<Response> {
  const answer = await ask(server, picture, `${region}/${size}/${rotation}/${quality}`, signal);
  const theirs = (answer.headers.get("Content-Type") ?? "nothing").split(";", 1)[0]!.trim().toLowerCase();
  if (theirs === type) return answer;
  // a page of that server would run as one of ours
  await answer.body?.cancel();
  return unreadable(new Error(`The image server answers with ${theirs} instead of ${type}`));
}

/** Bytes of image information; it has less than a thousand. */
const LARGEST_INFO = 1024 * 1024;

/** The server's own image information, with its limits, under our address. */
export async function infoElsewhere(
  server: ImageServer,
  picture: Picture,
  id: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = await ask(server, picture, "info.json", signal);
  const bytes = await readAtMost(answer, LARGEST_INFO).catch(unreadable);
  try {
    return { ...JSON.parse(new TextDecoder().decode(bytes)), id };
  } catch (cause) {
    return unreadable(cause);
  }
}

async function ask(
  server: ImageServer,
  picture: Picture,
  what: string,
  signal: AbortSignal,
): Promise<Response> {
  const identifier = encodeURIComponent(identifierOf(picture));
  const answer = await server.get(`${identifier}/${what}`, signal).catch(unreadable);
  if (answer.status === 200) return answer;
  await answer.body?.cancel();
  const told = said("problem.image_server.refused", { status: String(answer.status) });
  if (answer.status === 501) throw new Problem("not_implemented", told);
  if (answer.status === 400) throw new Problem("malformed", told);
  // the picture exists and the caller may see it, so a 404 or 403 means that the server is misconfigured
  return unreadable(new Error(`The image server answers ${answer.status}`));
}

function unreadable(cause: unknown): never {
  throw new Problem("unavailable", said("problem.image_server.failed"), { cause });
}
