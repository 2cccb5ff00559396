/** OpenAPI 3.1: the description is valid, and the service answers as it describes. */
import { existsSync, readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Ask, Json } from "../runtimes/started.ts";
import type { Findings } from "./findings.ts";

export async function checkOpenApi(ask: Ask, asStaff: Ask, schemas: URL, findings: Findings): Promise<void> {
  const { json: description } = await ask("/openapi.json");
  // formats are annotations in JSON Schema 2020-12
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  const file = new URL("openapi/v3.1/schema.json", schemas);
  if (!existsSync(file)) {
    findings.notChecked("OpenAPI 3.1 meta-schema", `there is no ${file.pathname}`);
  } else {
    // ajv cannot follow this dynamic reference, which exists for other dialects; the next check covers these schemas
    const text = readFileSync(file, "utf8").replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"');
    const fits = ajv.compile(JSON.parse(text));
    findings.judged(
      "openapi.json against the OpenAPI 3.1 meta-schema",
      fits(description) ? [] : reasons(fits),
    );
  }

  const all = [...schemasIn(description, "#")];
  findings.judged(
    `${all.length} schemas against the meta-schema of JSON Schema 2020-12`,
    all.flatMap(([where, schema]) => (ajv.validateSchema(schema) ? [] : [`${where}: ${ajv.errorsText()}`])),
  );

  for (const [who, asking] of Object.entries({ visitors: ask, staff: asStaff })) {
    const { faults, asked, unasked } = await compareAnswers(asking, description, ajv);
    findings.judged(`${asked} answers to ${who} against the schemas that describe them`, faults);
    if (unasked.length > 0) {
      findings.notChecked(`answers to ${who} of ${unasked.join(", ")}`, "nothing was found to ask them for");
    }
  }
}

const reasons = ({ errors }: ValidateFunction): string[] =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);

function* schemasIn(node: Json, where: string): Generator<[string, Json]> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries<Json>(node)) {
    if (key === "example" || key === "examples") continue;
    if (key === "schema") yield [`${where}/schema`, value];
    else if (key === "schemas" && where === "#/components") {
      for (const [name, schema] of Object.entries(value)) yield [`${where}/schemas/${name}`, schema];
    } else yield* schemasIn(value, `${where}/${key}`);
  }
}

/** Calls every GET route, for the first record in its list, and checks whether the answer fits the description. */
async function compareAnswers(ask: Ask, description: Json, ajv: Ajv2020) {
  const faults: string[] = [];
  const unasked: string[] = [];
  let asked = 0;
  for (const [path, { get }] of Object.entries<Json>(description.paths)) {
    if (!get) continue;
    const address = await addressOf(ask, path);
    if (address === null) {
      unasked.push(path);
      continue;
    }
    const { status, headers, json } = await ask(address);
    asked += 1;
    const described = resolved(description, get.responses[status]);
    const type = headers.get("Content-Type")?.split(";")[0] ?? "";
    if (!described) faults.push(`GET ${address}: ${status} is not described`);
    else if (json !== undefined) {
      const schema = described.content?.[type]?.schema;
      if (!schema) faults.push(`GET ${address}: ${status} is not described as ${type}`);
      else {
        const fits = ajv.compile({ ...schema, components: description.components });
        if (!fits(json)) faults.push(...reasons(fits).map((reason) => `GET ${address}: ${status} ${reason}`));
      }
    }
  }
  return { faults, asked, unasked };
}

function resolved(description: Json, node: Json): Json {
  const path = node?.$ref?.slice(2).split("/") as string[] | undefined;
  return path ? path.reduce((at, key) => at[key], description) : node;
}

/** The path with an existing value in each place; null when there is none, or none is visible. */
async function addressOf(ask: Ask, path: string): Promise<string | null> {
  const [before, name, after] = path.split(/\{(\w+)\}(.*)/s);
  if (name === undefined) return path;
  const { json } = await ask(before!.replace(/\/$/, ""));
  const [first] = Array.isArray(json?.items) ? json.items : [];
  const known = first?.[name] ?? first?.id ?? first?.name ?? first?.record_type;
  return known === undefined ? null : addressOf(ask, `${before}${known}${after}`);
}
