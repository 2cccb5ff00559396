/**
 * IIIF Presentation API 3.0: checks every manifest and collection of the demo museum with the community's JSON
 * Schema.
 */
import { existsSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import type { Ask, Json } from "../runtimes/started.ts";
import type { Findings } from "./findings.ts";

export async function checkIiif(ask: Ask, schemas: URL, findings: Findings): Promise<void> {
  const file = new URL("iiif/schema/iiif_3_0.json", schemas);
  if (!existsSync(file)) return findings.notChecked("IIIF Presentation 3.0", `there is no ${file.pathname}`);
  const fits = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
    JSON.parse(readFileSync(file, "utf8")),
  );
  const faultsOf = ({ id }: Json, json: Json): string[] =>
    fits(json)
      ? []
      : (fits.errors ?? []).map(({ instancePath, message }) => `${id} ${instancePath} ${message}`);

  const manifests: string[] = [];
  for await (const { id } of everyObject(ask)) {
    const { status, json } = await ask(`/v1/objects/${id}/iiif/manifest`);
    if (status === 200) manifests.push(...["", ...faultsOf(json, json)]);
  }
  const shown = manifests.filter((fault) => fault === "").length;
  findings.judged(`${shown} manifests against the schema of IIIF`, manifests.filter(Boolean));

  const faults: string[] = [];
  let collections = 0;
  const waiting = ["/iiif/presentation/3/collections"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { json } = await ask(path);
    collections++;
    faults.push(...faultsOf(json, json));
    const below = json.items.filter(({ type }: Json) => type === "Collection");
    waiting.push(...below.map(({ id }: Json) => new URL(id).pathname));
  }
  findings.judged(`${collections} collections against the schema of IIIF`, faults);
}

async function* everyObject(ask: Ask): AsyncGenerator<Json> {
  for (let page = 1; ; page++) {
    const { json } = await ask(`/v1/objects?page_size=200&page=${page}`);
    yield* json.items;
    if (json.items.length < 200) return;
  }
}
