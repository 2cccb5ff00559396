/** The table of contents: every middleware and every room of the service, in order. */
import { OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { Hono } from "hono";
import { identifyCaller } from "./accounts/identify.ts";
import { keyRoutes } from "./accounts/keys/routes.ts";
import { passwordResetRoutes } from "./accounts/passwords/reset-routes.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { sessionRoutes } from "./accounts/sessions/routes.ts";
import { firstAccountRoutes } from "./admin/account/first-account.ts";
import { forgottenRoutes } from "./admin/account/forgotten.ts";
import { signInRoutes } from "./admin/account/sign-in.ts";
import { bulkPageRoutes } from "./admin/bulk/pages.ts";
import { duePageRoutes } from "./admin/care/due-page.ts";
import { labelPageRoutes } from "./admin/care/label-pages.ts";
import { movePageRoutes } from "./admin/care/move-pages.ts";
import { printPageRoutes } from "./admin/care/print-pages.ts";
import { storagePageRoutes } from "./admin/care/storage-page.ts";
import { choiceRoutes } from "./admin/choices.ts";
import { configurationPages } from "./admin/configuration/routes.ts";
import { deskRoutes } from "./admin/desk.ts";
import { editorCheckRoutes } from "./admin/editor/check.ts";
import { duplicateRoutes } from "./admin/editor/duplicate.ts";
import { historyPageRoutes } from "./admin/editor/history-page.ts";
import { linkRoutes } from "./admin/editor/link-routes.ts";
import { publishDraftsRoute } from "./admin/editor/linked-drafts.ts";
import { mediaFormRoutes } from "./admin/editor/media-section.ts";
import { procedureRoutes } from "./admin/editor/procedure-section.ts";
import { onRecord } from "./admin/editor/record-page.ts";
import { restorePageRoutes } from "./admin/editor/restore-page.ts";
import { editorRoutes } from "./admin/editor/routes.ts";
import { importJobRoutes } from "./admin/imports/job.ts";
import { importMappingRoutes } from "./admin/imports/mappings.ts";
import { importPageRoutes } from "./admin/imports/pages.ts";
import { listExportRoutes } from "./admin/lists/export.ts";
import { findPageRoutes } from "./admin/lists/find-page.ts";
import { recordListRoutes } from "./admin/lists/record-list.ts";
import { trashPageRoutes } from "./admin/lists/trash-pages.ts";
import { listViewRoutes } from "./admin/lists/views.ts";
import { duplicatesPageRoutes } from "./admin/merge/duplicates-page.ts";
import { mergePageRoutes } from "./admin/merge/merge-page.ts";
import { mergeSeveralRoutes } from "./admin/merge/several-page.ts";
import { photoRoutes } from "./admin/photos.ts";
import { staffProblems } from "./admin/problems.ts";
import { systemPages } from "./admin/system/routes.ts";
import { aggregatorReportRoutes } from "./aggregation/check-routes.ts";
import { arkPath } from "./arks/names.ts";
import { arkRoutes } from "./arks/routes.ts";
import { authorityRoutes } from "./authorities/routes.ts";
import { dumpRoutes } from "./dumps/routes.ts";
import { metricsRoutes } from "./health/metrics.ts";
import { healthReporter, healthRoutes } from "./health/routes.ts";
import { packTexts } from "./http/answer/compression.ts";
import { concurrencyLimits, createConcurrencyLimit } from "./http/concurrency-limit.ts";
import type { Api, Env } from "./http/endpoint.ts";
import { limitRefused, limitRequests } from "./http/limits.ts";
import { createMeter } from "./http/meter.ts";
import { noRoute } from "./http/no-route.ts";
import { browserSafety } from "./http/request/browser.ts";
import { clientAddress } from "./http/request/client.ts";
import { problems, requestLog } from "./http/requests.ts";
import { limitUnderWay } from "./http/under-way.ts";
import { changeRoutes } from "./iiif/changes.ts";
import { manifestRoutes } from "./iiif/manifest-routes.ts";
import { iiifRoutes } from "./iiif/routes.ts";
import { importRoutes } from "./imports/routes.ts";
import { jobEventRoutes } from "./jobs/event-routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { contextRoutes } from "./linked-data/context-routes.ts";
import { exportRoutes, linkedDataAddresses, linkedDataFormats } from "./linked-data/export-routes.ts";
import { graphRebuildRoutes } from "./linked-data/sparql/rebuild-routes.ts";
import { sparqlRoutes } from "./linked-data/sparql/routes.ts";
import { bulkExportRoutes } from "./lists/export-routes.ts";
import { mediaBatchRoutes } from "./media/batch-routes.ts";
import { includedMedia, mediaRoutes } from "./media/routes.ts";
import { oaiRoutes } from "./oai/routes.ts";
import { descriptionRoutes } from "./openapi/routes.ts";
import { languageChoice } from "./pages/language-choice.ts";
import { createPages, type Pages } from "./pages/page.ts";
import { problemPages } from "./pages/problem-pages.ts";
import { pageAssetRoutes } from "./pages/routes.ts";
import { browsePageRoutes } from "./portal/browse-page.ts";
import { collectionsPageRoutes } from "./portal/collections-page.ts";
import { crawlerRoutes } from "./portal/crawlers/crawlers.ts";
import { sitemapRoutes } from "./portal/crawlers/sitemap.ts";
import { homeRoutes } from "./portal/home.ts";
import { recordPageRoutes } from "./portal/record/page.ts";
import { advancedPageRoutes } from "./portal/search/advanced-page.ts";
import { searchExportRoutes } from "./portal/search/export-routes.ts";
import { searchPageRoutes } from "./portal/search/page.ts";
import { timelinePageRoutes } from "./portal/timeline-page.ts";
import { moveRoutes } from "./procedures/move-routes.ts";
import { bulkRoutes } from "./records/batch/bulk.ts";
import { duplicateListRoutes } from "./records/duplicates/routes.ts";
import { relationRoutes } from "./records/links/relation-routes.ts";
import { mergeRoutes } from "./records/merge/routes.ts";
import { deletionRoutes } from "./records/read/deletion-routes.ts";
import { historyRoutes } from "./records/read/history-routes.ts";
import { recordRoutes } from "./records/routes.ts";
import { reindexRoutes } from "./search/reindex-routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { suggestRoutes } from "./search/suggest-routes.ts";
import type { Services } from "./services.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { roleRoutes } from "./staff/role-routes.ts";
import { securityEventRoutes } from "./staff/security-event-routes.ts";
import { userRoutes } from "./staff/user-routes.ts";
import { relationTypeRoutes } from "./vocabularies/relation-types/routes.ts";
import { schemaRoutes } from "./vocabularies/schema-routes.ts";
import { vocabularyRoutes } from "./vocabularies/terms/vocabulary-routes.ts";

export function createApp(services: Services): Api {
  const api = emptyApp(services);
  const pages = createPages(services);
  api.app.use(packTexts());
  api.app.use(browserSafety(api));
  api.app.use(problemPages(pages, staffProblems(services)));
  api.app.use(requestLog(services.log, api.meter));
  api.app.use(clientAddress(services.config.trustedProxies));
  api.app.use(limitUnderWay());
  api.app.use(limitRefused(services));
  api.app.use(identifyCaller(services));
  api.app.use(limitRequests(services));
  api.app.use(languageChoice(services.config));
  openRooms(api, pages);
  return api;
}

/** An app without routes. Errors become problems. */
export function emptyApp(services: Services): Api {
  const api: Api = {
    services,
    // everything under /v1 answers under /api/v1 too (interface §1)
    app: new Hono<Env>({ getPath: (request) => pathOf(request.url) }),
    registry: new OpenAPIRegistry(),
    routes: [],
    meter: createMeter(),
    visitorLimit: createConcurrencyLimit(concurrencyLimits(services.database)),
  };
  api.app.onError(problems(services.log, api.meter));
  return api;
}

/** Every route. If several match, the first one answers. */
export function openRooms(api: Api, pages: Pages = createPages(api.services)): void {
  const health = healthReporter(api);
  healthRoutes(api, health);
  metricsRoutes(api);
  accountRoutes(api);
  sessionRoutes(api);
  keyRoutes(api);
  userRoutes(api);
  roleRoutes(api);
  securityEventRoutes(api);
  passwordResetRoutes(api);
  schemaRoutes(api);
  vocabularyRoutes(api);
  relationTypeRoutes(api);
  settingsRoutes(api);
  searchRoutes(api);
  suggestRoutes(api);
  searchExportRoutes(api, pages);
  reindexRoutes(api);
  bulkRoutes(api);
  bulkExportRoutes(api);
  deletionRoutes(api);
  duplicateListRoutes(api);
  recordRoutes(api, includedMedia, linkedDataFormats(api));
  exportRoutes(api);
  aggregatorReportRoutes(api);
  contextRoutes(api);
  graphRebuildRoutes(api);
  sparqlRoutes(api, pages);
  oaiRoutes(api);
  relationRoutes(api);
  mergeRoutes(api);
  moveRoutes(api);
  historyRoutes(api);
  arkRoutes(api);
  mediaRoutes(api);
  mediaBatchRoutes(api);
  manifestRoutes(api);
  changeRoutes(api);
  iiifRoutes(api);
  importRoutes(api);
  authorityRoutes(api);
  jobRoutes(api);
  jobEventRoutes(api);
  crawlerRoutes(api);
  sitemapRoutes(api);
  dumpRoutes(api, pages);
  pageAssetRoutes(api, pages);
  homeRoutes(api, pages);
  searchPageRoutes(api, pages);
  advancedPageRoutes(api, pages);
  browsePageRoutes(api, pages);
  collectionsPageRoutes(api, pages);
  timelinePageRoutes(api, pages);
  recordPageRoutes(api, pages, linkedDataAddresses(api));
  signInRoutes(api, pages);
  firstAccountRoutes(api, pages);
  forgottenRoutes(api, pages);
  deskRoutes(api, pages, health);
  recordListRoutes(api, pages);
  editorCheckRoutes(api, pages);
  bulkPageRoutes(api, pages);
  listExportRoutes(api, pages);
  findPageRoutes(api, pages);
  listViewRoutes(api, pages);
  trashPageRoutes(api, pages);
  duplicatesPageRoutes(api, pages);
  mergeSeveralRoutes(api, pages);
  mergePageRoutes(api, pages);
  duplicateRoutes(api, pages);
  editorRoutes(api, pages);
  publishDraftsRoute(api, pages);
  choiceRoutes(api, pages);
  linkRoutes(api, pages, onRecord);
  historyPageRoutes(api, pages);
  restorePageRoutes(api, pages);
  mediaFormRoutes(api, pages, onRecord);
  duePageRoutes(api, pages);
  storagePageRoutes(api, pages);
  movePageRoutes(api, pages, onRecord);
  procedureRoutes(api, pages, onRecord);
  labelPageRoutes(api, pages);
  printPageRoutes(api, pages);
  importMappingRoutes(api, pages);
  importPageRoutes(api, pages);
  photoRoutes(api, pages);
  importJobRoutes(api, pages);
  configurationPages(api, pages);
  systemPages(api, pages);
  descriptionRoutes(api);
  api.app.notFound(noRoute(api));
}

/** The path for routing: without the query and the prefix /api, and with ARKs in one spelling. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf(":") + 3);
  if (start === -1) return "/";
  const query = url.indexOf("?", start);
  const path = url.slice(start, query === -1 ? undefined : query);
  return path.startsWith("/api/v1/") ? path.slice(4) : arkPath(path);
}
