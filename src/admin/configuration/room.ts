/** One thing of the configuration on pages: a form for a new one, a form for one that there is, and its deletion. */
import { html } from "hono/html";
import type { Account, Caller } from "../../caller.ts";
import { type Api, accountOf, type Ctx } from "../../http/endpoint.ts";
import { databaseProblem } from "../../http/requests.ts";
import { type Expected, tagOf } from "../../http/resource-answers.ts";
import type { Access } from "../../http/route.ts";
import { csrfField, faultSummary } from "../../pages/forms.ts";
import type { MessageKey } from "../../pages/messages-en.ts";
import { goOn, type Pages } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import { faultsIn, toldHtml, toldIn } from "../../pages/sentences.ts";
import type { Html, View } from "../../pages/view.ts";
import { type Fault, Problem } from "../../problem.ts";
import { mergePatch } from "../../records/shape.ts";
import { adminAnswer } from "../layout.ts";
import { type Control, controlHtml, patchOf, type Values } from "./controls.ts";

export type Given = { c: Ctx; view: View; caller: Account };

export type Room<J extends Values> = {
  /** Its entry in the rail. */
  at: string;
  /** Paths as they are routed: `/admin/fields/{type}`. */
  list: string;
  fresh: string;
  item: string;
  /** In a summary: `a field`. */
  one: string;
  access: Access;
  words: { list: MessageKey; fresh: MessageKey /** What a deletion takes with it. */; remove: MessageKey };
  title(view: View, present: J): string;
  /** `present`: null for a new one. */
  controls(given: Given, present: J | null): Promise<readonly Control[]> | readonly Control[];
  /** 404 when there is none that this caller may see. */
  find(given: Given): Promise<J>;
  /** Answers where to go, or a page. `draft`: without what was left empty. */
  create(given: Given, draft: Record<string, unknown>): Promise<string | Response>;
  change(given: Given, patch: Record<string, unknown>, expected: Expected): Promise<unknown>;
  remove(given: Given, expected: Expected): Promise<unknown>;
  /** The values that the form for a new one begins with. */
  begin?: Values;
  /** Why this caller may only look at it; null when they may change it. */
  frozen?(given: Given, present: J): Promise<string | null>;
  /** Another arrangement of the controls. */
  form?(view: View, controls: readonly Control[], values: Values, faults: readonly Fault[]): Html;
  /** What the form is folded away behind, where what stands below it matters more. */
  folded?: MessageKey;
  /** What stands below the form. */
  below?(given: Given, present: J): Promise<Html> | Html;
};

export function configurationRoom<J extends Values>(api: Api, pages: Pages, room: Room<J>): void {
  const { access, one } = room;
  const given = (c: Ctx, view: View, caller: Caller): Given => ({ c, view, caller: accountOf(caller) });

  page(api, pages, {
    path: room.fresh,
    summary: `The form for ${one} that is to be made`,
    access,
    show: ({ c, view, caller }) => freshPage(room, given(c, view, caller), room.begin ?? {}),
  });

  pageForm(api, pages, {
    path: room.fresh,
    summary: `Make ${one}`,
    access,
    async take({ c, view, caller, fields }) {
      const asked = given(c, view, caller);
      const patch = patchOf(await room.controls(asked, null), fields, {});
      const draft = mergePatch({}, patch) as Record<string, unknown>;
      try {
        const made = await room.create(asked, draft);
        return typeof made === "string" ? goOn(c, view, view.link(made), "form.saved") : made;
      } catch (error) {
        return freshPage(room, asked, draft, mendable(error));
      }
    },
  });

  page(api, pages, {
    path: room.item,
    summary: `The form for ${one}`,
    access,
    async show({ c, view, caller }) {
      const asked = given(c, view, caller);
      const present = await room.find(asked);
      return itemPage(room, asked, present, present);
    },
  });

  pageForm(api, pages, {
    path: room.item,
    summary: `Change ${one}`,
    access,
    async take({ c, view, caller, fields }) {
      const asked = given(c, view, caller);
      const present = await room.find(asked);
      const patch = patchOf(await room.controls(asked, present), fields, present);
      try {
        await room.change(asked, patch, expectedOf(fields));
        return goOn(c, view, view.link(filled(c, room.item)), "form.saved");
      } catch (error) {
        return itemPage(room, asked, present, mergePatch(present, patch) as Values, mendable(error));
      }
    },
  });

  pageForm(api, pages, {
    path: `${room.item}/delete`,
    summary: `Delete ${one}`,
    access,
    async take({ c, view, caller, fields }) {
      const asked = given(c, view, caller);
      const present = await room.find(asked);
      try {
        await room.remove(asked, expectedOf(fields));
        return goOn(c, view, view.link(filled(c, room.list)), "config.deleted");
      } catch (error) {
        return itemPage(room, asked, present, present, mendable(error));
      }
    },
  });
}

