/** Follows docs/extending.md in a copy of the project: creates the new files and applies the changes. */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "../sources.ts";

const COPIED = ["cli", "docs", "sql", "src", "tests", "workers"];
const FILES = [
  ...["package.json", "tsconfig.json", "tsconfig.core.json", "vitest.config.ts", "biome.json", "deno.json"],
  ...[".gitignore", "bunfig.toml", "SECURITY.md", "README.md", "CHANGELOG.md"],
];

/** Copies the project without its packages, which it links. */
export async function copyProject(to: string): Promise<void> {
  for (const name of [...COPIED, ...FILES]) await cp(join(ROOT, name), join(to, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(to, "node_modules"));
}

type Step = { path: string; language: string; text: string };

/** The steps of the page in order, of one recipe or of all. */
export async function stepsOf(heading?: string): Promise<Step[]> {
  const page = await readFile(join(ROOT, "docs/extending.md"), "utf8");
  const recipes = page.split(/^(?=## )/m).filter((part) => part.startsWith(`## ${heading ?? ""}`));
  return recipes.flatMap((recipe) =>
    [...recipe.matchAll(/^```(ts|diff|sql|css)\n(?:\/\/|--|\/\*) (\S+)(?: \*\/)?\n([\s\S]*?)^```$/gm)].map(
      ([, language, path, text]) => ({ path: path!, language: language!, text: text! }),
    ),
  );
}

/** Carries out these steps in this copy. */
export async function follow(copy: string, steps: readonly Step[]): Promise<void> {
  for (const { path, language, text } of steps) {
    const number = await nextNumber(copy, path);
    const file = join(copy, path.replace("NNNN", number));
    if (language === "diff") {
      await writeFile(file, changed(await readFile(file, "utf8"), text.replaceAll("NNNN", number), path));
    } else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}

/** A new SQL file gets the next free number; the list ends with it. */
async function nextNumber(copy: string, path: string): Promise<string> {
  const files = (await readdir(join(copy, "sql"))).length;
  return String(path.startsWith("sql/") ? files + 1 : files).padStart(4, "0");
}

/** Puts lines marked `+` after the line before them or, if there is none, before the line after them. */
function changed(text: string, diff: string, path: string): string {
  const lines = diff.trimEnd().split("\n");
  let now = text;
  for (let at = 0, end = 0; at < lines.length; at = end + 1) {
    for (end = at; lines[end]?.startsWith("+"); ) end++;
    if (end === at) continue;
    const added = lines.slice(at, end).map((line) => line.slice(1));
    const before = lines[at - 1]?.slice(1);
    const anchor = before ?? lines[end]?.slice(1);
    if (anchor === undefined || now.split(anchor).length !== 2)
      throw new Error(`${path} does not have exactly one ${anchor}`);
    const both = before === undefined ? [...added, anchor] : [anchor, ...added];
    now = now.replace(anchor, () => both.join("\n"));
  }
  return now;
}
