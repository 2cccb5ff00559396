import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../cli/commands.ts";
import { DESCRIPTIONS } from "../../cli/descriptions.ts";
import { say, toldFrom } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { commandPages, descriptions, PAGE, REGENERATE } from "../support/docs/command-table.ts";
import { endOf, officeHere } from "../support/programs/command.ts";
import { filesUnder, importsOf, ROOT, sourcesUnder } from "../support/sources.ts";

it("no operation that commands ask for hides another one of the same name", async () => {
  const tables = await Promise.all(filesUnder("src/operator").map((path) => import(ROOT + path)));
  const operations = tables.flatMap((exports) =>
    Object.entries(exports).flatMap(([name, all]) =>
      name.endsWith("Operations") ? Object.keys(all as object) : [],
    ),
  );
  expect(operations.length).toBeGreaterThan(30);
  expect(operations.filter((name, at) => operations.indexOf(name) !== at)).toEqual([]);
});

describe("svc-manage", async () => {
  const office = await officeHere();

  it("describes itself as docs/command-line.md does", async () => {
    const page = await readFile(PAGE, "utf8");
    expect(DESCRIPTIONS, REGENERATE).toEqual(await descriptions());
    expect(page.includes(commandPages(DESCRIPTIONS)), REGENERATE).toBe(true);
    // an option that is on by default is shown as the one that turns it off
    expect(page).toContain("| `--no-backup` | Make no backup |");
  });

  it("is documented with options as they are typed, and with examples in columns", async () => {
    const page = await readFile(PAGE, "utf8");
    expect(page).toContain("| `--no-backup` | Make no backup |");
    expect(page).not.toContain("(default: true)");
    expect(page).toMatch(/```text\njobs {2,}the last 50, newest first\njobs show ID/);
  });

  it("lists all commands with one sentence each, in lines that fit a terminal", async () => {
    const { code, out } = await office.run("--help");
    expect(code).toBe(0);
    for (const [name, load] of Object.entries(COMMANDS)) {
      expect(out).toContain(`  ${name} `);
      const { description } = (await load()).meta as { description: string };
      const [first, ...more] = say(ENGLISH, toldFrom(description)).split("\n");
      expect(first).toMatch(/^[A-Z][^.]{1,80}$/);
      const help = (await office.run(name, "--help")).out.split("\n");
      expect(help).toContain(first);
      expect(help.length).toBeGreaterThanOrEqual(more.length);
      for (const line of help.slice(1)) expect(line.length, line).toBeLessThanOrEqual(110);
    }
  });

  it("loads neither the service nor a command for its help", () => {
    const imports = sourcesUnder("src", "workers", "cli").flatMap(importsOf);
    const loaded = new Set(["cli/program.ts"]);
    for (const file of loaded)
      for (const { from, to, kind } of imports) if (from === file && kind === "value") loaded.add(to);
    expect(loaded).toContain("cli/descriptions.json");
    const heavy = ["zod", "citty", "src/app.ts", "src/compose.ts", "src/operator.ts", "src/config/read.ts"];
    expect([...loaded].filter((file) => heavy.includes(file) || file.startsWith("workers/"))).toEqual([]);
  });

  it("offers JSON where a program may want the result", async () => {
    for (const name of ["doctor", "config", "export", "import", "import-csv"]) {
      expect((await COMMANDS[name]!()).args).toHaveProperty("json");
    }
  });

  it("suggests the command that was meant, and does nothing", async () => {
    const { code, out, err } = await office.run("docter");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe('There is no command "docter"; did you mean "doctor"?');
    expect(await office.run("doctor", "--jsn")).toMatchObject({ code: 2, out: "" });
    expect(await office.run("export", "a", "b", "--all")).toMatchObject({ code: 2, out: "" });
  });

  it("gives the same output and exit code when it is a process of its own", async () => {
    const nobody = "00000000-0000-7000-8000-000000000001";
    for (const [words, code] of [
      [["imports"], 0],
      [["jobs", "show", nobody], 1],
      [["docter"], 2],
    ] as const) {
      const ended = await endOf(office.begin(...words));
      expect(ended.code).toBe(code);
      expect(ended).toEqual(await office.run(...words));
    }
  });

  it("says that there is no catalogue, and makes none, whatever is looked for or deleted", async () => {
    const { SVC_DATA_DIR } = office.settings;
    office.settings.SVC_DATA_DIR = `${SVC_DATA_DIR}-mistyped`;
    const nobody = "00000000-0000-7000-8000-000000000001";
    try {
      for (const words of [
        ["imports"],
        ["jobs"],
        ["jobs", "cancel", nobody],
        ["backup"],
        ["backup", "list"],
        ["backup", "verify"],
        ["export", "all.ndjson", "--all"],
        ["import-undo", nobody],
        ["db-reset", "--yes"],
        ["reset-admin"],
        ["reindex"],
        ["rebuild", "graph"],
        ["search-verify"],
      ]) {
        const { code, out, err } = await office.run(...words);
        expect([words, code, out]).toEqual([words, 1, ""]);
        expect(err).toMatch(/^There is no (catalogue|directory|backup) .*mistyped/);
      }
      const doctor = await office.run("doctor");
      expect(doctor.out).toContain("there is no database yet in");
      expect(doctor.code).toBe(1);
      expect((await office.run("config")).code).toBe(0);
      await expect(access(join(office.settings.SVC_DATA_DIR, "database"))).rejects.toThrow(/ENOENT/);
    } finally {
      office.settings.SVC_DATA_DIR = SVC_DATA_DIR!;
    }
  });

  describe("config", () => {
    it("shows every variable with its value and source, and no secret", async () => {
      const { code, out } = await office.run("config");
      expect(code).toBe(0);
      expect(out).toMatch(/^SVC_DATA_DIR +environment +\/.+$/m);
      expect(out).toMatch(/^MEDIA_ROOT +derived +\/.+\/media$/m);
      expect(out).toMatch(/^JWT_EXPIRES_SECONDS +default +900$/m);
      expect(out).toMatch(/^SMTP_HOST +default +\(none\)$/m);
      expect(out).toMatch(/^DEFAULT_ADMIN_PASSWORD +environment +\*{8}$/m);
      expect(out).not.toContain(office.settings.DEFAULT_ADMIN_PASSWORD);
    });

    it("gives programs the same as JSON, and only what is set on request", async () => {
      const { out } = await office.run("config", "--set", "--json");
      const { settings, warnings } = JSON.parse(out);
      expect(settings.map(({ name }: { name: string }) => name)).toContain("SVC_DATA_DIR");
      expect(settings.every(({ source }: { source: string }) => source === "environment")).toBe(true);
      expect(warnings).toEqual([]);
    });

    it("lists faults as a start does", async () => {
      const { PORT } = office.settings;
      office.settings.PORT = "much";
      const { code, out, err } = await office.run("config");
      if (PORT === undefined) delete office.settings.PORT;
      else office.settings.PORT = PORT;
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toBe(
        'The configuration is not valid:\n  PORT="much": it must be a whole number from 0 to 65535',
      );
    });
  });
});
