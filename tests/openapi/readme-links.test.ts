/** Links between pages of the documentation lead to files and headings that exist. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { WORKERD_PACKAGE } from "../runtimes/runtimes.ts";
import { filesUnder, ROOT } from "../support/sources.ts";

const pages = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...filesUnder("docs").filter((path) => path.endsWith(".md")),
];
const textOf = (page: string) => readFileSync(`${ROOT}${page}`, "utf8").replace(/^```[\s\S]*?^```$/gm, "");

/** The anchor that GitHub gives a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchor(heading!));

/** The broken links of a page. */
function broken(page: string): string[] {
  return [...textOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
    ([link, path, heading]) => {
      const to = path ? normalize(join(dirname(page), path)) : page;
      if (!existsSync(`${ROOT}${to}`)) return [`${page}: ${link} leads nowhere`];
      return heading && !anchorsOf(to).includes(heading) ? [`${page}: ${to} has no heading #${heading}`] : [];
    },
  );
}

test("every link in the documentation leads to an existing file or heading", () => {
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.flatMap(broken)).toEqual([]);
});

test("the page on Workers runs the workerd that was tested", () => {
  expect(readFileSync(`${ROOT}docs/edge.md`, "utf8")).toContain(`npx ${WORKERD_PACKAGE} serve`);
});
