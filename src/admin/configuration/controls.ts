/**
 * Forms of the configuration: each control is for one member of an API resource (`label`, `mapping/dc`). A sent form becomes a
 * JSON Merge Patch (RFC 7396), which is checked against the same shape as a request to the API.
 */
import { html } from "hono/html";
import { withSemicolons } from "../../messages/semicolons.ts";
import { languages } from "../../messages/translate.ts";
import { type FieldParts, faultsOf, field, type Option } from "../../pages/forms.ts";
import type { Html, View } from "../../pages/view.ts";
import type { FaultJson } from "../../problem.ts";

export type Values = Readonly<Record<string, unknown>>;

type Common = { name: string; label: string; help?: string; required?: boolean };
export type Control = Common &
  (
    | {
        as: "text";
        type?: FieldParts["type"];
        rows?: number;
        empty?: "";
        autocomplete?: string;
        terms?: string;
      }
    | { as: "number" }
    | { as: "tick" }
    /** One of these; an empty option means none. */
    | { as: "choice"; options: readonly Option[] }
    /** Any of these. */
    | { as: "ticks"; options: readonly Option[] }
    /** Several terms of a vocabulary, in order. */
    | { as: "terms"; terms: string }
    /** Several of these, in order. */
    | { as: "order"; options: readonly Option[] }
    /** A text for each language; if `several`, one or more texts, each on its own line. */
    | { as: "texts"; rows?: number; several?: true }
  );

/** The name of a new thing, which never changes. */
export const nameControl = ({ t }: View): Control => ({
  as: "text",
  name: "name",
  label: t("config.name"),
  help: t("config.nameHelp"),
  required: true,
  empty: "",
});

export const labelControl = ({ t }: View): Control => ({
  as: "texts",
  name: "label",
  label: t("config.label"),
  required: true,
});

export const orderControl = ({ t }: View): Control => ({
  as: "number",
  name: "sort_order",
  label: t("config.order"),
  help: t("config.orderHelp"),
});

/** An empty control becomes null, which removes the member. `current`: the values now. */
export function patchOf(
  controls: readonly Control[],
  fields: ReadonlyMap<string, string>,
  current: Values,
): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const control of controls) {
    const steps = control.name.split("/");
    const last = steps.pop()!;
    let place = patch;
    for (const step of steps) {
      place[step] ??= {};
      place = place[step] as Record<string, unknown>;
    }
    place[last] = sent(control, fields, valueAt(current, control.name));
  }
  return patch;
}

function sent(control: Control, fields: ReadonlyMap<string, string>, current: unknown): unknown {
  const { name } = control;
  const value = fields.get(name)?.replaceAll("\r\n", "\n");
  switch (control.as) {
    case "tick":
      return value === "yes";
    case "ticks":
      return control.options.map((option) => option.value).filter((each) => fields.has(`${name}/${each}`));
    case "number":
      // the shape refuses what is not a number
      return value === undefined ? null : Number.isFinite(Number(value)) ? Number(value) : value;
    case "terms":
    case "order":
      return placesOf(current).flatMap((place) => fields.get(`${name}/${place}`) ?? []);
    case "texts": {
      const said = (field: string) => {
        const text = fields.get(field)?.replaceAll("\r\n", "\n");
        if (text === undefined || !control.several) return text ?? null;
        return text.split("\n").filter((line) => line.trim() !== "");
      };
      const texts = languagesOf(current).map((tag) => [tag, said(`${name}/${tag}`)]);
      const another = said(`${name}/+/text`);
      if (another !== null) texts.push([fields.get(`${name}/+/lang`) ?? "", another]);
      return texts.every(([, text]) => text === null) ? null : Object.fromEntries(texts);
    }
    case "text":
      return value ?? control.empty ?? null;
    default:
      return value ?? null;
  }
}

/** The existing places, and some more. */
const placesOf = (chosen: unknown): number[] => [...Array(((chosen ?? []) as unknown[]).length + 3).keys()];

/** The languages of the pages, and those that already have a text. */
function languagesOf(texts: unknown): string[] {
  return [...new Set([...languages(), ...Object.keys((texts ?? {}) as object)])];
}

/** The member at the path in the name. */
export function valueAt(values: Values, name: string): unknown {
  return name
    .split("/")
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined | null)?.[step], values);
}

