/** svc-manage reset-admin: sets a new password for an administrator (contract §4.6). */
import { defineCommand } from "citty";
import { emailKey } from "../src/accounts/email.ts";
import { writeCredentials } from "../src/adapters/files/credentials.ts";
import { said } from "../src/messages/said.ts";
import type { Administrator } from "../src/operator/accounts.ts";
import { Refusal } from "../src/refusal.ts";
import { knock, withDoor } from "./catalogue/door.ts";
import { fileFault, openCommandConfig } from "./catalogue/open.ts";
import { flag, meta, option } from "./terminal/options.ts";
import { type Ask, ask, isSomebodyThere, isYes } from "./terminal/question.ts";
import { inWords, print, printAside } from "./terminal/words.ts";

export const resetAdminCommand = defineCommand({
  meta: meta("reset-admin", "cli.help.reset_admin.about"),
  args: {
    email: option("ADDRESS", "cli.help.reset_admin.email"),
    enable: flag("cli.help.reset_admin.enable"),
  },
  async run({ args }) {
    const config = openCommandConfig();
    return withDoor(knock(config), async (door) => {
      const somebody = isSomebodyThere() ? ask : null;
      const account = await chosen(await door.call("administrators", {}), args.email, somebody);
      const enable = args.enable || (await mayEnable(account, somebody));
      const { id, email } = account;
      const password = await door.call("reset-admin", { id, email, enable });

      const text = `url: ${config.baseUrl}\nemail: ${email}\npassword: ${password}\n`;
      // print first, so that the password is shown even if the disk is full
      console.log(text);
      const path = config.resetCredentialsPath;
      await writeCredentials(path, text).catch((cause: unknown) => {
        throw new Refusal(said("cli.admin.not_written", { path, reason: fileFault(cause) }), 1, { cause });
      });
      print(said("cli.admin.change_it", { path }));
      return 0;
    });
  },
});

/** Finds the account. If several are possible, asks; without a terminal, refuses and lists them. */
async function chosen(
  admins: readonly Administrator[],
  email: string | undefined,
  somebody: Ask | null,
): Promise<Administrator> {
  const [only, ...others] = admins;
  if (!only) {
    throw new Refusal(said("cli.admin.none"));
  }
  if (email !== undefined) {
    const named = byEmail(admins, email);
    if (named) return named;
    throw new Refusal(said("cli.admin.no_address", { email, accounts: listed(admins) }));
  }
  if (others.length === 0) return only;
  if (!somebody) {
    throw new Refusal(said("cli.admin.several", { count: admins.length, accounts: listed(admins) }));
  }
  printAside(said("cli.admin.which", { accounts: listed(admins) }));
  for (;;) {
    const answer = await somebody(said("cli.admin.number"));
    const found = (/^\d+$/.test(answer) ? admins[Number(answer) - 1] : undefined) ?? byEmail(admins, answer);
    if (found) return found;
    printAside(said("cli.admin.no_such", { count: admins.length }));
  }
}

async function mayEnable(account: Administrator, somebody: Ask | null): Promise<boolean> {
  if (!account.disabled) return false;
  if (!somebody) {
    throw new Refusal(said("cli.admin.is_disabled", { email: account.email }));
  }
  if (isYes(await somebody(said("cli.admin.enable", { email: account.email })))) return true;
  throw new Refusal(said("cli.nothing_changed"));
}

function byEmail(admins: readonly Administrator[], email: string): Administrator | undefined {
  return admins.find((account) => emailKey(account.email) === emailKey(email));
}

function listed(admins: readonly Administrator[]): string {
  return admins
    .map(({ email, role, disabled }, n) => {
      const values = { number: String(n + 1), email, role };
      return inWords({ key: disabled ? "cli.admin.row_disabled" : "cli.admin.row", values });
    })
    .join("\n");
}
