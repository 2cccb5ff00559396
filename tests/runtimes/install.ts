/**
 * `npm run runtimes`: puts the runtimes that are not on this machine into .runtimes/, from npm, and a viewer of IIIF; git
 * ignores it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ROOT } from "../support/sources.ts";
import { findRuntime, MIRADOR, MIRADOR_PACKAGE, WANTED } from "./runtimes.ts";

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

if (!existsSync(MIRADOR)) {
  const directory = dirname(dirname(dirname(MIRADOR)));
  mkdirSync(directory, { recursive: true });
  const packed = execFileSync("npm", ["pack", MIRADOR_PACKAGE, "--silent"], {
    cwd: directory,
    encoding: "utf8",
  });
  const file = `${directory}/${packed.trim()}`;
  execFileSync("tar", ["-xzf", file, "-C", directory, "package/dist/mirador.min.js"]);
  rmSync(file);
}
console.log(`Mirador: ${MIRADOR}`);
