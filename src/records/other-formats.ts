/** What a record can be had as besides JSON: who makes it stands above this room, so app.ts brings both together. */
import type { Caller } from "../caller.ts";
import type { Ctx } from "../http/endpoint.ts";
import type { Kind } from "./kinds.ts";

export type OtherFormats = {
  types: readonly string[];
  answer(asked: { c: Ctx; caller: Caller; kind: Kind; id: string; type: string }): Promise<Response>;
};
