/** The history of a record: who changed what, with a button to restore each version. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { paging } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { STORED_AT } from "../../records/links/places.ts";
import { presentRelations } from "../../records/links/relation-changes.ts";
import { findMerges } from "../../records/merge/store.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { type HistoryItem, listHistory } from "../../records/read/history.ts";
import { findEnds, type LinkChange, linkChangesOf } from "../../records/read/link-changes.ts";
import type { Entry, RecordRow } from "../../records/record.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { demandRow, pageAsked } from "../asked.ts";
import { namePlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { nameOf } from "../record-names.ts";
import { listPath, mergePath, recordPath } from "../sections.ts";
import { type InWords, valuesInWords } from "../values-in-words.ts";
import { linkRows, wordsOfChanges } from "./link-history.ts";
import { putBackForm } from "./links-section.ts";

const PAGE_SIZE = 25;
/** The most links shown for one version. */
const MOST_LINKS = 50;

export function historyPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  for (const kind of KINDS) {
    const path = `${recordPath(kind, "{id}")}/history`;

    page(api, pages, {
      path,
      summary: `The history of ${kinds[kind].one}`,
      access: { action: "read", kind },
      async show(view) {
        const { caller } = view;
        const row = await demandRow(services, view, kind);
        const schema = await currentSchema(services.sql, row.configuration_version);
        const number = pageAsked(view);
        const offset = (number - 1) * PAGE_SIZE;
        const { items, total } = await listHistory(services.sql, row, {
          ...{ limit: PAGE_SIZE, offset, others: caller },
        });
        const links = await linkChangesOf(services.sql, caller, schema, row, items, MOST_LINKS);
        const inWords = await wordsOfChanges(
          services.sql,
          view,
          schema,
          links.flatMap(({ changes }) => changes),
        );
        // restoring uses the last state of a link, so only the newest version that removed it offers this; objects are moved instead
        const changes = items.flatMap((item) => (item.record_id === row.id ? item.changes : []));
        const told = await wordsOfFields(services.sql, view, schema, kind, changes);
        const ids = links.flatMap(({ changes }) => changes.flatMap(({ link }) => link.id ?? []));
        const settled = new Set(await presentRelations(services.sql, ids));
        const mayEdit = mayDo(caller, "update", kind);
        const putBack = ({ link: { id, relation_type }, end }: LinkChange) => {
          if (!mayEdit || id === undefined || settled.has(id) || relation_type === STORED_AT) return "";
          settled.add(id);
          return end?.deleted_at === null ? putBackForm(view, row, id) : "";
        };
        const owners = await findEnds(services.sql, caller, [
          ...new Set(items.map((item) => item.record_id)),
        ]);
        const mayMerge = mayEdit && mayDo(caller, "delete", kind);
        const merges = mayMerge ? await findMerges(services.sql, kind, row.id) : [];
        const undoable = new Set(merges.flatMap(({ id, is_recent }) => (is_recent ? id : [])));
        const here = view.link(recordPath(kind, row.id));
        const paths = await locationPaths(services.sql, schema, caller, [view.t.language], [row]);
        const title = paths.get(row.id) ?? nameOf(view, schema, row);
        return adminAnswer(view, {
          at: listPath(kind),
          title: `${view.t("admin.history")} · ${title}`,
          content: html`<div>
              <p class="crumbs"><a href="${view.link(listPath(kind))}">${view.t(`kind.${kind}`)}</a> <span aria-hidden="true">›</span> <a href="${here}">${row.idno}</a></p>
              <h1><span dir="auto">${title}</span>${view.t("form.colon")} ${view.t("admin.history")}</h1>
            </div>
            <ol class="history">${items.map((item, index) => {
              const ofLinks = linkRows(view, schema, row, links[index]!, inWords, putBack);
              if (item.record_id !== row.id)
                return elsewhere(view, schema, item, owners.get(item.record_id) ?? null, ofLinks);
              const shown = item.action === "created" ? [] : item.changes;
              const rows = [...fieldRows(view, schema, kind, shown, told), ...ofLinks];
              return version(view, row, item, rows, undoable);
            })}</ol>
            ${paging(view, number, Math.ceil(total / PAGE_SIZE), (next) => `${here}/history?page=${next}`)}`,
        });
      },
    });
  }
}

