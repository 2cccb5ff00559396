/**
 * `npm run runtimes`: installs missing runtimes from npm into .runtimes/, also that of Workers, linters for the API
 * description, a client generator, and a IIIF viewer; then servers and tools from PyPI and Maven, if Python, Maven and Java
 * are there. Git ignores the directory.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findPackage, installPackage, PACKAGES } from "../servers/packages.ts";
import { ROOT } from "../support/sources.ts";
import {
  CLIENT,
  CLIENT_PACKAGES,
  findRuntime,
  findWorkerd,
  LINTER_PACKAGES,
  LINTERS,
  MIRADOR,
  MIRADOR_PACKAGE,
  WANTED,
  WORKERD_PACKAGE,
} from "./runtimes.ts";

function install(folder: string, ...specs: string[]): void {
  const directory = `${ROOT}.runtimes/${folder}`;
  const names = specs.map((spec) => spec.replace(/(?<=.)@.*/, ""));
  mkdirSync(directory, { recursive: true });
  // their install scripts put the program for this machine in place
  writeFileSync(
    `${directory}/package.json`,
    JSON.stringify({ private: true, allowScripts: Object.fromEntries(names.map((name) => [name, true])) }),
  );
  execFileSync("npm", ["install", "--prefix", directory, "--no-audit", "--no-fund", ...specs], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

for (const wanted of WANTED) {
  const there = findRuntime(wanted);
  if (!there) install(wanted.folder, wanted.spec);
  const found = there ?? findRuntime(wanted);
  if (!found) throw new Error(`${wanted.spec} was installed, and yet there is no ${wanted.title}`);
  console.log(`${found.name}: ${found.program}`);
}

if (findWorkerd() === null) install("workerd", WORKERD_PACKAGE);
console.log(`workerd: ${findWorkerd()}`);

if (!existsSync(LINTERS)) install("linters", ...LINTER_PACKAGES);
console.log(`Redocly, Spectral: ${LINTERS}`);

if (!existsSync(CLIENT)) install("client", ...CLIENT_PACKAGES);
console.log(`openapi-typescript: ${CLIENT}`);

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

for (const wanted of PACKAGES) {
  try {
    if (findPackage(wanted) === null) installPackage(wanted);
    console.log(`${wanted.title}: ${findPackage(wanted)}`);
  } catch (error) {
    console.log(
      `${wanted.title} cannot be installed here: ${(error as Error).message.trim().split("\n").at(-1)}`,
    );
  }
}
