/**
 * Forms: each field has its label above and its faults below. All faults are also listed above the form, with links to the
 * fields. Faults come from the API (RFC 9457 `errors`); each JSON Pointer names a field.
 */
import { html } from "hono/html";
import { withSemicolons } from "../messages/semicolons.ts";
import { type FaultJson, jsonPointer } from "../problem.ts";
import { note } from "./parts.ts";
import type { Html, View } from "./view.ts";

/** The field for the token that other sites do not know (`accounts/page-session.ts`). */
export const CSRF_FIELD = "_csrf";

/** For every form of a signed-in reader. */
export function csrfField({ csrf }: View): Html {
  return csrf === null ? html`` : html`<input type="hidden" name="${CSRF_FIELD}" value="${csrf}">`;
}

/** `?_csrf=…`. A form with a file is read as it arrives, so its token must come before it: in the address. */
export const csrfQuery = ({ csrf }: View): string => `?${new URLSearchParams({ [CSRF_FIELD]: csrf ?? "" })}`;

export const option = (value: string, label: string, chosen?: string): Html =>
  html`<option value="${value}" ${value === chosen ? html`selected` : ""}>${label}</option>`;

export type Option = { value: string; label: string };

export const optionList = (options: readonly Option[], chosen?: string): Html =>
  html`${options.map(({ value, label }) => option(value, label, chosen))}`;

export type FieldParts = {
  /** Also its id, and the key of its value in the sent form: `email`, or `label/en` for a nested value. */
  name: string;
  label: string;
  type?: "text" | "email" | "password" | "search" | "date" | "number";
  value?: string;
  /** A sentence below the label. */
  help?: string;
  required?: boolean;
  autocomplete?: string;
  /** Makes it a text area with this many lines. */
  rows?: number;
  /** The vocabulary whose terms are offered while somebody types (`admin.js`). */
  terms?: string;
  /** Makes it a select. */
  options?: readonly Option[];
};

export function field({ t }: View, parts: FieldParts, faults: readonly FaultJson[] = []): Html {
  const { name, value = "" } = parts;
  const own = faultsOf(name, faults);
  const described = [parts.help && `${name}-help`, own.length > 0 && `${name}-faults`]
    .filter(Boolean)
    .join(" ");
  const shared = html`id="${name}" name="${name}" ${parts.required ? html`required` : ""} ${
    described === "" ? "" : html`aria-describedby="${described}"`
  } ${own.length === 0 ? "" : html`aria-invalid="true"`} ${
    parts.terms
      ? html`data-terms="${parts.terms}" autocomplete="off"`
      : parts.autocomplete
        ? html`autocomplete="${parts.autocomplete}"`
        : ""
  }`;
  return html`<div class="field">
    <label for="${name}">${parts.label}${parts.required ? html` <small>(${t("form.required")})</small>` : ""}</label>
    ${parts.help ? html`<p class="help" id="${name}-help">${parts.help}</p>` : ""}
    ${
      parts.options
        ? html`<select ${shared}>${optionList(parts.options, value)}</select>`
        : parts.rows
          ? html`<textarea ${shared} rows="${parts.rows}">${value}</textarea>`
          : html`<input ${shared} type="${parts.type ?? "text"}" ${parts.type === "password" ? "" : html`value="${value}"`}>`
    }
    ${
      own.length === 0
        ? ""
        : html`<p class="fault" id="${name}-faults">${withSemicolons(
            t,
            own.map(({ detail }) => detail),
          )}</p>`
    }
  </div>`;
}

/** The list above the form; empty if there are no faults. */
export function faultSummary(
  view: View,
  fields: readonly Pick<FieldParts, "name" | "label">[],
  faults: readonly FaultJson[],
  heading?: string,
): Html {
  // this fault concerns the whole form, not one entry
  const [only] = faults;
  if (!heading && faults.length === 1 && only?.pointer === "") return note("error", only.detail, "alert");
  const items = faults.map((fault) => {
    const field = fields.find(({ name }) => faultsOf(name, [fault]).length > 0);
    return field
      ? html`<a href="#${field.name}">${field.label}</a>${view.t("form.colon")} ${fault.detail}`
      : fault.detail;
  });
  return faultNote(view, items, heading);
}

/** @param items one for each fault; @param heading by default, the number of entries to correct */
export function faultNote(
  { t }: View,
  items: readonly (Html | string)[],
  heading = t("form.faults", { count: items.length }),
): Html {
  if (items.length === 0) return html``;
  const list = items.map((item) => html`<li>${item}</li>`);
  return note("error", html`<h2>${heading}</h2><ul>${list}</ul>`, "alert");
}

/** The faults of the field and of nested values. */
export function faultsOf(name: string, faults: readonly FaultJson[]): FaultJson[] {
  const pointer = jsonPointer(...name.split("/"));
  return faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
}
