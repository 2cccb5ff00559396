/** What export and export-rdf have in common: writing the file, how far that is, and how it is told. */
import { isUnreachable } from "../src/http/requests.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { size } from "./backup-paths.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";

/**
 * Answers the exit code.
 *
 * @param unit what the file has, in the plural
 * @param write is to tell how many of them there are so far, and of how many where it knows
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
      progress.show(total > 0 ? Math.min(1, count / total) : undefined, `${count} ${unit}`);
    });
    progress.clear();
    if (json) console.log(JSON.stringify({ path, [unit]: written, bytes }));
    else console.log(`${written} ${unit} written to ${path} (${size(bytes)})`);
    return 0;
  } catch (error) {
    progress.clear();
    if (!isUnreachable(error)) throw error;
    throw new Refusal(
      `The database cannot be reached any more (${(error as Error).message}): no file was written`,
    );
  } finally {
    await close();
  }
}
