/** The shared part of export and export-rdf: writes the file, shows the progress, and prints the summary. */
import { createHash } from "node:crypto";
import { closingLine } from "../../src/exports/format.ts";
import { isUnreachable } from "../../src/http/requests.ts";
import { said } from "../../src/messages/said.ts";
import type { Piece } from "../../src/operator/exports.ts";
import { Refusal } from "../../src/refusal.ts";
import { size } from "../backups/paths.ts";
import { type Door, knock, withDoor } from "../catalogue/door.ts";
import { print } from "../terminal/words.ts";
import { writeWhole } from "./file.ts";

type Export = {
  path: string;
  /** What the file contains, in the plural. */
  unit: "rows" | "records";
  /** Whether the file ends with a closing line. */
  isSealed?: boolean;
  json: boolean;
};

/**
 * Returns the exit code.
 *
 * @param ask requests the pieces of the file
 */
export async function runExportCommand(
  { path, unit, isSealed, json }: Export,
  ask: (door: Door, onEvent: (piece: Piece) => Promise<void>) => Promise<unknown>,
): Promise<number> {
  const hash = createHash("sha256");
  let written = 0;
  const knocked = await knock();
  return withDoor(Promise.resolve(knocked), async (door, progress) => {
    const { bytes } = await writeWhole(path, async (write) => {
      await ask(door, async ({ text, count, total = 0 }) => {
        if (isSealed) hash.update(text);
        await write(text);
        written += count;
        const part = total > 0 ? Math.min(1, written / total) : undefined;
        progress.show(part, said(`job.count.${unit}`, { count: written }));
      });
      if (isSealed) await write(`${closingLine({ lines: written, sha256: hash.digest("hex") })}\n`);
    });
    progress.clear();
    if (json) console.log(JSON.stringify({ path, [unit]: written, bytes }));
    else
      print(
        said("cli.export.written", {
          units: said(`job.count.${unit}`, { count: written }),
          path,
          size: size(bytes),
        }),
      );
    return 0;
  }).catch((error) => {
    if (!isUnreachable(error)) throw error;
    throw new Refusal(said("cli.export.lost_database", { reason: (error as Error).message }));
  });
}
