/** Reads serialisations of a graph with third-party parsers, and answers sorted lines of N-Triples for comparison. */
import { execFileSync } from "node:child_process";
import jsonld from "jsonld";
import { Writer } from "n3";
import { parsed } from "./ontology.ts";

/** From Debian's raptor2-utils. */
export const isRapperThere: boolean = (() => {
  try {
    execFileSync("rapper", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

export const RAPPER_MISSING = "rapper as a second parser of Turtle (Debian: raptor2-utils)";

/** Written by n3, so that escapes are the same. */
function sortedLines(text: string): string[] {
  let lines = "";
  const writer = new Writer({ format: "N-Triples" });
  writer.addQuads(parsed(text, "N-Quads"));
  writer.end((_error: unknown, result: string) => {
    lines = result;
  });
  return lines.trim().split("\n").sort();
}

export const ofTurtle = (turtle: string): string[] => {
  let lines = "";
  const writer = new Writer({ format: "N-Triples" });
  writer.addQuads(parsed(turtle));
  writer.end((_error: unknown, result: string) => {
    lines = result;
  });
  return lines.trim().split("\n").sort();
};

export function ofTurtleByRapper(turtle: string): string[] {
  const found = execFileSync(
    "rapper",
    ["-q", "-i", "turtle", "-o", "ntriples", "-", "http://nothing.example/"],
    {
      input: turtle,
      maxBuffer: 256 * 1024 * 1024,
      encoding: "utf8",
    },
  );
  return [...new Set(sortedLines(found))];
}

/** `contexts`: by address; nothing is downloaded. */
export async function ofJsonLd(
  document: object,
  contexts: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const quads = (await jsonld.toRDF(
    document as never,
    {
      format: "application/n-quads",
      documentLoader: (url: string) => {
        if (!contexts[url]) throw new Error(`asks for ${url}`);
        return Promise.resolve({ documentUrl: url, document: contexts[url], contextUrl: undefined });
      },
    } as never,
  )) as unknown as string;
  return sortedLines(quads);
}
