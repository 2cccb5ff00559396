/**
 * The tour in the README and the examples of docs/api.md, which continue it: runs the commands and compares the
 * answers.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { databases } from "../support/museum/museum.ts";
import { createDatabase } from "../support/servers/server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

type Block = { language: string; text: string };

/** The fenced blocks of a page, or of one section of it, in order. */
async function blocksOf(page: string, section?: string): Promise<Block[]> {
  const whole = await readFile(join(ROOT, page), "utf8");
  const begin = section ? whole.indexOf(`## ${section}\n`) : 0;
  const text = section ? whole.slice(begin, whole.indexOf("\n## ", begin + 1)) : whole;
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => ({
    language: language!,
    text: body!,
  }));
}

/** Masks what differs from run to run. */
function masked(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replace(/in \d+\.\d s:/, "in <seconds>:")
    .replace(/[\ufeff\r]/g, "")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/g, "<time>");
}

/** The port that the service chose, read from its log. Its output must be read on, or the service blocks. */
function portOf(service: ChildProcess): Promise<string> {
  let log = "";
  return new Promise((resolve, reject) => {
    service.stderr!.on("data", (chunk) => {
      log += chunk;
      const port = /"ready".*127\.0\.0\.1:(\d+)/.exec(log)?.[1];
      if (port) resolve(port);
    });
    service.once("exit", () => reject(new Error(`The service did not start:\n${log}`)));
  });
}

const MARK = "=====next block=====";

async function runBlocks(
  directory: string,
  env: NodeJS.ProcessEnv,
  port: string,
  blocks: readonly Block[],
): Promise<string[]> {
  const script = blocks
    .map(({ text }) => `${text.replaceAll("127.0.0.1:8000", `127.0.0.1:${port}`)}\necho; echo '${MARK}'`)
    .join("\n");
  const shell = spawn("bash", ["-c", script], { cwd: directory, env });
  let out = "";
  shell.stdout.on("data", (chunk) => {
    out += chunk;
  });
  await once(shell, "close");
  return out.split(MARK).map((part) => part.trim());
}

describe("the tour of the README and the API guide", () => {
  test.for(databases)("show the real answers, on the %s database", async (kind) => {
    const directory = await mkdtemp(join(tmpdir(), "svc-readme-"));
    const scratch = kind === "external" ? await createDatabase() : null;
    for (const name of ["package.json", "tsconfig.json"]) await cp(join(ROOT, name), join(directory, name));
    for (const name of ["node_modules", "src", "cli", "workers", "sql"]) {
      await symlink(join(ROOT, name), join(directory, name));
    }
    const files = await readdir(directory);
    const env = { ...process.env, SVC_DATA_DIR: "./data", DATABASE_URL: scratch?.url ?? "", PORT: "0" };
    if (scratch)
      await once(spawn("node", ["cli/svc-manage.mjs", "migrate"], { cwd: directory, env }), "close");
    const service = spawn("node", ["cli/svc-manage.mjs", "serve"], { cwd: directory, env });
    try {
      const port = await portOf(service);
      const blocks = [
        ...(await blocksOf("README.md", "A five-minute tour")),
        ...(await blocksOf("docs/api.md")),
      ];
      const commands = blocks.filter((block) => block.language === "sh");
      // so that another PORT requires changing only this line
      expect(
        commands
          .map(({ text }) => text)
          .join("\n")
          .split(":8000"),
      ).toHaveLength(2);
      // signing in can be repeated: the first run changes the password
      const outputs = (await runBlocks(directory, env, port, [commands[0]!, ...commands])).slice(1);
      // Git ignores these two, so a clone stays clean
      const left = (await readdir(directory)).filter((name) => !files.includes(name));
      expect(left.sort()).toEqual(["data", "works.rejects.csv"]);
      let compared = 0;
      commands.forEach((command, index) => {
        const answer = blocks[blocks.indexOf(command) + 1];
        if (answer?.language === "text") expect(masked(outputs[index]!)).toBe(masked(answer.text.trim()));
        else if (answer?.language === "json") {
          expect(JSON.parse(masked(outputs[index]!))).toEqual(JSON.parse(masked(answer.text)));
        } else return;
        compared += 1;
      });
      expect(compared).toBe(12);
    } finally {
      const gone = once(service, "exit");
      service.kill("SIGTERM");
      await gone;
      await scratch?.drop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
