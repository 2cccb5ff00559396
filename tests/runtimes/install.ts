/** `npm run runtimes`: puts the runtimes that are not on this machine into .runtimes/, from npm; git ignores it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { ROOT } from "../support/sources.ts";
import { findRuntime, WANTED } from "./runtimes.ts";

for (const wanted of WANTED) {
  const there = findRuntime(wanted);
  if (!there) {
    const directory = `${ROOT}.runtimes/${wanted.folder}`;
    const [name] = wanted.spec.split("@") as [string];
    mkdirSync(directory, { recursive: true });
    // their install scripts put the program for this machine into its place
    writeFileSync(
      `${directory}/package.json`,
      JSON.stringify({ private: true, allowScripts: { [name]: true } }),
    );
    execFileSync("npm", ["install", "--prefix", directory, "--no-audit", "--no-fund", wanted.spec], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const found = there ?? findRuntime(wanted);
  if (!found) throw new Error(`${wanted.spec} was installed, and yet there is no ${wanted.title}`);
  console.log(`${found.name}: ${found.program}`);
}
