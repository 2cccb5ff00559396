/** svc-manage: one file a command, imported when it is called. */
import { type CommandDef, defineCommand, runCommand, showUsage } from "citty";
import { Problem } from "../src/problem.ts";
import { VERSION } from "../src/version.ts";
import { Refusal } from "./open.ts";

const main = defineCommand({
  meta: {
    name: "svc-manage",
    version: VERSION,
    description: "Runs and looks after a collections catalogue",
  },
  subCommands: {
    serve: () => import("./serve.ts").then((file) => file.serve as CommandDef),
    demo: () => import("./demo.ts").then((file) => file.demo as CommandDef),
    migrate: () => import("./migrate.ts").then((file) => file.migrateCommand as CommandDef),
    "import-csv": () => import("./import-csv.ts").then((file) => file.importCsv as CommandDef),
  },
});

const rawArgs = process.argv.slice(2);

async function run(): Promise<number> {
  const [name] = rawArgs;
  const subCommands = main.subCommands as Record<string, () => Promise<CommandDef>>;
  if (name === "--version" || name === "-v") {
    console.log(VERSION);
    return 0;
  }
  const command = name === undefined ? undefined : subCommands[name];
  if (rawArgs.length === 0 || name === "--help" || name === "-h" || name === "help") {
    await showUsage(main);
    return rawArgs.length === 0 ? 2 : 0;
  }
  if (!command) {
    console.error(`svc-manage: there is no command ${JSON.stringify(name)}; svc-manage --help lists them`);
    return 2;
  }
  const chosen = await command();
  if (rawArgs.includes("--help") || rawArgs.includes("-h")) {
    await showUsage(chosen, main);
    return 0;
  }
  demandKnownOptions(chosen, rawArgs.slice(1));
  const { result } = await runCommand(chosen, { rawArgs: rawArgs.slice(1) });
  return typeof result === "number" ? result : 0;
}

/** A misspelt option is refused: --dryrun must never import. */
function demandKnownOptions(command: CommandDef, args: readonly string[]): void {
  const known = new Set(
    Object.entries((command.args ?? {}) as Record<string, { alias?: string | string[] }>).flatMap(
      ([name, about]) => [name, `no-${name}`, ...[about.alias ?? []].flat()],
    ),
  );
  for (const arg of args) {
    if (arg === "--") return;
    const option = /^--?([^=]+)/.exec(arg)?.[1];
    if (option !== undefined && !/^\d/.test(option) && !known.has(option)) {
      throw new Refusal(`There is no option ${arg.split("=")[0]}; see svc-manage ${rawArgs[0]} --help`, 2);
    }
  }
}

try {
  process.exitCode = await run();
  // a request that hangs for ever must not keep a stopped service alive
  if (["serve", "demo"].includes(rawArgs[0] ?? "")) process.exit();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof Refusal) {
    console.error(error.message);
    process.exitCode = error.exitCode;
  } else if (error instanceof Problem) {
    console.error(error.message);
    for (const fault of error.errors) console.error(`  ${fault.pointer || "/"}: ${fault.detail}`);
  } else if (error instanceof Error && error.name === "CLIError") {
    console.error(error.message);
    process.exitCode = 2;
  } else {
    console.error(error instanceof Error ? sentenceOf(error) : error);
  }
}

/** What the operator can mend is a sentence; anything else is a bug and shown with its stack. */
function sentenceOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  const known = /^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|[0-9A-Z]{5}|UNAVAILABLE)$/.test(code);
  return known || error.name === "Refusal" ? `${error.message}` : (error.stack ?? error.message);
}
