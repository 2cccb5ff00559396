/** The job that tries a backup out, where it does not matter. */
import { Refusal } from "../src/refusal.ts";
import type { JobInput } from "./job-kind.ts";

export async function verifyBackup({ services, params, signal }: JobInput): Promise<Record<string, unknown>> {
  const proof = await services.backups.verify(String(params.file), signal);
  if (!proof) throw new Refusal(`${params.file} is not among the backups any more`);
  return proof;
}
