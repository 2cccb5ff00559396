/** Requests to /oai in tests, whose answers are parsed and validated against the schemas. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Ask } from "./museum/museum.ts";
import { ROOT } from "./sources.ts";

export const SCHEMA = `${ROOT}tests/fixtures/oai/all.xsd`;

export type Header = { id: string; datestamp: string; deleted: boolean; sets: string[] };

export class Harvester {
  readonly #ask: Ask;
  /** Every answer, with its query. */
  readonly answers: { query: string; text: string }[] = [];

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** @param query without the question mark */
  async text(query: string): Promise<string> {
    const answer = await this.#ask(`/oai?${query}`);
    const text = await answer.text();
    expect(answer.status, text.slice(0, 300)).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/xml; charset=utf-8");
    this.answers.push({ query, text });
    return text;
  }

  /** The code of the error; empty when there is none. */
  async fault(query: string): Promise<string> {
    return /<error code="(\w+)">/.exec(await this.text(query))?.[1] ?? "";
  }

  /** Every page of a list. */
  async pages(verb: "ListRecords" | "ListIdentifiers" | "ListSets", query: string): Promise<string[]> {
    const pages = [await this.text(`verb=${verb}&${query}`)];
    for (let token = tokenOf(pages[0]!); token; token = tokenOf(pages.at(-1)!))
      pages.push(await this.text(`verb=${verb}&resumptionToken=${token}`));
    return pages;
  }

  async headers(
    query: string,
    verb: "ListRecords" | "ListIdentifiers" = "ListIdentifiers",
  ): Promise<Header[]> {
    return (await this.pages(verb, query)).flatMap(headersIn);
  }
}

export const tokenOf = (text: string): string | undefined =>
  /<resumptionToken[^>]*>([^<]+)<\/resumptionToken>/.exec(text)?.[1];

export function headersIn(text: string): Header[] {
  return [...text.matchAll(/<header( status="deleted")?>(.*?)<\/header>/gs)].map(([, deleted, content]) => ({
    id: /<identifier>(.*?)<\/identifier>/.exec(content!)![1]!.split(":").at(-1)!,
    datestamp: /<datestamp>(.*?)<\/datestamp>/.exec(content!)![1]!,
    deleted: deleted !== undefined,
    sets: [...content!.matchAll(/<setSpec>(.*?)<\/setSpec>/g)].map(([, set]) => set!),
  }));
}

/** The complaints of xmllint about these documents; empty when they are valid. */
export async function invalid(documents: readonly string[], schema = SCHEMA): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "svc-oai-"));
  try {
    const names = documents.map((_, index) => join(folder, `${index}.xml`));
    await Promise.all(names.map((name, index) => writeFile(name, documents[index]!)));
    await promisify(execFile)("xmllint", ["--nonet", "--noout", "--huge", "--schema", schema, ...names]);
    return "";
  } catch (error) {
    const { stderr } = error as { stderr: string };
    return stderr
      .split("\n")
      .filter((line) => !line.endsWith(" validates"))
      .join("\n")
      .slice(0, 3_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
