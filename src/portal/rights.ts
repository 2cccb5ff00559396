/**
 * Rights statements and licences, by their address: what they are called, how open they are, and whether pictures under
 * them are offered to be taken away (https://creativecommons.org, https://rightsstatements.org).
 */
import { html } from "hono/html";
import type { Language } from "../messages/translate.ts";
import { labelText, named, type Text } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { fieldsOf, type Schema } from "../records/schema.ts";
import type { Sql } from "../services.ts";
import { labelsOfTerms } from "../vocabularies/term-store.ts";
import { isAddress, shortened } from "./addresses.ts";

/** By address, as the catalogue has it. */
export type RightsNames = ReadonlyMap<string, Text>;

const CREATIVE_COMMONS = /^https?:\/\/creativecommons\.org\/(licenses|publicdomain)\/([a-z-]+)\/(\d\.\d)/;
const RIGHTS_STATEMENTS = /^https?:\/\/rightsstatements\.org\/(?:vocab|page)\/([A-Za-z-]+)\/(\d\.\d)/;

/** Statements that permit a download: nobody's copyright, or a use that every visitor may make. */
const PERMITTING = ["NoC-US", "NoC-NC", "NKC", "InC-EDU", "InC-NC"];

export type Openness = "free" | "licensed" | "protected" | "unclear";

export function opennessOf(address: string): Openness {
  const [, kind] = CREATIVE_COMMONS.exec(address) ?? [];
  if (kind !== undefined) return kind === "publicdomain" ? "free" : "licensed";
  const [, code = ""] = RIGHTS_STATEMENTS.exec(address) ?? [];
  if (code.startsWith("NoC") || code === "NKC") return "free";
  return code.startsWith("InC") ? "protected" : "unclear";
}

/** Whether pictures under this may be taken away; what nobody has said anything about may not. */
export function mayBeTaken(address: string | undefined): boolean {
  if (address === undefined) return false;
  return CREATIVE_COMMONS.test(address) || PERMITTING.includes(RIGHTS_STATEMENTS.exec(address)?.[1] ?? "");
}

/** The words of the installation's own vocabulary, else those that the address itself holds. */
export async function namesOfRights(
  sql: Sql,
  schema: Schema,
  language: Language,
  addresses: readonly string[],
): Promise<RightsNames> {
  const vocabulary = fieldsOf(schema, "object").get("rights")?.vocabulary ?? null;
  const asked = [...new Set(addresses)].filter(isAddress);
  const known =
    vocabulary === null || asked.length === 0
      ? new Map()
      : await labelsOfTerms(
          sql,
          asked.map((address) => ({ vocabulary, value: usual(address) })),
        );
  return new Map(
    asked.map((address) => {
      const labels = known.get(JSON.stringify([vocabulary, usual(address)]));
      return [address, labelText(labels ?? {}, language, nameIn(address))];
    }),
  );
}

/** As both sites write their own addresses, whatever page of them was copied. */
function usual(address: string): string {
  const [, kind, code, version] = CREATIVE_COMMONS.exec(address) ?? [];
  if (kind !== undefined) return `http://creativecommons.org/${kind}/${code}/${version}/`;
  const [, statement, edition] = RIGHTS_STATEMENTS.exec(address) ?? [];
  return statement === undefined ? address : `http://rightsstatements.org/vocab/${statement}/${edition}/`;
}

/** What the address itself tells. */
function nameIn(address: string): string {
  const [, kind, code, version] = CREATIVE_COMMONS.exec(address) ?? [];
  if (kind === "licenses") return `CC ${code!.toUpperCase()} ${version}`;
  if (kind === "publicdomain") return code === "zero" ? `CC0 ${version}` : `Public Domain Mark ${version}`;
  return RIGHTS_STATEMENTS.exec(address)?.[1] ?? shortened(address);
}

const SIGNS: Readonly<Record<Openness, string>> = { free: "C", licensed: "cc", protected: "C", unclear: "?" };

/** The statement with its sign, as a link to its text. */
export function rightsBadge(view: View, address: string, names: RightsNames): Html {
  const openness = opennessOf(address);
  return html`<a class="rights ${openness}" href="${address}" rel="license noopener"><span class="sign" aria-hidden="true">${SIGNS[openness]}</span>
    <span>${named(view, names.get(address) ?? { value: address })}<small>${view.t(`rights.${openness}`)}</small></span></a>`;
}
