/** The words for callers of the API: by `Accept-Language`, English by default. Pages have the words of their view. */
import type { Context } from "hono";
import { type Translate, translator } from "../messages/translate.ts";
import { languageFor } from "./answer/negotiate.ts";

export const wordsFor = (c: Context): Translate => translator(languageFor(c.req.header("Accept-Language")));
