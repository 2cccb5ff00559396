/** Passes on the answers of an external image server (CANTALOUPE_URL) to callers who may see the picture. */
import type { Picture } from "../media/pictures.ts";
import { Problem } from "../problem.ts";
import type { ImageServer } from "../services.ts";
import { identifierOf } from "./picture.ts";
import type { ImageAddress } from "./request.ts";

export async function imageElsewhere(
  server: ImageServer,
  picture: Picture,
  { region, size, rotation, quality }: ImageAddress,
  signal: AbortSignal,
): Promise<Response> {
  return ask(server, picture, `${region}/${size}/${rotation}/${quality}`, signal);
}

/** The server's own image information, with its limits, under our address. */
export async function infoElsewhere(
  server: ImageServer,
  picture: Picture,
  id: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = await ask(server, picture, "info.json", signal);
  return { ...(await answer.json().catch(unreadable)), id };
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
  const says = `The image server refuses this request (${answer.status})`;
  if (answer.status === 501) throw new Problem("not_implemented", says);
  if (answer.status === 400) throw new Problem("malformed", says);
  // the picture exists and the caller may see it, so a 404 or 403 means that the server is misconfigured
  return unreadable(new Error(`The image server answers ${answer.status}`));
}

function unreadable(cause: unknown): never {
  const detail = "The image server cannot deliver this image at the moment; the log of the service says why";
  throw new Problem("unavailable", detail, { cause });
}
