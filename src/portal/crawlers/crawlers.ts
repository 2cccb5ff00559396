/** The files that crawlers read first: /robots.txt (RFC 9309) and /llms.txt (https://llmstxt.org/). */
import { z } from "zod";
import { type Api, endpoint } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { llms } from "./llms.ts";
import { isAdminHost, robots } from "./robots.ts";

const Text = z.string();
const HEADERS = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" };

export function crawlerRoutes(api: Api): void {
  const { config } = api.services;

  endpoint(api, {
    method: "get",
    path: "/robots.txt",
    tag: "service",
    summary: "Rules for crawlers",
    description: "If the admin interface has a host of its own, that host is closed to all crawlers.",
    access: "public",
    // any `Accept` gets the rules: without rules, a crawler may fetch everything
    produces: [],
    answers: { 200: { description: "Robots exclusion protocol", type: "text/plain", schema: Text } },
    handle: ({ c }) => c.body(robots(c, config), 200, HEADERS),
  });

  endpoint(api, {
    method: "get",
    path: "/llms.txt",
    tag: "service",
    summary: "A guide for language models: where to find what",
    access: "public",
    produces: [],
    answers: { 200: { description: "Markdown", type: "text/plain", schema: Text } },
    problems: [404],
    handle({ c }) {
      if (!config.llmsTxt.enabled || isAdminHost(c, config)) {
        throw new Problem("not_found", said("problem.llms.off"));
      }
      return c.body(llms(config), 200, HEADERS);
    },
  });
}
