/** The files that make up the schema: `sql/0001_records.sql`, `sql/0002_….sql`, each applied once and never edited. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { SQL_FILES } from "./sql-files.ts";

export type MigrationFile = {
  version: number;
  /** `0001_records.sql` */
  name: string;
  /** For messages: `sql/0001_records.sql`. */
  shown: string;
  text: string;
  /** SHA-256 of the text in hexadecimal. Windows line ends do not change it. */
  checksum: string;
};

/** The files of this program, in order. */
export function readMigrationFiles(): Promise<MigrationFile[]> {
  return Promise.all(
    SQL_FILES.map(async (name) =>
      migrationFile(name, await readFile(new URL(`../../../../sql/${name}`, import.meta.url), "utf8")),
    ),
  );
}

export function migrationFile(name: string, content: string): MigrationFile {
  const text = content.replaceAll("\r\n", "\n");
  const checksum = createHash("sha256").update(text).digest("hex");
  return { version: Number(name.slice(0, 4)), name, shown: `sql/${name}`, text, checksum };
}
