/** Formats of a record besides JSON. They are made by rooms that depend on this one, so app.ts connects the two. */
import type { Caller } from "../../caller.ts";
import type { Ctx } from "../../http/endpoint.ts";
import type { Kind } from "../kinds.ts";

export type OtherFormats = {
  types: readonly string[];
  answer(asked: { c: Ctx; caller: Caller; kind: Kind; id: string; type: string }): Promise<Response>;
};
