/** Translates errors of the disk for the operator. */
import { type Said, said } from "../../messages/said.ts";
import { NoRoom, Refusal } from "../../refusal.ts";
import { DISK_WORDS, isFull } from "../directories.ts";

const WORDS: Readonly<Record<string, Said>> = {
  ...DISK_WORDS,
  EIO: said("cli.disk.io"),
  ENOENT: said("cli.disk.gone"),
  EFBIG: said("cli.disk.file_too_large"),
};

/** Runs the work. An error of the disk becomes a Refusal that names the directory, and `NoRoom` if that is full. */
export async function withFault<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = WORDS[(error as NodeJS.ErrnoException).code ?? ""];
    if (!reason) throw error;
    const Fault = isFull(error) ? NoRoom : Refusal;
    throw new Fault(said("cli.disk.backup_not_written", { directory, reason }), 1, { cause: error });
  }
}
