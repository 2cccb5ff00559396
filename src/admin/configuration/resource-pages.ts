/** The pages of one kind of configuration: a form for a new thing, a form for an existing one, and deletion. */
import { html } from "hono/html";
import { type Expected, tagOf } from "../../http/answer/resource-answers.ts";
import type { Api } from "../../http/endpoint.ts";
import type { Access } from "../../http/route.ts";
import { type Said, say } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { csrfField, faultSummary } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, PageView, StaffView, View } from "../../pages/view.ts";
import { type FaultJson, faultsJson, type Problem } from "../../problem.ts";
import { KINDS } from "../../records/kinds.ts";
import { currentSchema, fieldsOf, type Schema } from "../../records/schema.ts";
import { mergePatch } from "../../records/shape.ts";
import { faultsOf, refusal } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { type Control, controlHtml, patchOf, type Values } from "./controls.ts";

type ConfigurationResource<J extends Values> = {
  /** The entry in the rail. */
  at: string;
  /** Paths as in the router: `/admin/fields/{type}`. */
  list: string;
  fresh: string;
  item: string;
  /** For summaries: `a field`. */
  one: string;
  /** The page with the list, below its heading, if this is the only thing that the page shows. */
  all?: { many: string; content(view: StaffView): Promise<Html> };
  access: Exclude<Access, "public">;
  words: { list: MessageKey; fresh: MessageKey /** What else a deletion removes. */; remove: MessageKey };
  title(view: View, current: J): string;
  /** `current`: null for a new one. */
  controls(view: StaffView, current: J | null): Promise<readonly Control[]> | readonly Control[];
  /** 404 if it does not exist or the caller may not see it. */
  find(view: StaffView): Promise<J>;
  /** The values for the form, where they differ from the stored ones. */
  shown?(view: StaffView, current: J): Promise<Values>;
  /** Answers the path to go to, or a page. `draft`: without empty values. */
  create(view: StaffView, draft: Record<string, unknown>): Promise<string | Response>;
  change(view: StaffView, patch: Record<string, unknown>, expected: Expected): Promise<unknown>;
  remove(view: StaffView, expected: Expected): Promise<unknown>;
  /** The values in the empty form. */
  begin?: Values;
  /** Why this caller may only view it; null if they may change it. */
  frozen?(view: StaffView, current: J): Promise<Said | null>;
  /** A special layout of the controls. */
  form?(view: View, controls: readonly Control[], values: Values, faults: readonly FaultJson[]): Html;
  /** Label of the fold that hides the form when the content below it matters more. */
  folded?: MessageKey;
  /** The content below the form. */
  below?(view: StaffView, current: J): Promise<Html> | Html;
};

export function resourcePages<J extends Values>(
  api: Api,
  pages: Pages,
  resource: ConfigurationResource<J>,
): void {
  const { access, one, all, words } = resource;
  const shownOf = async (view: StaffView, current: J): Promise<Values> =>
    (await resource.shown?.(view, current)) ?? current;

  if (all) {
    page(api, pages, {
      path: resource.list,
      summary: `The list of the ${all.many}`,
      access,
      async show(view) {
        const title = view.t(words.list);
        return adminAnswer(view, {
          at: resource.at,
          title,
          content: html`<div class="heading"><h1>${title}</h1><a class="button" href="${view.link(resource.fresh)}">${view.t(words.fresh)}</a></div>
            ${await all.content(view)}`,
        });
      },
    });
  }

  page(api, pages, {
    path: resource.fresh,
    summary: `The form for ${one} that is to be made`,
    access,
    show: (view) => freshPage(resource, view, resource.begin ?? {}),
  });

  pageForm(api, pages, {
    path: resource.fresh,
    summary: `Make ${one}`,
    access,
    async take(view, fields) {
      const patch = patchOf(await resource.controls(view, null), fields, {});
      const draft = mergePatch({}, patch) as Record<string, unknown>;
      try {
        const made = await resource.create(view, draft);
        return typeof made === "string" ? redirectTo(view, made, "form.saved") : made;
      } catch (error) {
        return freshPage(resource, view, draft, refusal(error));
      }
    },
  });

  page(api, pages, {
    path: resource.item,
    summary: `The form for ${one}`,
    access,
    async show(view) {
      const current = await resource.find(view);
      return itemPage(resource, view, current, await shownOf(view, current));
    },
  });

  pageForm(api, pages, {
    path: resource.item,
    summary: `Change ${one}`,
    access,
    async take(view, fields) {
      const current = await resource.find(view);
      const shown = await shownOf(view, current);
      const patch = patchOf(await resource.controls(view, current), fields, shown);
      try {
        await resource.change(view, patch, expectedOf(fields));
        return redirectTo(view, filled(view, resource.item), "form.saved");
      } catch (error) {
        const schema = await currentSchema(api.services.sql);
        const nameOf = codeNames(resource, view, current, schema);
        return itemPage(resource, view, current, mergePatch(shown, patch) as Values, {
          problem: refusal(error),
          nameOf,
        });
      }
    },
  });

  pageForm(api, pages, {
    path: `${resource.item}/delete`,
    summary: `Delete ${one}`,
    access,
    async take(view, fields) {
      const current = await resource.find(view);
      try {
        await resource.remove(view, expectedOf(fields));
        return redirectTo(view, filled(view, resource.list), "config.deleted");
      } catch (error) {
        const shown = await shownOf(view, current);
        const schema = await currentSchema(api.services.sql);
        const nameOf = codeNames(resource, view, current, schema);
        const lead = view.t("config.notDeleted");
        return itemPage(resource, view, current, shown, { problem: refusal(error), nameOf, lead });
      }
    },
  });
}

