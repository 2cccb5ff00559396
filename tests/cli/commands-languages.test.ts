import type { CommandDef } from "citty";
import { afterEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../../cli/commands.ts";
import { languageIn } from "../../cli/terminal/words.ts";
import { toldFrom } from "../../src/messages/said.ts";
import { inLong } from "../support/lane/lane.ts";
import { officeHere } from "../support/programs/command.ts";

const GERMAN = "de_DE.UTF-8";

describe("the language of the terminal", () => {
  it.each([
    [{ LC_ALL: "de_DE.UTF-8", LC_MESSAGES: "fr_FR", LANG: "fr_FR" }, "de"],
    [{ LC_ALL: "", LC_MESSAGES: "fr_CA.UTF-8@euro", LANG: "de_DE" }, "fr"],
    [{ LANG: "de_AT@euro" }, "de"],
    [{ LC_ALL: "C", LANG: "de_DE.UTF-8" }, "en"],
    [{ LC_ALL: "C.UTF-8", LANG: "de_DE.UTF-8" }, "en"],
    [{ LC_MESSAGES: "POSIX", LANG: "de_DE.UTF-8" }, "en"],
    [{ LC_ALL: "xx_YY.UTF-8", LANG: "de_DE.UTF-8" }, "en"],
    [{ LC_ALL: "en_GB.UTF-8", LANG: "de_DE.UTF-8" }, "en"],
    [{}, "en"],
  ])("is that of LC_ALL, else LC_MESSAGES, else LANG: %o", (environment, language) => {
    expect(languageIn(environment)).toBe(language);
  });
});

describe("svc-manage in a German terminal", async () => {
  const office = await officeHere();
  afterEach(() => {
    office.settings.LC_ALL = "C";
    delete office.settings.PORT;
    delete office.settings.SVC_BASEURL;
  });

  const inGerman = (...args: string[]) => {
    office.settings.LC_ALL = GERMAN;
    return office.run(...args);
  };

  it("explains itself in German", async () => {
    const { code, out } = await inGerman("backup", "--help");
    expect(code).toBe(0);
    expect(out).toContain("Aufruf: svc-manage backup [ACTION] [FILE] [Optionen]");
    expect(out).toContain("Jetzt eine Sicherung erstellen, Sicherungen auflisten oder eine prüfen");
    expect(out).toMatch(/^ {2}--json {2,}Das Ergebnis als JSON ausgeben und nichts sonst$/m);
    expect((await inGerman("--help")).out).toMatch(/^ {2}backup {2,}Jetzt eine Sicherung erstellen/m);
  });

  it.each([
    [["backp"], 2, "Es gibt keinen Befehl „backp“; meinten Sie „backup“?"],
    [
      ["backup", "onse"],
      2,
      "backup hat keine Aktion „onse“; seine Aktionen sind once, list, verify; meinten Sie „once“?",
    ],
    [["restore"], 2, "Ein erforderliches Argument fehlt: FILE; siehe svc-manage restore --help"],
    [["restore", "--frce", "x"], 2, "Es gibt keine Option --frce; meinten Sie „--force“?"],
    [["reindex", "--type"], 2, "--type braucht einen Wert; siehe svc-manage reindex --help"],
    [["reindex", "--json=1"], 2, "--json nimmt keinen Wert an; siehe svc-manage reindex --help"],
    [["reindex", "x"], 2, "reindex erwartet „x“ nicht; siehe svc-manage reindex --help"],
    [["export", "x"], 2, "Geben Sie entweder --all oder --type TYPE an; siehe svc-manage export --help"],
    [
      ["work"],
      1,
      "DATABASE_URL ist nicht gesetzt: Die eingebettete Datenbank gehört dem Dienst, der diese Arbeit selbst erledigt",
    ],
  ])("refuses %j in German", async (words, code, err) => {
    expect(await inGerman(...words)).toEqual({ code, out: "", err });
  });

  it("refuses to start with a wrong setting in German, and logs in English", async () => {
    office.settings.PORT = "viel";
    expect(await inGerman("serve")).toEqual({
      code: 1,
      out: "",
      err: 'Die Konfiguration ist nicht gültig:\n  PORT="viel": erwartet wird eine ganze Zahl von 0 bis 65535',
    });
    delete office.settings.PORT;
    office.settings.SVC_BASEURL = "http://127.0.0.1";
    office.settings.LC_ALL = GERMAN;
    const { service } = await office.serve();
    expect(service.lines.join("\n")).toContain("SVC_BASEURL is not a variable of this service");
    expect(service.lines.join("\n")).not.toContain("Variable dieses Dienstes");
    await service.stop();
  });

  it("examines an installation in German", async () => {
    const { out } = await inGerman("doctor");
    const lines = out.split("\n");
    expect(lines.pop()).toMatch(/^\d+ Fehler, \d+ Warnung(en)?$/);
    expect(lines.filter((line) => !/^(ok|Warnung|Fehler) {2,}\S/.test(line))).toEqual([]);
    expect(out).toMatch(/Uhr {2,}dieser Rechner und die Datenbank weichen um \d+(,\d)? s voneinander ab/);
  });

  inLong(it)("gives programs the same JSON in every language", async () => {
    // free space, the time and ages change between two runs
    const steady = (out: string) => out.replaceAll(/\d+([.:]\d+)*/g, "0");
    office.settings.SVC_BASEURL = "http://127.0.0.1";
    for (const words of [
      ["config"],
      ["doctor"],
      ["search-verify"],
      ["aggregator-check"],
      ["backup", "list"],
    ]) {
      office.settings.LC_ALL = "C";
      const english = await office.run(...words, "--json");
      const german = await inGerman(...words, "--json");
      expect(german.code).toBe(english.code);
      expect(steady(german.out)).toBe(steady(english.out));
      if (words[0] === "config") expect(english.out).toContain("SVC_BASEURL is not a variable");
      if (words[0] !== "backup") expect(Object.keys(JSON.parse(german.out)).length).toBeGreaterThan(0);
    }
  });

  it("has every text of its help in the catalogues", async () => {
    for (const [name, load] of Object.entries(COMMANDS)) {
      const { meta, args = {} } = (await load()) as CommandDef;
      const { description } = meta as { description: string };
      expect({ name, told: typeof toldFrom(description) }).toEqual({ name, told: "object" });
      for (const [arg, about] of Object.entries(args as Record<string, { description: string }>)) {
        const told = toldFrom(about.description);
        // values as they are typed need no words
        const isWords = typeof told === "string" && !/^\w+(, \w+)*$/.test(told);
        expect({ name, arg, isWords }).toEqual({ name, arg, isWords: false });
      }
    }
  });
});
