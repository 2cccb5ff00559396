/** The picture of an identifier, for callers who may see it. */

import type { Caller } from "../caller.ts";
import { UUID_PATTERN } from "../ids.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Medium } from "../records/media/medium.ts";
import { isPicture, type Picture } from "../records/media/pictures.ts";
import { mediumSeenBy } from "../records/media/store.ts";
import type { Sql } from "../services.ts";

/** The contract's `<media-id>.<extension>`, and the id alone. */
const IDENTIFIER = new RegExp(`^(${UUID_PATTERN})(?:\\.[a-z0-9]{1,10})?$`, "i");

/** The same 404 if it does not exist, is not a picture that can be decoded, or the caller may not see it. */
export async function demandPicture(sql: Sql, caller: Caller, identifier: string): Promise<Picture> {
  const id = IDENTIFIER.exec(identifier)?.[1]?.toLowerCase();
  const medium = id === undefined ? null : await mediumSeenBy(sql, caller, id);
  if (!medium || !isPicture(medium))
    throw new Problem("not_found", said("problem.image.unknown", { identifier: identifier.slice(0, 100) }));
  return medium;
}

/** The name of the original among its like, which is the identifier in the contract's form. */
export const identifierOf = ({ storage_key }: Medium): string =>
  storage_key.slice(storage_key.lastIndexOf("/") + 1);
