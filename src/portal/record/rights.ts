/**
 * Rights statements and licences by address: their names, how open they are, and whether their pictures can be downloaded
 * (https://creativecommons.org, https://rightsstatements.org).
 */
import { html } from "hono/html";
import type { Language } from "../../messages/translate.ts";
import { labelText, named, type Text } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { labelsOfTerms, termKey } from "../../records/public/terms.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { fold } from "../../text.ts";
import { nameOfRights, rightsIn, rightsUri } from "../../vocabularies/rights.ts";
import { isAddress, shortened } from "../addresses.ts";

/** By address: the official one if there is one. */
export type RightsNames = ReadonlyMap<string, Text>;

/** Statements that permit a download: no copyright, or a use that is open to every visitor. */
const PERMITTING = ["NoC-US", "NoC-NC", "NKC", "InC-EDU", "InC-NC"];

export type Openness = "free" | "licensed" | "protected" | "unclear";

export function opennessOf(address: string): Openness {
  const { kind, code = "" } = rightsIn(address) ?? {};
  if (kind === "licence") return "licensed";
  if (kind === "public_domain" || code.startsWith("NoC") || code === "NKC") return "free";
  return code.startsWith("InC") ? "protected" : "unclear";
}

/** Whether pictures with these rights can be downloaded. Pictures without known rights cannot. */
export function mayDownload(address: string | undefined): boolean {
  const rights = rightsIn(address ?? "");
  return rights !== null && (rights.kind !== "statement" || PERMITTING.includes(rights.code));
}

/** Names from the vocabulary of the installation, else made from the address. */
export async function namesOfRights(
  sql: Sql,
  schema: Schema,
  language: Language,
  values: readonly string[],
): Promise<RightsNames> {
  const vocabulary = fieldsOf(schema, "object").get("rights")?.vocabulary ?? null;
  const asked = [...new Set(values.flatMap((value) => rightsAddress(value) ?? []))];
  const known = await labelsOfTerms(
    sql,
    vocabulary === null ? [] : asked.map((value) => ({ vocabulary, value })),
  );
  return new Map(
    asked.map((address) => {
      const labels = known.get(termKey(vocabulary, address));
      return [address, labelText(labels ?? {}, language, nameIn(address))];
    }),
  );
}

/** The official address of a licence or statement in any spelling, or any other address; null for other texts. */
export const rightsAddress = (value: string): string | null =>
  rightsUri(value) ?? (isAddress(value) ? value : null);

/** The name of the rights that the address stands for; of an unknown address, the address without its scheme. */
export function nameIn(address: string): string {
  const rights = rightsIn(address);
  return rights === null ? shortened(address) : nameOfRights(rights);
}

const SIGNS: Readonly<Record<Openness, string>> = { free: "C", licensed: "cc", protected: "C", unclear: "?" };

/** The name of the statement with its sign, as a link to its text. `only`: it is about a photograph or a file, not about the work in it. */
export function rightsBadge(
  view: View,
  address: string,
  names: RightsNames,
  only: "photograph" | "file" | null = null,
): Html {
  const openness = opennessOf(address);
  const name = names.get(address) ?? { value: address };
  const meaning = view.t(`rights.${only ?? openness}`);
  // limited rights must not look free
  const [look, sign] = only ? ["protected", SIGNS.licensed] : [openness, SIGNS[openness]];
  return html`<a class="rights ${look}" href="${address}" rel="license noopener"><span class="sign" aria-hidden="true">${sign}</span>
    <span>${named(view, name)}${fold(name.value) === fold(meaning) ? "" : html`<small>${meaning}</small>`}</span></a>`;
}
