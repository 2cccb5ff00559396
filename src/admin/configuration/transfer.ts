/** The configuration as a file: download it, or import another installation's after checking the plan. */
import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import { type Api, endpoint } from "../../http/endpoint.ts";
import { newId } from "../../ids.ts";
import { readJobText, writeJobText } from "../../jobs/files.ts";
import { type Said, said, say } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { csrfField, csrfQuery } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { emptyState, note } from "../../pages/parts.ts";
import { page, pageForm, pageUpload } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, PageView, StaffView, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import type { Labels } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { SUPERUSER } from "../../staff/actor.ts";
import { applyConfiguration } from "../../staff/configuration-apply.ts";
import { type Configuration, configurationIn, readConfiguration } from "../../staff/configuration-file.ts";
import type { Step } from "../../staff/configuration-plan.ts";
import { bytesOfForm, refusal, uuidIn } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { WORDS } from "../system/security.ts";
import { faultsToShow } from "./resource-pages.ts";

const LIST = "/admin/configuration";
const access = { feature: "settings:manage" };
/** The most bytes of a file. */
const LARGEST = 32 * 1024 * 1024;

/** Members of the file, as the pages that change them call them. */
const PARTS: Readonly<Record<string, MessageKey>> = {
  ...WORDS,
  label: "config.label",
  sort_order: "config.order",
  description: "vocabularies.description",
  uri: "vocabularies.uri",
  help: "fields.help",
  field_type: "fields.type",
  vocabulary: "fields.vocabulary",
  is_required: "fields.is.required",
  is_repeatable: "fields.is.repeatable",
  is_translatable: "fields.is.translatable",
  is_facet: "fields.is.facet",
  is_public: "fields.is.public",
  is_searchable: "fields.weight",
  is_default: "subtypes.isDefault",
  crm_class: "subtypes.class",
  form: "subtypes.form",
  inverse: "relationTypes.inverse",
  inverse_label: "relationTypes.inverseLabel",
  from_types: "relationTypes.from",
  to_types: "relationTypes.to",
  is_hierarchical: "relationTypes.hierarchical",
};

/** Only superusers, because a file may give roles any permission. */
const mayApply = ({ role }: Account): boolean => role === SUPERUSER;

function demandApplier(account: Account): void {
  if (!mayApply(account)) throw new Problem("forbidden", said("problem.configuration.superuser_only"));
}

export function transferPages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  page(api, pages, {
    path: LIST,
    summary: "The configuration as a file, export and import",
    access,
    show: startPage,
  });

  endpoint(api, {
    method: "get",
    path: `${LIST}/file`,
    tag: "pages",
    summary: "The configuration as a JSON file",
    access,
    produces: [],
    page: true,
    answers: { 200: { description: "The file" } },
    async handle({ c }) {
      return c.body(`${JSON.stringify(await readConfiguration(sql), null, 2)}\n`, 200, {
        "Content-Type": "application/json",
        "Content-Disposition": 'attachment; filename="configuration.json"',
        "Cache-Control": "private, no-store",
      });
    },
  });

  pageUpload(api, pages, {
    path: LIST,
    summary: "Send a configuration file, to see what it would change",
    access,
    async take(view) {
      demandApplier(view.caller);
      try {
        const text = new TextDecoder().decode(await bytesOfForm(view, LARGEST));
        configurationIn(text);
        const id = newId();
        const sent = { account: view.caller.id, configuration: text };
        await writeJobText(sql, id, "mapping", JSON.stringify(sent));
        return redirectTo(view, `${LIST}/${id}`);
      } catch (error) {
        return startPage(view, refusal(error));
      }
    },
  });

  page(api, pages, {
    path: `${LIST}/{id}`,
    summary: "What a configuration file would change",
    access,
    async show(view) {
      demandApplier(view.caller);
      const wish = await sentBy(sql, view);
      const remove = view.c.req.query("remove") === "yes";
      const plan = await applyConfiguration(services, wish, { commit: false, remove });
      return planPage(view, wish, plan, remove);
    },
  });

  pageForm(api, pages, {
    path: `${LIST}/{id}`,
    summary: "Apply a configuration file",
    access,
    async take(view, fields) {
      demandApplier(view.caller);
      const wish = await sentBy(sql, view);
      const remove = fields.get("remove") === "yes";
      const by = { actorId: view.caller.id, client: view.c.get("client") };
      const done = await applyConfiguration(services, wish, { commit: true, remove, by });
      // somebody changed a record or the configuration after the plan was shown, so show the new plan
      if (done.some(({ fault }) => fault !== undefined)) return planPage(view, wish, done, remove);
      return redirectTo(view, LIST, "transfer.done");
    },
  });
}

/** The file that the address names, for the account that sent it. Files are deleted after a day (`forgetJobFiles`). */
async function sentBy(sql: Sql, view: StaffView): Promise<Configuration> {
  const text = await readJobText(sql, uuidIn(view, "id"), "mapping");
  const sent = text === "" ? null : (JSON.parse(text) as { account?: string; configuration?: string });
  if (sent?.account === view.caller.id && sent.configuration) return configurationIn(sent.configuration);
  throw new Problem("not_found", said("problem.configuration.gone"));
}

