/**
 * Cursors of lists: where the next page begins, signed for one list. The signature prevents forged totals and
 * positions, and use in a list with other filters or for other callers.
 */

import { type Signing, signingKey } from "../../accounts/sessions/tokens.ts";
import { base64url, fromBase64url } from "../../bytes.ts";
import { said } from "../../messages/said.ts";
import { invalid } from "../../problem.ts";

/**
 * The sort key and id of the last shown record, and the total, so that walking a million records counts them once.
 * `since`: the start of the walk, if edits can move records within the list; `again`: the walk has reached the moved
 * records (`walk.ts`).
 */
export type Cursor = {
  key: string;
  id: string;
  page: number;
  total: number;
  since?: string | null;
  again?: boolean;
};

/** @param list a text that identifies the list */
export async function writeCursor(services: Signing, list: string, cursor: Cursor): Promise<string> {
  const { key, id, page, total, since = null, again = false } = cursor;
  const place = bytesOf(JSON.stringify([key, id, page, total, since, again]));
  const mac = await crypto.subtle.sign("HMAC", await signingKey(services), signed(list, place));
  return `${base64url(place)}.${base64url(new Uint8Array(mac))}`;
}

/** Refuses a cursor that was not issued for this list, or was changed. */
export async function readCursor(services: Signing, list: string, text: string): Promise<Cursor> {
  const [place, mac] = text.split(".").map(fromBase64url);
  const right =
    place &&
    mac &&
    (await crypto.subtle.verify("HMAC", await signingKey(services), mac, signed(list, place)));
  if (!right) {
    throw invalid(
      [{ pointer: "query:cursor", detail: said("fault.cursor.changed") }],
      said("problem.cursor.foreign"),
    );
  }
  const [key, id, page, total, since, again] = JSON.parse(new TextDecoder().decode(place));
  return { key, id, page, total, since, again };
}

/** Access tokens are signed with the same key, but never begin like this. */
function signed(list: string, place: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytesOf(`cursor\n${list}\n${base64url(place)}`);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
