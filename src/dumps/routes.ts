/** /dumps/: all public records as files, with a list of them. */

import { html } from "hono/html";
import { z } from "zod";
import { VISITOR } from "../caller.ts";
import { cachedJson, cacheHeaders, contentTag, FOR_A_MINUTE, isUnchanged } from "../http/answer/caching.ts";
import { contentDisposition } from "../http/answer/disposition.ts";
import { fileAnswer } from "../http/answer/file-answer.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { openToAnybody } from "../http/request/browser.ts";
import { said } from "../messages/said.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import { jsonLd } from "../pages/schema-org.ts";
import type { Html, View } from "../pages/view.ts";
import { Problem } from "../problem.ts";
import { COLLECTION_STATUSES } from "../records/kinds.ts";
import { settingsOf } from "../settings/settings.ts";
import { dataset, dcat } from "./described.ts";
import { DUMP_FORMATS, type DumpSet, keyOf, servedDumps } from "./published.ts";

const LIST = "/dumps/index.json";
const JSON_LD = "application/ld+json";
const CHECKSUMS = "/dumps/sha256sums.txt";
const DumpListShape = z
  .object({
    made_at: z.string().nullable(),
    files: z.array(
      z.object({
        name: z.string(),
        url: z.string(),
        format: z.enum(DUMP_FORMATS),
        records: z.int().openapi({ description: "How many records the file has" }),
        bytes: z.int(),
        sha256: z.string(),
      }),
    ),
  })
  .openapi("DumpList");

export function dumpRoutes(api: Api, pages: Pages): void {
  const { dumps, config, log } = api.services;
  const { baseUrl, publicCollectionStatuses } = config;

  async function demandDumps(): Promise<DumpSet | "withdrawn" | null> {
    if (!config.dumps.enabled) throw new Problem("not_found", said("problem.dump.off"));
    return servedDumps(api.services);
  }

  const servable = (set: DumpSet | "withdrawn" | null): DumpSet | null => (set === "withdrawn" ? null : set);
  const filesNow = async () => servable(await demandDumps());

  for (const path of ["/dumps/", "/dumps"]) {
    page(api, pages, {
      path,
      summary: "The files with all public records",
      access: "public",
      async show(view) {
        const set = await demandDumps();
        return pageAnswer(view, {
          title: view.t("dumps.title"),
          head: html`<link rel="alternate" type="application/json" href="${view.link(LIST)}">
            <link rel="alternate" type="${JSON_LD}" href="${view.link("/dumps/")}">${jsonLd(dataset(baseUrl, view, servable(set)))}`,
          content: content(view, set, publicCollectionStatuses),
        });
      },
      otherwise: {
        types: [JSON_LD],
        async answer(c) {
          const body = dcat(baseUrl, await settingsOf(api.services), await filesNow());
          openToAnybody(c);
          const head = cacheHeaders(VISITOR, await contentTag(body));
          if (isUnchanged(c, head.ETag!)) return c.body(null, 304, head);
          return c.body(JSON.stringify(body), 200, { ...head, "Content-Type": JSON_LD });
        },
      },
    });
  }

  endpoint(api, {
    method: "get",
    path: LIST,
    tag: "service",
    summary: "List the files with all public records",
    description:
      "Written each night, and within the hour after something in them is no longer public; until then the list is empty. Compressed with gzip. The addresses stay the same.",
    access: "public",
    crossOrigin: "anybody",
    answers: { 200: { description: "The files", schema: DumpListShape }, 304: { description: "Unchanged" } },
    problems: [404],
    async handle({ c }) {
      const set = await filesNow();
      const files = (set?.files ?? []).map(({ name, ...rest }) => ({
        name,
        url: `${baseUrl}/dumps/${name}`,
        ...rest,
      }));
      const body = { made_at: set?.made_at ?? null, files };
      return cachedJson(c, VISITOR, body, await contentTag(body));
    },
  });

  endpoint(api, {
    method: "get",
    path: CHECKSUMS,
    tag: "service",
    summary: "Read the SHA-256 checksums of these files, for sha256sum -c",
    access: "public",
    crossOrigin: "anybody",
    produces: [],
    answers: { 200: { description: "Checksums", type: "text/plain", schema: z.string() } },
    problems: [404],
    async handle({ c }) {
      const lines = ((await filesNow())?.files ?? []).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
      const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": FOR_A_MINUTE };
      return c.body(lines.join(""), 200, headers);
    },
  });

  endpoint(api, {
    method: "get",
    path: "/dumps/{file}",
    tag: "service",
    summary: "Read one of these files, whole or in part",
    access: "public",
    crossOrigin: "anybody",
    params: z.object({ file: z.string() }),
    produces: [],
    answers: {
      200: { description: "The file", type: "application/gzip", schema: z.string() },
      206: { description: "The part that `Range` asks for" },
      304: { description: "Unchanged" },
    },
    problems: [404, 416, 503],
    async handle({ c, params }) {
      const set = await demandDumps();
      if (set === "withdrawn")
        throw new Problem("unavailable", said("problem.dump.withdrawn"), {
          headers: { "Retry-After": "600" },
        });
      const file = set?.files.find(({ name }) => name === params.file);
      if (!set || !file) throw new Problem("not_found", said("problem.dump.unknown", { list: LIST }));
      return fileAnswer(c, {
        bytes: file.bytes,
        head: cacheHeaders(VISITOR, `"${file.sha256}"`, set.made_at),
        headers: {
          "Content-Type": "application/gzip",
          "Content-Disposition": contentDisposition("attachment", file.name),
        },
        async content(range) {
          const found = await dumps.get(keyOf(set.folder, file.name), range ?? undefined);
          if (found) return found.content;
          log.error("a listed dump is missing", { file: file.name, folder: set.folder });
          throw new Problem("unavailable", said("problem.dump.being_replaced"));
        },
      });
    },
  });
}

/** @param statuses collection statuses of the objects that searches and lists of visitors have */
function content(view: View, set: DumpSet | "withdrawn" | null, statuses: readonly string[]): Html {
  const { t, link, formats } = view;
  if (set === "withdrawn")
    return html`<h1>${t("dumps.title")}</h1>${emptyState(t("dumps.withdrawn"), t("dumps.withdrawnText"))}`;
  if (set === null)
    return html`<h1>${t("dumps.title")}</h1>${emptyState(t("dumps.none"), t("dumps.noneText"))}`;
  return html`<section class="stack">
    <h1>${t("dumps.title")}</h1>
    <p class="lead">${t("dumps.lead")}</p>
    <p>${t("dumps.made", { time: formats.time(set.made_at) })} ${statuses.length < COLLECTION_STATUSES.length ? t("dumps.unlisted") : ""}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="${t("dumps.title")}"><table class="dumps">
      <thead><tr>
        <th scope="col">${t("dumps.file")}</th><th scope="col">${t("dumps.content")}</th>
        <th scope="col" class="number">${t("dumps.records")}</th><th scope="col" class="number">${t("dumps.size")}</th>
      </tr></thead>
      <tbody>${set.files.map(
        ({ name, format, records, bytes }) => html`<tr>
          <td><a href="${link(`/dumps/${name}`)}" download>${name}</a></td><td>${t(`dumps.format.${format}`)}</td>
          <td class="number">${formats.number(records)}</td><td class="number">${formats.bytes(bytes)}</td>
        </tr>`,
      )}</tbody>
    </table></div>
    <p class="row"><a class="button quiet" href="${link(CHECKSUMS)}">${t("dumps.checksums")}</a>
      <a class="button quiet" href="${link(LIST)}">${t("dumps.list")}</a></p>
  </section>`;
}
