/** The files that make up the schema: `sql/0001_records.sql`, `sql/0002_….sql`, each applied once and never edited. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export type MigrationFile = {
  version: number;
  /** `0001_records.sql` */
  name: string;
  /** As a message shows it: `sql/0001_records.sql`. */
  shown: string;
  text: string;
  /** SHA-256 of the text, in hexadecimal, the same with Windows line ends. */
  checksum: string;
};

/** The project's own. */
export const SQL_DIRECTORY: string = fileURLToPath(new URL("../../../sql/", import.meta.url));

/** All files of a directory in order; refuses gaps, doubles and names that say no number. */
export async function readMigrationFiles(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  const folder = basename(directory);
  for (const [index, name] of names.entries()) {
    const version = versionOf(name);
    if (version === undefined) throw new Error(`${folder}/${name} must be named like 0001_name.sql`);
    if (index > 0 && versionOf(names[index - 1] as string) === version) {
      throw new Error(`${folder}/${names[index - 1]} and ${folder}/${name} have the same number`);
    }
    if (version !== index + 1) {
      throw new Error(
        `${folder}/${name} comes where number ${String(index + 1).padStart(4, "0")} is missing`,
      );
    }
  }
  return Promise.all(names.map((name) => readMigrationFile(directory, name)));
}

function versionOf(name: string): number | undefined {
  const number = /^(\d{4})_\w+\.sql$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

async function readMigrationFile(directory: string, name: string): Promise<MigrationFile> {
  const text = (await readFile(join(directory, name), "utf8")).replaceAll("\r\n", "\n");
  const checksum = createHash("sha256").update(text).digest("hex");
  return { version: Number(name.slice(0, 4)), name, shown: `${basename(directory)}/${name}`, text, checksum };
}
