/** Receives a form with a file to import. The file is kept in the database, so that any process can import it. */
import { readForm } from "../http/request/multipart.ts";
import { newId } from "../ids.ts";
import { dropJobFiles, type JobFileWriter, readJobFile, writeJobFile } from "../jobs/files.ts";
import type { Services, Sql } from "../services.ts";
import { beginning } from "../text.ts";
import type { ImportSource } from "./source.ts";

/** `id`: the id of the job that will import the file. Until there is a job, it names only the file. */
export type Upload = { id: string; fields: ReadonlyMap<string, string>; source: ImportSource };

/** The file is deleted if `use` fails. */
export async function takeUpload<T>(
  { sql, config }: Pick<Services, "sql" | "config">,
  request: Request,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  const id = newId();
  let name = "";
  let writer: JobFileWriter | null = null;
  try {
    const fields = await readForm(request, config.importMaxBytes, {
      async begin(filename) {
        const own = filename.replace(/\p{Cc}/gu, "").replace(/^.*[\\/]/, "");
        name = beginning(own, 200) || "file";
        writer = await writeJobFile(sql, id, "input");
      },
      take: async (bytes) => writer!.write(bytes),
    });
    const bytes = await writer!.end();
    return await use({ id, fields, source: uploaded(sql, id, name, bytes) });
  } catch (error) {
    await dropJobFiles(sql, id).catch(() => undefined);
    throw error;
  }
}

export const uploaded = (sql: Sql, id: string, name: string, bytes: number): ImportSource => ({
  name,
  bytes,
  open: () => readJobFile(sql, id, "input"),
});
