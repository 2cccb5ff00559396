/** The job that tests a backup in a temporary database. */
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import type { JobInput } from "./job-kind.ts";

export async function verifyBackup({ services, params, signal }: JobInput): Promise<Record<string, unknown>> {
  const proof = await services.backups.verify(String(params.file), signal);
  if (!proof) throw new Refusal(said("problem.backup.gone", { file: String(params.file) }));
  return proof;
}
