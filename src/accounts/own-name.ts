/** The display name of an account, which its owner may change. */
import { z } from "zod";
import type { Requester } from "../http/endpoint.ts";
import { said, toldText } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { recordEventBy } from "./security-events.ts";

export const NameShape = z
  .string()
  .trim()
  .max(200, toldText(said("fault.too_long", { most: 200 })))
  .refine(
    (name) => !/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u.test(name),
    toldText(said("fault.display_name.unseen")),
  )
  .openapi({ example: "Jo Curator" });

/** Changes and logs the name of the caller's own account. Throws 403 for an API key. */
export async function renameSelf({ sql }: Pick<Services, "sql">, by: Requester, name: string): Promise<void> {
  const { caller } = by;
  if (caller.keyId !== undefined) throw new Problem("forbidden", said("problem.key.owner_kept"));
  await sql.begin(async (tx) => {
    const renamed = await tx`
      update accounts set display_name = ${name} where id = ${caller.id} and display_name <> ${name}`;
    if (renamed.count === 0) return;
    await recordEventBy(tx, by, "account_changed", caller.id, { changed: ["display_name"] });
  });
}
