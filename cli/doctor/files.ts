/** Checks that directories are writable and have free space, and that secret files are readable by their owner only. */

import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { directoryFault, MEDIA_MODE } from "../../src/adapters/directories.ts";
import type { Config } from "../../src/config/read.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { sizeOf as size } from "../backups/paths.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** Free bytes. Below FULL the database may stop at any moment, a fault. Below SHORT is a warning. */
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
        ? ok(variable, said("cli.doctor.will_be_created", { path }))
        : fault(
            variable,
            said("cli.doctor.cannot_create", { path, above }),
            said("cli.doctor.cannot_create_mend", { variable }),
          ),
    ];
  }
  const wrong = await directoryFault(variable, path, mode);
  if (wrong) return [fault(variable, wrong, said("cli.doctor.not_writable_mend", { variable }))];
  return [await room(variable, path)];
}

async function existing(path: string): Promise<string> {
  const there = await stat(path).catch(() => null);
  return there || dirname(path) === path ? path : existing(dirname(path));
}

async function room(variable: string, path: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(path);
  const free = bavail * bsize;
  const says = said("cli.doctor.room", { path, free: size(free), whole: size(blocks * bsize) });
  if (free < FULL) return fault(variable, says, said("cli.doctor.full_mend"));
  if (free < SHORT) return warning(variable, says, said("cli.doctor.short_mend"));
  return ok(variable, says);
}

export async function secretFiles(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (config.databaseUrl === null) {
    findings.push(...(await forOwnerOnly(said("cli.doctor.check.data_directory"), config.dataDir, 0o700)));
  }
  if (config.secretKey === null && config.databaseUrl === null) {
    findings.push(
      ...(await forOwnerOnly(said("cli.doctor.check.secret_key_file"), config.secretKeyPath, 0o600)),
    );
  }
  for (const [name, path] of [
    [said("cli.doctor.check.first_run"), config.firstRunCredentialsPath],
    [said("cli.doctor.check.reset"), config.resetCredentialsPath],
  ] as const) {
    if (!(await stat(path).catch(() => null))) continue;
    findings.push(
      warning(name, said("cli.doctor.still_exists", { path }), said("cli.doctor.still_exists_mend")),
      ...(await forOwnerOnly(name, path, 0o600)).filter(({ state }) => state === "fault"),
    );
  }
  return findings;
}

async function forOwnerOnly(name: Said, path: string, mode: number): Promise<Finding[]> {
  const there = await stat(path).catch(() => null);
  if (!there) return [];
  const has = there.mode & 0o777;
  if ((has & OTHERS) === 0) return [ok(name, said("cli.doctor.owner_only", { path }))];
  const says = said("cli.doctor.others_read", { path, mode: has.toString(8).padStart(4, "0") });
  const mend = `chmod ${mode.toString(8)} ${path}`;
  // only a warning for the data directory: the database protects its own files in it
  return [there.isDirectory() ? warning(name, says, mend) : fault(name, says, mend)];
}
