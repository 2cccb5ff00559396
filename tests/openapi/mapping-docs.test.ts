/** docs/imports.md lists everything that a mapping may contain, and its examples are true. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseMapping } from "../../src/imports/mapping/mapping.ts";
import type { RowContext } from "../../src/imports/mapping/step.ts";
import { COLUMN_TARGETS } from "../../src/imports/mapping/targets.ts";
import { compileTransform, transformForm } from "../../src/imports/mapping/transforms.ts";
import type { Said } from "../../src/messages/said.ts";

const page = await readFile(new URL("../../docs/imports.md", import.meta.url), "utf8");
const transforms = page.split("## Transforms")[1]!.split("\n## ")[0]!;

test("docs/imports.md lists every target, and every transform with its keys", () => {
  for (const name of COLUMN_TARGETS) expect(page).toContain(`\`__${name}__\``);
  const documented: string[] = [];
  let type = "";
  for (const [, first, key] of transforms.matchAll(/^\| (`\w+`)? ?\| (`\w+`)? ?\|/gm)) {
    if (first) type = first;
    documented.push(`${type} ${key ?? ""}`);
  }
  const known = transformForm.options.flatMap(({ shape }) => {
    const { type: own, ...keys } = shape;
    const name = `\`${own.value}\``;
    return [`${name} `, ...Object.keys(keys).map((key) => `${name} \`${key}\``)];
  });
  expect(documented.sort()).toEqual(known.sort());
});

test("the mappings in docs/imports.md are valid", () => {
  const mappings = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json]) => JSON.parse(json!));
  expect(mappings.length).toBeGreaterThan(3);
  for (const mapping of mappings) expect(() => parseMapping(mapping, "object")).not.toThrow();
});

const examples = [...transforms.matchAll(/^\| `(\{ "type".*\})` \| (.+) \| (.+) \|$/gm)];

test.each(examples.map(([, form, cell, values]) => [form!, cell!, values!]))(
  "the example %s turns %s into %s",
  (form, cell, values) => {
    const texts = (words: string) => [...words.matchAll(/`([^`]*)`/g)].map(([, text]) => text!);
    const [own = "", other = ""] = texts(cell);
    const faults: Said[] = [];
    const row: RowContext = {
      read: () => other,
      spend: () => undefined,
      fault: (detail) => void faults.push(detail),
      unread: () => undefined,
      dated: () => undefined,
      doubted: () => undefined,
      undated: () => undefined,
      unmatched: () => undefined,
    };
    const made = compileTransform(transformForm.parse(JSON.parse(form))).step([own], row);
    if (values.includes("refused")) expect(faults).toHaveLength(1);
    else expect(made).toEqual(texts(values));
  },
);