/** What people can mend, or must be told: it is shown on the form. Anything else is a fault of the service. */
export function mendable(error: unknown): Problem {
  const problem = error instanceof Problem ? error : databaseProblem(error);
  if (problem && [403, 409, 412, 415, 422].includes(problem.status)) return problem;
  throw error;
}

/** What is wrong, by its place; what has no place is said above the form. */
export function faultsToShow({ t }: View, refused: Problem | undefined): readonly Fault[] {
  if (!refused) return [];
  if (refused.errors.length > 0) return faultsIn(t, refused.errors);
  return [{ pointer: "", detail: refused.code === "stale" ? t("config.stale") : toldIn(t, refused.message) }];
}

/** Without the tag of a page, whatever stands there. */
export const expectedOf = (fields: ReadonlyMap<string, string>): Expected => {
  const tag = fields.get("tag");
  return tag === undefined ? null : [tag];
};

/** The path with what the address of this request has in the places of its parameters. */
export function filled(c: Ctx, path: string): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(c.req.param(name) ?? ""));
}

async function freshPage<J extends Values>(
  room: Room<J>,
  given: Given,
  values: Values,
  refused?: Problem,
): Promise<Response> {
  const { c, view } = given;
  const faults = faultsToShow(view, refused);
  const controls = await room.controls(given, null);
  const title = view.t(room.words.fresh);
  return adminAnswer(c, view, {
    at: room.at,
    title,
    status: (refused?.status ?? 200) as 200 | 422,
    content: html`${head(room, given, title)}
      ${faultSummary(view, controls.map(named), faults)}
      <form class="stack" method="post" action="${view.link(filled(c, room.fresh))}">
        ${csrfField(view)}${arranged(room, view, controls, values, faults)}
        <div class="row"><button>${view.t("config.create")}</button></div>
      </form>`,
  });
}

async function itemPage<J extends Values>(
  room: Room<J>,
  given: Given,
  present: J,
  values: Values,
  refused?: Problem,
): Promise<Response> {
  const { c, view } = given;
  const { t } = view;
  const faults = faultsToShow(view, refused);
  const controls = await room.controls(given, present);
  const title = room.title(view, present);
  const frozen = (await room.frozen?.(given, present)) ?? null;
  const here = view.link(filled(c, room.item));
  const tag = html`<input type="hidden" name="tag" value="${(await tagOf(present)).replaceAll('"', "")}">`;
  const inner = arranged(room, view, controls, values, faults);
  const fold = (form: Html) =>
    room.folded
      ? html`<details class="folded" ${faults.length > 0 ? html`open` : ""}><summary>${t(room.folded)}</summary>${form}</details>`
      : form;
  return adminAnswer(c, view, {
    at: room.at,
    title,
    status: (refused?.status ?? 200) as 200 | 422,
    content: html`${head(room, given, title)}
      ${faultSummary(view, controls.map(named), faults)}
      ${
        frozen === null
          ? fold(html`<form class="stack" method="post" action="${here}">${csrfField(view)}${tag}${inner}
              <div class="row"><button>${t("admin.save")}</button></div></form>`)
          : html`${note("information", html`${t("config.frozen")} ${toldHtml(view, frozen)}`)}<fieldset class="stack" disabled>${inner}</fieldset>`
      }
      ${(await room.below?.(given, present)) ?? ""}
      ${
        frozen === null
          ? html`<section class="group" aria-labelledby="delete-title"><h2 id="delete-title">${t("admin.delete.title")}</h2>
              <p>${t(room.words.remove)}</p>
              <form method="post" action="${here}/delete">${csrfField(view)}${tag}<button class="danger">${t("config.delete")}</button></form></section>`
          : ""
      }`,
  });
}

const named = ({ name, label }: Control) => ({ name, label });

const arranged = <J extends Values>(
  room: Room<J>,
  view: View,
  controls: readonly Control[],
  values: Values,
  faults: readonly Fault[],
): Html =>
  room.form?.(view, controls, values, faults) ??
  html`${controls.map((control) => controlHtml(view, control, values, faults))}`;

function head<J extends Values>(room: Room<J>, { c, view }: Given, title: string): Html {
  const list = view.link(filled(c, room.list));
  return html`<div>
    <p class="crumbs"><a href="${list}">${view.t(room.words.list)}</a></p>
    <h1 dir="auto">${title}</h1>
  </div>`;
}
