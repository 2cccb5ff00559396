/** Checks that directories are writable and have free space, and that secret files are readable by their owner only. */

import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { directoryFault, MEDIA_MODE } from "../../src/adapters/directories.ts";
import type { Config } from "../../src/config/read.ts";
import { inWords } from "../words.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** Bytes. Below the first the database may stop at any moment (fault); below the second it is a warning. */
const FULL = 200 * 1024 ** 2;
const SHORT = 2 * 1024 ** 3;

const OTHERS = 0o077;

export async function directories(config: Config): Promise<Finding[]> {
  const wanted: [variable: string, path: string, mode?: number][] = [
    ["SVC_DATA_DIR", config.dataDir],
    ["MEDIA_ROOT", config.mediaRoot, MEDIA_MODE],
    ...(config.backup.enabled ? [["BACKUP_ROOT", config.backupRoot] as [string, string]] : []),
  ];
  const all = await Promise.all(wanted.map((each) => directory(...each)));
  return all.flat();
}

async function directory(variable: string, path: string, mode?: number): Promise<Finding[]> {
  const there = await stat(path).catch(() => null);
  if (!there) {
    const above = await existing(dirname(resolve(path)));
    const may = await access(above, constants.W_OK).then(
      () => true,
      () => false,
    );
    return [
      may
        ? ok(variable, `${path} does not exist yet and will be created`)
        : fault(
            variable,
            `${path} cannot be created: ${above} is not writable`,
            `create it, or set ${variable} to another directory`,
          ),
    ];
  }
  const wrong = await directoryFault(variable, path, mode);
  if (wrong)
    return [fault(variable, inWords(wrong), `make it writable, or set ${variable} to another directory`)];
  return [await room(variable, path)];
}

async function existing(path: string): Promise<string> {
  const there = await stat(path).catch(() => null);
  return there || dirname(path) === path ? path : existing(dirname(path));
}

async function room(variable: string, path: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(path);
  const free = bavail * bsize;
  const says = `${path} is writable, ${size(free)} of ${size(blocks * bsize)} free`;
  if (free < FULL) return fault(variable, says, "free some space now: a full disk stops the database");
  if (free < SHORT) return warning(variable, says, "free some space, or move it to a larger disk");
  return ok(variable, says);
}

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;

export async function secretFiles(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (config.databaseUrl === null) {
    findings.push(...(await forOwnerOnly("data directory", config.dataDir, 0o700)));
  }
  if (config.secretKey === null && config.databaseUrl === null) {
    findings.push(...(await forOwnerOnly("secret key file", config.secretKeyPath, 0o600)));
  }
  for (const [name, path] of [
    ["first-run credentials", config.firstRunCredentialsPath],
    ["reset credentials", config.resetCredentialsPath],
  ] as const) {
    if (!(await stat(path).catch(() => null))) continue;
    findings.push(
      warning(name, `${path} still exists`, "sign in and change the password; this deletes the file"),
      ...(await forOwnerOnly(name, path, 0o600)).filter(({ state }) => state === "fault"),
    );
  }
  return findings;
}

async function forOwnerOnly(name: string, path: string, mode: number): Promise<Finding[]> {
  const there = await stat(path).catch(() => null);
  if (!there) return [];
  const has = there.mode & 0o777;
  if ((has & OTHERS) === 0) return [ok(name, `only its owner may read ${path}`)];
  const says = `other users may read ${path} (mode ${has.toString(8).padStart(4, "0")})`;
  const mend = `chmod ${mode.toString(8)} ${path}`;
  // the database protects its own files in it
  return [there.isDirectory() ? warning(name, says, mend) : fault(name, says, mend)];
}
