/** The list of imports and batch edits, and the form for a file. */
import { html } from "hono/html";
import { mayDo, mayUse } from "../../caller.ts";
import { maySee } from "../../jobs/shown.ts";
import { jobsOfImports } from "../../jobs/store.ts";
import { faultSummary } from "../../pages/forms.ts";
import type { StaffView } from "../../pages/view.ts";
import { faultsJson, type Problem } from "../../problem.ts";
import { countImports, listImports } from "../../records/batch/imports-list.ts";
import { KINDS } from "../../records/kinds.ts";
import { idsOf } from "../../records/record.ts";
import type { Sql } from "../../services.ts";
import { faultsOf, pageAsked } from "../asked.ts";
import { summariesOf } from "../bulk/summary.ts";
import { adminAnswer } from "../layout.ts";
import { importsLabel, importsPath } from "../sections.ts";
import { mappingList } from "./mappings.ts";
import { listMappings } from "./mappings-store.ts";
import { importList } from "./views.ts";

const PAGE_SIZE = 25;

/** @param refused the fault of a file that was sent */
export async function importsPage(sql: Sql, view: StaffView, refused?: Problem): Promise<Response> {
  const { caller, t } = view;
  const mayImport = mayUse(caller, "import:run");
  const number = pageAsked(view);
  const which = mayImport ? null : { editsOf: caller.id };
  const total = await countImports(sql, which);
  const found = await listImports(sql, PAGE_SIZE, (number - 1) * PAGE_SIZE, which);
  const jobs = await jobsOfImports(sql, idsOf(found));
  const seen = new Map(
    jobs.filter((job) => maySee(caller, job)).map(({ id, result }) => [result?.import_id, id]),
  );
  const edits = found.filter(({ source }) => source === "edit");
  const told = await summariesOf(sql, view, edits);
  const shown = found.map((one) => ({
    ...one,
    told: told.get(one.id),
    ...(mayDo(caller, "read", one.record_type) ? {} : { filename: null }),
    job: mayImport ? seen.get(one.id) : undefined,
  }));
  const kinds = mayImport
    ? KINDS.filter((kind) => mayDo(caller, "create", kind) && mayDo(caller, "read", kind))
    : [];
  return adminAnswer(view, {
    at: importsPath,
    title: t(importsLabel(caller)),
    status: refused?.status,
    head: html`<script type="module" src="${view.asset("import-file.js")}" nonce="${view.nonce}"></script>`,
    content: html`<h1>${t(importsLabel(caller))}</h1>
      ${refused ? faultSummary(view, [], faultsJson(t, faultsOf(refused))) : ""}
      ${importList(view, kinds, shown, number, Math.ceil(total / PAGE_SIZE))}
      ${mappingList(view, await listMappings(sql, kinds))}`,
  });
}
