/** The 503 answers while the database opens or waits for its schema, with the reason; browsers get a page. */

import { Hono } from "hono";
import { packageAssets } from "../src/adapters/files/assets.ts";
import type { Config } from "../src/config/read.ts";
import { reportWithoutDatabase } from "../src/health/routes.ts";
import { completeAnswer } from "../src/http/answer.ts";
import { completePage, fixedHead } from "../src/http/browser.ts";
import { problemResponse } from "../src/http/requests.ts";
import type { Env } from "../src/http/route.ts";
import { wordsFor } from "../src/http/words.ts";
import { type Said, sayAll } from "../src/messages/said.ts";
import { createPages } from "../src/pages/page.ts";
import { problemPages } from "../src/pages/problem-pages.ts";
import { assetAnswer } from "../src/pages/routes.ts";
import { Problem } from "../src/problem.ts";
import type { App } from "../src/runtimes/listening.ts";

/** Seconds for Retry-After. */
const RETRY = { "Retry-After": "2" };

/** `why` is called for each answer. */
export function unreadyApp(config: Config, why: () => Said): App {
  const pages = createPages({ config, assets: packageAssets(), sql: null });
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    c.set("head", fixedHead(config));
    await next();
    completeAnswer(c);
    completePage(c.res.headers);
  });
  app.use(problemPages(pages));
  app.get("/health", (c) =>
    c.json(sayAll(wordsFor(c), reportWithoutDatabase(config, why())), 503, { "Cache-Control": "no-store" }),
  );
  app.get("/assets/:file", (c) => assetAnswer(c, pages, c.req.param("file")));
  app.onError((error, c) => problemResponse(error instanceof Problem ? error : notReady(why()), c));
  app.all("*", (c) => problemResponse(notReady(why()), c));
  return app;
}

const notReady = (told: Said) => new Problem("unavailable", told, { headers: RETRY });
