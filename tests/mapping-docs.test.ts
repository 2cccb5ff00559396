/** docs/mapping.md says what a mapping may hold. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { COLUMN_TARGETS } from "../src/imports/targets.ts";
import { transformForm } from "../src/imports/transforms.ts";

test("the reference of mappings has every target, and every transform with its keys", async () => {
  const text = await readFile(new URL("../docs/mapping.md", import.meta.url), "utf8");
  for (const name of COLUMN_TARGETS) expect(text).toContain(`\`__${name}__\``);
  const documented: string[] = [];
  let type = "";
  for (const [, first, key] of text.split("## Transforms")[1]!.matchAll(/^\| (`\w+`)? ?\| (`\w+`)? ?\|/gm)) {
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