export function controlHtml(
  view: View,
  control: Control,
  values: Values,
  faults: readonly FaultJson[],
): Html {
  const value = valueAt(values, control.name);
  const { name, label } = control;
  const text = value === undefined || value === null ? "" : String(value);
  switch (control.as) {
    case "tick":
      return tick(view, control, value === true, faults);
    case "ticks":
      return html`<fieldset class="field" id="${name}"><legend>${label}</legend>${help(control)}
        <div class="several">${control.options.map((option) => oneOf(name, option, value))}</div>${told(view, name, faults)}</fieldset>`;
    case "terms":
    case "order": {
      const choice =
        control.as === "terms"
          ? { terms: control.terms }
          : { options: [{ value: "", label: view.t("admin.notSet") }, ...control.options] };
      return html`<fieldset class="field" id="${name}"><legend>${label}</legend>${help(control)}
        <div class="several">${placesOf(value).map((place) =>
          field(
            view,
            {
              ...{ name: `${name}/${place}`, label: `${label} ${place + 1}`, ...choice },
              value: (value as string[])?.[place] ?? "",
            },
            faults,
          ),
        )}</div>${told(view, name, faults)}</fieldset>`;
    }
    case "texts":
      return texts(view, control, (value ?? {}) as Record<string, string | string[]>, faults);
    case "number":
      return field(view, { ...control, type: "number", value: text }, faults);
    case "choice":
    case "text":
      return field(view, { ...control, value: text }, faults);
  }
}

/** One of several checkboxes. */
export function oneOf(name: string, option: Option, chosen: unknown): Html {
  const isOn = Array.isArray(chosen) && chosen.includes(option.value);
  return html`<label class="tick"><input type="checkbox" name="${name}/${option.value}" value="yes" ${isOn ? html`checked` : ""}> ${option.label}</label>`;
}

function tick(view: View, control: Control, isOn: boolean, faults: readonly FaultJson[]): Html {
  const { name, label } = control;
  return html`<div class="field"><label class="tick"><input type="checkbox" id="${name}" name="${name}" value="yes" ${isOn ? html`checked` : ""}
    ${control.help ? html`aria-describedby="${name}-help"` : ""}> ${label}</label>${help(control)}${told(view, name, faults)}</div>`;
}

function texts(
  view: View,
  control: Control & { as: "texts" },
  value: Readonly<Record<string, string | string[]>>,
  faults: readonly FaultJson[],
): Html {
  const { t } = view;
  const { name, label, required } = control;
  const names = new Intl.DisplayNames(t.language, { type: "language", fallback: "code" });
  const line = (id: string, tag: string | undefined, text: string) => {
    const shared = html`id="${id}" name="${id}" dir="auto" ${tag ? html`lang="${tag}"` : ""} aria-label="${label}, ${tag ? nameOf(names, tag) : t("config.anotherLanguage")}"`;
    return control.rows
      ? html`<textarea ${shared} rows="${control.rows}">${text}</textarea>`
      : html`<input ${shared} value="${text}">`;
  };
  return html`<fieldset class="field texts" id="${name}">
    <legend>${label}${required ? html` <small>(${t("form.required")})</small>` : ""}</legend>${help(control)}
    ${[...new Set([t.language, ...languagesOf(value)])].map(
      (tag) =>
        html`<div class="text"><span aria-hidden="true">${nameOf(names, tag)}</span>${line(`${name}/${tag}`, tag, [value[tag] ?? ""].flat().join("\n"))}</div>`,
    )}
    <details><summary>${t("config.anotherLanguage")}</summary><div class="text">
      <input name="${name}/+/lang" maxlength="35" aria-label="${t("admin.language")}" placeholder="da, pt-BR" autocapitalize="none" spellcheck="false">
      ${line(`${name}/+/text`, undefined, "")}</div></details>
    ${told(view, name, faults)}
  </fieldset>`;
}

/** The tag itself if it is not a language tag. */
function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const help = ({ name, help }: Common): Html =>
  help ? html`<p class="help" id="${name}-help">${help}</p>` : html``;

function told({ t }: View, name: string, faults: readonly FaultJson[]): Html {
  const own = faultsOf(name, faults);
  return own.length === 0
    ? html``
    : html`<p class="fault" id="${name}-faults">${withSemicolons(
        t,
        own.map(({ detail }) => detail),
      )}</p>`;
}
