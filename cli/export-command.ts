/** The shared part of export and export-rdf: writing the file, progress, and the summary. */
import { isUnreachable } from "../src/http/requests.ts";
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { size } from "./backup-paths.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";
import { print } from "./words.ts";

/**
 * Returns the exit code.
 *
 * @param unit what the file contains, in the plural
 * @param write reports how many of them are written, and the total where known
 */
export async function runExportCommand(
  { path, unit, json }: { path: string; unit: "rows" | "records"; json: boolean },
  write: (services: Services, report: (count: number, total?: number) => void) => Promise<{ bytes: number }>,
): Promise<number> {
  const { services, close } = await openCatalogue(openCommandConfig());
  const progress = openProgress();
  let written = 0;
  try {
    const { bytes } = await write(services, (count, total = 0) => {
      written = count;
      progress.show(total > 0 ? Math.min(1, count / total) : undefined, said(`job.count.${unit}`, { count }));
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
  } catch (error) {
    progress.clear();
    if (!isUnreachable(error)) throw error;
    throw new Refusal(said("cli.export.lost_database", { reason: (error as Error).message }));
  } finally {
    await close();
  }
}