function version(
  view: View,
  row: RecordRow,
  item: HistoryItem,
  changes: readonly Html[],
  undoable: ReadonlySet<string>,
): Html {
  const { t, link } = view;
  const kind = row.record_type;
  const mayGoBack = item.version !== row.version && mayDo(view.caller, "update", kind);
  const restore = link(`${recordPath(kind, row.id)}/history/${item.version}/restore`);
  const number = t("admin.versionNumber", { number: item.version });
  const merge = mergeIn(item);
  return html`<li>
    <div class="heading">
      <h2>${number}</h2>
      ${deed(view, item)}
      ${merge && undoable.has(merge.gone.id) && item.action === "merged" ? html`<a class="button quiet small" href="${link(mergePath(kind, merge.gone.id))}">${t("merge.undo")}${t("form.ellipsis")}</a>` : ""}
      ${mayGoBack ? html`<a class="button quiet small" href="${restore}">${t("admin.restoreVersion")}${t("form.ellipsis")}</a>` : ""}
    </div>
    ${merge ? html`<p><bdi>${merge.gone.title} (${merge.gone.idno})</bdi> → <bdi>${merge.other.title} (${merge.other.idno})</bdi></p>` : ""}
    ${changesTable(view, number, changes)}
  </li>`;
}

type Named = { id: string; idno: string; title: string };

/** The records of a merge of this record, or of its undo. */
function mergeIn({ action, note }: HistoryItem): { gone: Named; other: Named } | null {
  const told = (note ?? {}) as Record<string, Named | undefined>;
  const [gone, other] = action === "merged" ? [told.merged, told.into] : [told.unmerged, told.from];
  return gone && other && (action === "merged" || action === "unmerged") ? { gone, other } : null;
}

/** A version of another record that changed links to this one; empty if the reader may not see these. */
function elsewhere(
  view: View,
  schema: Schema,
  item: HistoryItem,
  owner: RecordRow | null,
  links: readonly Html[],
): Html {
  if (!owner || links.length === 0) return html``;
  const name = nameOf(view, schema, owner);
  const heading = view.t("history.elsewhere", { name });
  return html`<li>
    <div class="heading"><h2 dir="auto">${heading}</h2>${deed(view, item)}</div>
    ${changesTable(view, heading, links)}
  </li>`;
}

const deed = ({ t, formats }: View, { action, actor, at }: HistoryItem): Html =>
  html`<p class="help">${t(`action.${action}`)} · ${actor?.email ?? t("admin.theProgram")} · <time datetime="${at}Z">${formats.time(at)}</time></p>`;

type Changes = HistoryItem["changes"];
const changedIn = ({ pointer }: Changes[number]): string => pointer.split("/").at(-1) ?? "";

export const wordsOfFields = (
  sql: Sql,
  view: View,
  schema: Schema,
  kind: Kind,
  changes: Changes,
): Promise<InWords> =>
  valuesInWords(
    sql,
    view,
    schema,
    changes.flatMap((change) =>
      [change.from, change.to]
        .filter(Array.isArray)
        .map((entries) => ({ kind, metadata: { [changedIn(change)]: entries as Entry[] } })),
    ),
  );

/** What changed in the fields of a record. `told`: from `wordsOfFields`. */
export const fieldRows = (
  view: View,
  schema: Schema,
  kind: Kind,
  changes: Changes,
  told: InWords,
): readonly Html[] =>
  changes.map((change) => {
    const name = changedIn(change);
    return html`<tr><th scope="row">${namePlainly(view, schema, kind, name)}</th><td dir="auto">${told(kind, name, change.from)}</td><td dir="auto">${told(kind, name, change.to)}</td></tr>`;
  });

export const changesTable = ({ t }: View, name: string, rows: readonly Html[]): Html =>
  rows.length === 0
    ? html``
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table><thead><tr><th>${t("admin.field")}</th><th>${t("admin.before")}</th><th>${t("admin.after")}</th></tr></thead>
          <tbody>${rows}</tbody></table></div>`;
