/** Small forms as browsers send them (HTML §4.10.21.7, application/x-www-form-urlencoded). */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Ctx } from "../route.ts";
import { bodyText, demandContentType, readBytes } from "./body.ts";

export const FORM = "application/x-www-form-urlencoded";

/** The non-empty fields by name. 400 if one is given twice or is not UTF-8. */
export async function readFields(c: Ctx, limit: number): Promise<Map<string, string>> {
  demandContentType(c.req.header("Content-Type"), [FORM]);
  const text = bodyText(await readBytes(c.req.raw, limit));
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === "") continue;
    if (fields.has(name))
      throw new Problem("malformed", said("problem.form.twice", { name: name.slice(0, 100) }));
    fields.set(name, value);
  }
  return fields;
}
