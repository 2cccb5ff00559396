/** The file that a job reads where it lies, because the operator named it. */
import { said } from "../messages/said.ts";
import type { FileIdentity, NamedFile } from "../ports/named-files.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import type { WhereFile } from "./store.ts";

/** Null: this process may not read it, or finds another file there. */
export async function openAsNamed(
  { namedFiles }: Pick<Services, "namedFiles">,
  path: string,
  identity: FileIdentity,
): Promise<NamedFile | null> {
  const file = await namedFiles?.open(path);
  if (!file || isSame(file.identity, identity)) return file ?? null;
  await file.close();
  return null;
}

/** Refuses a file of another process, and one that has changed. The path is not in the reason, which others may read. */
export async function openAgain(
  services: Pick<Services, "namedFiles">,
  { path, place, identity }: WhereFile,
): Promise<NamedFile> {
  if (services.namedFiles?.place !== place) throw new Refusal(said("job.import.file_elsewhere"));
  const file = await openAsNamed(services, path, identity);
  if (!file) throw new Refusal(said("job.import.file_changed"));
  return file;
}

const isSame = (one: FileIdentity, other: FileIdentity): boolean =>
  (["device", "inode", "size", "modified"] as const).every((name) => one[name] === other[name]);
