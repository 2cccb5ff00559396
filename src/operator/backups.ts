/** Operations for backups that a command writes. */
import { z } from "zod";
import { noteBackup } from "../backups/store.ts";
import { UUID } from "../ids.ts";
import { Nothing, operation, type Talk } from "./operation.ts";

const Note = z.strictObject({
  id: z.string().regex(UUID),
  made: z.strictObject({ file: z.string().max(255), bytes: z.int().nonnegative() }).optional(),
  failed: z.string().optional(),
});

/**
 * A piece of a dump. `outdated`: the numbers, from 0, of earlier pieces that the receiver drops (`DumpSink`). `part`: the share
 * of the dump that is done, from 0 to 1.
 */
export type DumpPiece = { text: string; outdated: number[]; part: number };

export const backupOperations = {
  "note-backup": operation(Note, ({ sql }, note) => noteBackup(sql, note)),

  "dump-database": operation(Nothing, async ({ backups }, _, { emit, signal }: Talk<DumpPiece>) => {
    let count = 0;
    let part = 0;
    let outdated: number[] = [];
    const sink = {
      async put(text: string) {
        const number = count++;
        const event = { text, outdated, part };
        outdated = [];
        await emit(event);
        return number;
      },
      // the last piece always comes after the last drop
      drop: (piece: number) => void outdated.push(piece),
    };
    const report = (done: number) => {
      part = done;
    };
    await backups.dump(sink, { signal, report });
  }),
};
