/** A large XML file through import-xml: read in a dry run, and a part of it really imported. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPERATOR } from "../../src/caller.ts";
import { runImport } from "../../src/imports/run.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { LIDO, lidoMapping, writeLido } from "../support/museum/lido-file.ts";
import { openGround, pace, source, type Where } from "./ground.ts";

/** Megabytes of the file that is only read, and of the one that is imported. */
const READ = Number(process.env.BENCH_XML_READ ?? 500);
const WRITTEN = Number(process.env.BENCH_XML_WRITTEN ?? 40);

export async function benchXml(where: Where): Promise<void> {
  const ground = await openGround(where);
  const directory = await mkdtemp(join(tmpdir(), "svc-xml-"));
  try {
    for (const [megabytes, dryRun] of [
      [READ, true],
      [WRITTEN, false],
    ] as const) {
      if (megabytes === 0) continue;
      const path = join(directory, `${megabytes}.xml`);
      await writeLido(path, megabytes);
      const size = (await stat(path)).size / 1e6;
      const memory: number[] = [];
      const begun = performance.now();
      const summary = await runImport(
        ground.services,
        OPERATOR,
        source(path),
        {
          ...{ kind: "object", mapping: lidoMapping(), idnoStrategy: "column", upsertStrategy: "skip" },
          ...{ autoPublish: true, dryRun, recordXPath: `/{${LIDO}}lidoWrap/{${LIDO}}lido` },
        },
        { batch: () => void memory.push(Math.round(process.memoryUsage().rss / 1e6)) },
      );
      const seconds = (performance.now() - begun) / 1000;
      const at = (part: number) => memory[Math.floor(part * (memory.length - 1))];
      console.log(
        `import-xml, ${where}, ${dryRun ? "dry run" : "imported"}: ${size.toFixed(0)} MB, ${summary.rows_done} records ` +
          `(${summary.rejected} refused) in ${seconds.toFixed(0)} s, ${(size / seconds).toFixed(1)} MB/s, ` +
          `${(summary.rows_done / seconds).toFixed(0)} records/s; RSS ${at(0.1)}, ${at(0.5)}, ${at(1)} MB at a tenth, half, end; ` +
          `most ${Math.max(...memory)} MB (pace ${pace().toFixed(0)} ms)`,
      );
      if (dryRun) continue;
      const undoing = performance.now();
      const undone = await undoImport(ground.services, OPERATOR, summary.importId, { dryRun: false });
      const took = (performance.now() - undoing) / 1000;
      console.log(
        `  taken back: ${undone.trashed} records in ${took.toFixed(0)} s, ${(undone.trashed / took).toFixed(0)} a second, ${undone.left} left`,
      );
    }
  } finally {
    await ground.close();
    await rm(directory, { recursive: true });
  }
}
