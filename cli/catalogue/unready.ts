/** Answers 503 with the reason until the service is ready. Browsers get a page that reloads itself. */

import { Hono } from "hono";
import { packageAssets } from "../../src/adapters/files/assets.ts";
import type { Config } from "../../src/config/read.ts";
import { reportWithoutDatabase } from "../../src/health/routes.ts";
import { completeAnswer } from "../../src/http/answer/answer.ts";
import { completePage, fixedHead } from "../../src/http/request/browser.ts";
import { problemResponse } from "../../src/http/requests.ts";
import type { Ctx, Env } from "../../src/http/route.ts";
import { wordsFor } from "../../src/http/words.ts";
import { type Said, sayAll } from "../../src/messages/said.ts";
import { createPages } from "../../src/pages/page.ts";
import { problemPages } from "../../src/pages/problem-pages.ts";
import { assetAnswer } from "../../src/pages/routes.ts";
import { Problem } from "../../src/problem.ts";
import type { App } from "../../src/runtimes/listening.ts";

/** Seconds. A browser waits longer than a program, because a person reads the page. */
const RETRY = { "Retry-After": "2" };
const RELOAD = { Refresh: "5" };

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
  app.onError((error, c) => problemResponse(error instanceof Problem ? error : notReady(c, why()), c));
  app.all("*", (c) => problemResponse(notReady(c, why()), c));
  return app;
}

/** Only answers to GET reload themselves: reloading a sent form would lose its content. */
const notReady = ({ req }: Ctx, told: Said) =>
  new Problem("unavailable", told, { headers: req.method === "GET" ? { ...RETRY, ...RELOAD } : RETRY });