function startPage(view: StaffView, refused?: Problem): Promise<Response> {
  const { caller, t, link } = view;
  const faults = faultsToShow(view, refused);
  return adminAnswer(view, {
    at: LIST,
    title: t("transfer.title"),
    status: refused?.status,
    content: html`<h1>${t("transfer.title")}</h1><p class="help">${t("transfer.lead")}</p>
      ${faults.length === 0 ? "" : note("error", html`${t("transfer.unreadable")}<ul class="plain">${faults.map(({ pointer, detail }) => html`<li>${pointer === "/file" ? "" : `${pointer}${t("form.colon")} `}${detail}</li>`)}</ul>`, "alert")}
      <section class="group" aria-labelledby="out"><h2 id="out">${t("transfer.out")}</h2>
        <p>${t("transfer.outText")}</p>
        <p><a class="button quiet" href="${link(`${LIST}/file`)}" download>${t("transfer.download")}</a></p></section>
      <section class="group" aria-labelledby="in"><h2 id="in">${t("transfer.in")}</h2>${
        mayApply(caller)
          ? html`<p>${t("transfer.inText")}</p>
        <form class="stack" method="post" enctype="multipart/form-data" action="${link(LIST)}${csrfQuery(view)}">
          <label class="field"><b>${t("transfer.file")}</b><input type="file" name="file" required accept=".json,application/json"></label>
          <div class="row"><button>${t("transfer.show")}</button></div>
        </form>`
          : html`<p>${t("transfer.notYou")}</p>`
      }</section>`,
  });
}

function planPage(
  view: PageView,
  wish: Configuration,
  plan: readonly Step[],
  remove: boolean,
): Promise<Response> {
  const { t, link } = view;
  const here = link(view.c.req.path);
  const faults = plan.filter(({ fault }) => fault !== undefined);
  return adminAnswer(view, {
    at: LIST,
    title: t("transfer.plan"),
    status: 200,
    content: html`<div><p class="crumbs"><a href="${link(LIST)}">${t("transfer.title")}</a></p><h1>${t("transfer.plan")}</h1></div>
      <form class="filters" action="${here}"><label class="tick"><input type="checkbox" name="remove" value="yes" ${remove ? html`checked` : ""}> ${t("transfer.remove")}</label><button class="quiet">${t("transfer.again")}</button></form>
      ${
        plan.length === 0
          ? emptyState(t("transfer.nothing"), t("transfer.nothingText"))
          : html`<p>${t("transfer.steps", { count: plan.length })}</p>${table(view, wish, plan)}`
      }
      ${faults.length > 0 ? note("error", t("transfer.faults", { count: faults.length })) : ""}
      ${
        plan.length === 0 || faults.length > 0
          ? ""
          : html`<form method="post" action="${here}">${csrfField(view)}<input type="hidden" name="remove" value="${remove ? "yes" : ""}"><button>${t("transfer.apply")}</button></form>`
      }`,
  });
}

/** Steps that cannot be done come first. */
function table(view: View, wish: Configuration, plan: readonly Step[]): Html {
  const { t } = view;
  const partName = (part: string) => (PARTS[part] ? html`${t(PARTS[part])}` : html`<code>${part}</code>`);
  const rows = [...plan.filter(({ fault }) => fault), ...plan.filter(({ fault }) => !fault)];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("transfer.plan")}"><table>
    <thead><tr><th>${t("transfer.step")}</th><th>${t("transfer.what")}</th><th>${t("transfer.parts")}</th></tr></thead>
    <tbody>${rows.map(
      ({ what, step, parts, fault }) => html`<tr><td>${t(`transfer.step.${step}`)}</td>
        <td>${subject(view, wish, what)}</td>
        <td>${fault === undefined ? parts.map((part, at) => html`${at > 0 ? ", " : ""}${typeof part === "string" ? partName(part) : say(t, part)}`) : html`<strong>${say(t, fault)}</strong>`}</td></tr>`,
    )}</tbody></table></div>`;
}

/** With the label that the file gives, and the name in the file. */
function subject({ t }: View, wish: Configuration, what: Said): Html {
  const { vocabularies, fields, subtypes, relation_types, roles } = wish;
  const lists: Partial<Record<MessageKey, readonly { name: string; record_type?: string; label: Labels }[]>> =
    {
      "plan.vocabulary": vocabularies,
      "plan.terms": vocabularies,
      "plan.term": vocabularies,
      "plan.field": fields,
      "plan.subtype": subtypes,
      "plan.relation_type": relation_types,
      "plan.role": roles,
    };
  const name = what.values?.name;
  const row = lists[what.key]?.find(
    (each) => (each.record_type ? `${each.record_type}.${each.name}` : each.name) === name,
  );
  if (!row) return html`${say(t, what)}`;
  const label = labelIn(row.label, t.language, row.name);
  return html`${say(t, said(what.key, { ...what.values, name: label }))} <code>${name}</code>`;
}
