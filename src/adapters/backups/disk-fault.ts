/** Translates errors of the disk into sentences for the operator. */
import { NoRoom, Refusal } from "../../refusal.ts";
import { isFull } from "../directories.ts";

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of this user is used up",
  EROFS: "the disk is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EIO: "the disk does not read or write (input/output error)",
  ENOENT: "the directory is gone",
  EFBIG: "the file would be too large for this disk",
};

/** Runs the work. An error of the disk becomes a Refusal that names the directory, and `NoRoom` if that is full. */
export async function withFault<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const words = WORDS[(error as NodeJS.ErrnoException).code ?? ""];
    if (!words) throw error;
    const Fault = isFull(error) ? NoRoom : Refusal;
    const sentence = `The backup cannot be written to ${directory}: ${words}. No incomplete file is left there`;
    throw new Fault(sentence, 1, { cause: error });
  }
}
