/** Creates the first administrator if there is none (contract §5, rule 8). Its password is shown once and must be changed. */
import { errorFields } from "../log.ts";
import type { Services, Tx } from "../services.ts";
import { normalisePassword, randomPassword } from "./passwords/passwords.ts";
import { countAdministrators, findAccountByEmail, insertAccount, lockFirstRun } from "./store.ts";

type FirstRunServices = Pick<Services, "config" | "sql" | "passwords" | "log">;

/** Outputs the credentials, because the core has no access to files or a terminal. */
export type Announcement = {
  /** Writes the text to `config.firstRunCredentialsPath`, readable by the owner only. */
  writeCredentials(text: string): Promise<void>;
  print(text: string): void;
};

export type FirstRun = { created: false } | { created: true; email: string };

/**
 * Creates one superuser if no account is admin or superuser. Does nothing at later starts. Of several simultaneous starts, one
 * creates it.
 *
 * Prints the credentials before it writes the file, so that the password is known even if the file cannot be written. That is
 * only logged, and the service starts.
 */
export async function ensureFirstAdmin(services: FirstRunServices, deps: Announcement): Promise<FirstRun> {
  const { config, sql, passwords, log } = services;
  if ((await countAdministrators(sql)) > 0) return { created: false };

  const configured = config.firstAdmin.password;
  const password = configured ?? randomPassword();
  // before the transaction: hashing is slow, and on the embedded database a transaction blocks everybody
  const passwordHash = await passwords.hash(normalisePassword(password));
  // read committed, to see what the last holder of the lock changed
  const email = await sql.begin("isolation level read committed", async (tx) => {
    await lockFirstRun(tx);
    if ((await countAdministrators(tx)) > 0) return null;
    const free = await freeAddress(tx, config.firstAdmin.email);
    await insertAccount(tx, {
      id: crypto.randomUUID(),
      email: free,
      displayName: "Administrator",
      role: "superuser",
      passwordHash,
      mustChangePassword: configured === null,
    });
    return free;
  });
  if (email === null) return { created: false };

  const lines = `url: ${config.baseUrl}\nemail: ${email}\n`;
  if (configured !== null) {
    deps.print(block(`${lines}password: as set in DEFAULT_ADMIN_PASSWORD\n`));
    return { created: true, email };
  }
  // after `#`, so that browsers do not send the password to a server, which might log it
  const text = `${lines}password: ${password}\nlink: ${config.adminUrl}/first-account#code=${password}\n`;
  const path = config.firstRunCredentialsPath;
  deps.print(
    block(
      `${text}\nOpen the link to make this account yours: the password is its code and works once.\nThese lines are also in ${path}, which is deleted then.\n`,
    ),
  );
  await deps.writeCredentials(text).catch((error: unknown) => {
    log.error("the first-run credentials could not be written; they are only in the block FIRST RUN above", {
      path,
      ...errorFields(error),
    });
  });
  return { created: true, email };
}

/** `admin@…`, or `admin-2@…` and so on if the address belongs to an account that is not an administrator. */
async function freeAddress(tx: Tx, wanted: string): Promise<string> {
  const at = wanted.lastIndexOf("@");
  let email = wanted;
  for (let n = 2; await findAccountByEmail(tx, email); n++) {
    email = `${wanted.slice(0, at)}-${n}${wanted.slice(at)}`;
  }
  return email;
}

function block(text: string): string {
  const rule = "=".repeat(72);
  return `\n${rule}\nFIRST RUN\n\n${text}${rule}\n`;
}
