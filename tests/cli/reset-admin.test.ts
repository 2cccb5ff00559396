/** The command reset-admin as an operator runs it: as a process, with and without a terminal. */
import { spawnSync } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environment } from "../runtimes/started.ts";
import { inLong, oneOrAll } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { databases, onceFor, quickest } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";
import { type Ended, endOf, type Office, openOffice } from "../support/programs/command.ts";
import { begin } from "../support/programs/processes.ts";

const MAIN = fileURLToPath(new URL("../../cli/svc-manage.mjs", import.meta.url));
const FILE = join("data", "reset-credentials.txt");
const FIRST = "a list as long as the pier";

/** A terminal for a process: `script` of util-linux. */
const hasTerminal = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") ?? false;
if (!hasTerminal) notTried("reset-admin at a terminal (script of util-linux)");

describe.each(databases)("the command reset-admin, on the %s database", (kind) => {
  const once = onceFor(kind);
  let office: Office;
  beforeEach(async () => {
    office = await openOffice(kind);
  });
  afterEach(() => office.close());

  async function hired(...people: [email: string, role: string, disabled?: "disabled"][]): Promise<void> {
    await office.look(async ({ sql }) => {
      for (const [email, role, disabled] of people) {
        const id = await newAccount(sql, email, { role });
        if (disabled) await sql`update accounts set disabled_at = now() where id = ${id}`;
      }
    });
  }

  type State = { email: string; password_hash: string; version: number; must: boolean; disabled: boolean };
  const accounts = () =>
    office.look(
      ({ sql }) => sql<State[]>`
        select email, password_hash, token_version as version, must_change_password as must,
          disabled_at is not null as disabled
        from accounts order by email`,
    );
  /** The addresses of accounts whose password has changed. */
  const changedPasswords = async () =>
    (await accounts()).filter(({ password_hash: hash }) => hash !== "$none$").map(({ email }) => email);

  /** The credentials, which must be the same on the screen and in the file. */
  async function credentials({ code, out, err }: Ended): Promise<{ email: string; password: string }> {
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const file = await office.read(FILE);
    expect(out).toContain(file);
    expect((await stat(join(office.settings.SVC_DATA_DIR!, "reset-credentials.txt"))).mode & 0o777).toBe(
      0o600,
    );
    const [, email, password] = /^url: \S+\nemail: (\S+)\npassword: (\S+)\n$/.exec(file)!;
    return { email: email!, password: password! };
  }

  it("sets a password while the service runs, which must be changed, and ends every session", async () => {
    const { service, token } = await office.serve();
    expect((await service.ask("/v1/objects", { token })).status).toBe(200);
    const { email, password } = await credentials(await office.run("reset-admin"));
    expect(email).toBe("admin@example.org");

    expect((await service.ask("/v1/objects", { token })).status).toBe(401);
    const login = (word: string) => service.ask("/v1/auth/login", { json: { email, password: word } });
    expect((await login(FIRST)).status).toBe(401);
    const { status, json } = await login(password);
    expect({ status, must: json.must_change_password }).toEqual({ status: 200, must: true });
    const change = { current_password: password, new_password: "a gate that opens again" };
    const changed = await service.ask("/v1/auth/password", { token: json.access_token, json: change });
    const log = await service.ask("/v1/security-events?event=admin_reset", {
      token: changed.json.access_token,
    });
    expect(log.json).toMatchObject({ total: 1, items: [{ actor_id: null, client: null, detail: {} }] });
    expect(log.text).not.toContain(password);
    expect(service.lines.join("\n")).not.toContain(password);
  });

  inLong(once)("resets the account that --email names, however it is typed", async () => {
    await hired(
      ["ida@museum.example", "superuser"],
      ["jo@museum.example", "admin"],
      ["vi@x.example", "viewer"],
    );
    const done = await credentials(await office.run("reset-admin", "--email", "JO@museum.example"));
    expect(done.email).toBe("jo@museum.example");
    expect(await changedPasswords()).toEqual(["jo@museum.example"]);
    const again = await credentials(await office.run("reset-admin", "--email=jo@museum.example"));
    expect(again.password).not.toBe(done.password);
    expect((await accounts()).find(({ email }) => email === done.email)).toMatchObject({
      version: 3,
      must: true,
    });
  });

  inLong(once)("lists several accounts and resets none when nobody can be asked", async () => {
    await hired(["ida@museum.example", "superuser"], ["jo@museum.example", "admin", "disabled"]);
    const several = await office.run("reset-admin");
    expect(several).toEqual({
      code: 1,
      out: "",
      err:
        "There are 2 admin and superuser accounts; choose one with --email ADDRESS:\n" +
        "  1  ida@museum.example  superuser\n  2  jo@museum.example  admin, disabled",
    });
    const nobody = await office.run("reset-admin", "--email", "vi@x.example");
    expect(nobody).toMatchObject({ code: 1, out: "" });
    expect(nobody.err).toContain(
      'No admin or superuser account has the address "vi@x.example". The accounts are:\n  1  ida',
    );
    expect(await changedPasswords()).toEqual([]);
  });

  inLong(once)("leaves a disabled account as it is, unless --enable is given", async () => {
    await hired(["ida@museum.example", "superuser", "disabled"]);
    const refused = await office.run("reset-admin");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/^ida@museum\.example is disabled.*add --enable/);
    expect(await changedPasswords()).toEqual([]);
    await credentials(await office.run("reset-admin", "--enable"));
    expect(await accounts()).toMatchObject([{ disabled: false, must: true }]);
    const [event] = await office.look(({ sql }) => sql`select detail from security_events`);
    expect(event!.detail).toEqual({ enabled: true });
  });

  once("does not reset a viewer, and explains that there is no administrator", async () => {
    await hired(["vi@x.example", "viewer"]);
    const { code, out, err } = await office.run("reset-admin");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe("There is no admin or superuser account; the service creates one when it starts");
    expect(await changedPasswords()).toEqual([]);
  });

  inLong(once)("prints a password even if its file cannot be written", async () => {
    await hired(["ida@museum.example", "superuser"]);
    await mkdir(join(office.settings.SVC_DATA_DIR!, "reset-credentials.txt"));
    const { code, out, err } = await office.run("reset-admin");
    expect(code).toBe(1);
    expect(out).toMatch(/^password: \S{20,}$/m);
    expect(err).toMatch(/^The password is set, but could not be written to \S+reset-credentials\.txt: /);
    expect(await changedPasswords()).toEqual(["ida@museum.example"]);
  });

  const describeOnce = kind === quickest ? describe.runIf(hasTerminal) : () => undefined;
  describeOnce("at a terminal", () => {
    /** Runs it in a terminal and answers each question when it appears. */
    async function runAnswering(...answers: [question: string, answer: string][]) {
      const words = `'${process.execPath}' '${MAIN}' reset-admin`;
      const env = environment(office.settings);
      const command = begin(["script", "-qefc", words, "/dev/null"], env);
      let output = "";
      let seen = 0;
      command.child.stdout!.on("data", (bytes: Buffer) => {
        output += bytes.toString();
        const next = answers[0];
        const at = next ? output.indexOf(next[0], seen) : -1;
        if (at === -1) return;
        seen = at + next![0].length;
        answers.shift();
        command.child.stdin!.write(next![1]);
      });
      const { code } = await endOf(command);
      expect(answers).toEqual([]);
      return { code, output };
    }

    const ASKED = "Number or address: ";

    inLong(it)("asks which account is meant until the answer is valid", async () => {
      await hired(["ida@museum.example", "superuser"], ["jo@museum.example", "admin"]);
      const { code, output } = await runAnswering([ASKED, "3\r"], [ASKED, "eve@x.example\r"], [ASKED, "2\r"]);
      expect(code, output).toBe(0);
      expect(output).toContain("1  ida@museum.example  superuser");
      expect(output).toContain("a number from 1 to 2");
      expect(output).toContain(/^password: (\S+)$/m.exec(await office.read(FILE))![1]);
      expect(await changedPasswords()).toEqual(["jo@museum.example"]);
    });

    inLong(it)("asks before it enables a disabled account, and changes nothing without a yes", async () => {
      await hired(["ida@museum.example", "superuser", "disabled"]);
      const no = await runAnswering(["Enable it? [y/N] ", "\r"]);
      expect(no.code, no.output).toBe(1);
      expect(no.output).toContain("Nothing was changed");
      expect(await changedPasswords()).toEqual([]);
      const yes = await runAnswering(["Enable it? [y/N] ", "y\r"]);
      expect(yes.code, yes.output).toBe(0);
      expect(await accounts()).toMatchObject([{ disabled: false, must: true, version: 2 }]);
    });

    it.each(
      oneOrAll([
        ["Ctrl-D", "\u0004", 1],
        ["Ctrl-C", "\u0003", 130],
      ] as const),
    )("%s changes nothing", async (_which, key, ends) => {
      await hired(["ida@museum.example", "superuser"], ["jo@museum.example", "admin"]);
      const { code, output } = await runAnswering([ASKED, key]);
      expect(code, output).toBe(ends);
      expect(output).toContain("Nothing was changed");
      expect(await changedPasswords()).toEqual([]);
    });
  });
});