/** What the code of the shown item, or of a field, is called. */
const codeNames =
  <J extends Values>(resource: ConfigurationResource<J>, view: StaffView, current: J, schema: Schema) =>
  (code: string): string =>
    code === filled(view, resource.item).split("/").at(-1)
      ? resource.title(view, current)
      : fieldWithKind(view, schema, code);

/** @param code `object.material` */
function fieldWithKind({ t }: View, schema: Schema, code: string): string {
  const [type, name = ""] = code.split(".");
  const kind = KINDS.find((each) => each === type);
  const field = kind && fieldsOf(schema, kind).get(name);
  return field ? `${labelIn(field.label, t.language, name)} (${t(`kind.${kind}`)})` : code;
}

/** The faults by their place. Faults without a place are shown above the form. */
export function faultsToShow(
  { t }: View,
  refused: Problem | undefined,
  nameOf?: (code: string) => string,
): readonly FaultJson[] {
  if (!refused) return [];
  return refused.code === "stale"
    ? [{ pointer: "", detail: t("config.stale") }]
    : faultsJson(t, faultsOf(refused), nameOf);
}

/** Null, which accepts any version, if the form has no tag. */
export const expectedOf = (fields: ReadonlyMap<string, string>): Expected => {
  const tag = fields.get("tag");
  return tag === undefined ? null : [tag];
};

/** The path with its parameters replaced by those of this request. */
function filled({ c }: PageView, path: string): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(c.req.param(name) ?? ""));
}

async function freshPage<J extends Values>(
  resource: ConfigurationResource<J>,
  view: StaffView,
  values: Values,
  refused?: Problem,
): Promise<Response> {
  const faults = faultsToShow(view, refused);
  const controls = await resource.controls(view, null);
  const title = view.t(resource.words.fresh);
  return adminAnswer(view, {
    at: resource.at,
    title,
    status: refused?.status,
    content: html`${head(resource, view, title)}
      ${faultSummary(view, controls, faults)}
      <form class="stack" method="post" action="${view.link(filled(view, resource.fresh))}">
        ${csrfField(view)}${arranged(resource, view, controls, values, faults)}
        <div class="row"><button>${view.t("config.create")}</button></div>
      </form>`,
  });
}

async function itemPage<J extends Values>(
  resource: ConfigurationResource<J>,
  view: StaffView,
  current: J,
  values: Values,
  refused?: { problem: Problem; nameOf: (code: string) => string; lead?: string },
): Promise<Response> {
  const { t } = view;
  const faults = faultsToShow(view, refused?.problem, refused?.nameOf);
  const controls = await resource.controls(view, current);
  const title = resource.title(view, current);
  const frozen = (await resource.frozen?.(view, current)) ?? null;
  const here = view.link(filled(view, resource.item));
  const tag = html`<input type="hidden" name="tag" value="${(await tagOf(current)).replaceAll('"', "")}">`;
  const inner = arranged(resource, view, controls, values, faults);
  const fold = (form: Html) =>
    resource.folded
      ? html`<details class="folded" ${faults.length > 0 ? html`open` : ""}><summary>${t(resource.folded)}</summary>${form}</details>`
      : form;
  return adminAnswer(view, {
    at: resource.at,
    title,
    status: refused?.problem.status,
    content: html`${head(resource, view, title)}
      ${faultSummary(view, controls, faults, refused?.lead)}
      ${
        frozen === null
          ? fold(html`<form class="stack" method="post" action="${here}">${csrfField(view)}${tag}${inner}
              <div class="row"><button>${t("admin.save")}</button></div></form>`)
          : html`${note("information", html`${t("config.frozen")} ${say(t, frozen)}`)}<fieldset class="stack" disabled>${inner}</fieldset>`
      }
      ${(await resource.below?.(view, current)) ?? ""}
      ${
        frozen === null
          ? html`<section class="group" aria-labelledby="delete-title"><h2 id="delete-title">${t("admin.delete.title")}</h2>
              <p>${t(resource.words.remove)}</p>
              <form method="post" action="${here}/delete">${csrfField(view)}${tag}<button class="danger">${t("config.delete")}</button></form></section>`
          : ""
      }`,
  });
}

const arranged = <J extends Values>(
  resource: ConfigurationResource<J>,
  view: View,
  controls: readonly Control[],
  values: Values,
  faults: readonly FaultJson[],
): Html =>
  resource.form?.(view, controls, values, faults) ??
  html`${controls.map((control) => controlHtml(view, control, values, faults))}`;

function head<J extends Values>(resource: ConfigurationResource<J>, view: PageView, title: string): Html {
  const list = view.link(filled(view, resource.list));
  return html`<div>
    <p class="crumbs"><a href="${list}">${view.t(resource.words.list)}</a></p>
    <h1 dir="auto">${title}</h1>
  </div>`;
}
