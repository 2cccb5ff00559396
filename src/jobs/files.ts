/** Files of jobs, stored in the database in parts, so that any process can run the job. */
import { cutIntoParts } from "../bytes.ts";
import type { Sql, Tx } from "../services.ts";

/**
 * `input` and `mapping` came with the request; the job writes the others. `notices` and `outcome` are for the command that
 * follows it.
 */
export type JobFileName = "input" | "mapping" | "rejects" | "preview" | "report" | "notices" | "outcome";

/** Bytes of one part. Each is one statement, so that none blocks others for long. */
const PART = 512 * 1024;

export type JobFileWriter = {
  write(bytes: Uint8Array): Promise<void>;
  /** Returns the total bytes. */
  end(): Promise<number>;
};

/** Writes from the beginning, replacing what an earlier run of the job wrote. */
export async function writeJobFile(sql: Sql | Tx, jobId: string, name: JobFileName): Promise<JobFileWriter> {
  await dropJobFile(sql, jobId, name);
  let part = 0;
  let written = 0;
  const parts = cutIntoParts(PART, async (bytes) => {
    if (bytes.byteLength === 0) return;
    await sql`insert into job_files (job_id, name, part, bytes) values (${jobId}, ${name}, ${part}, ${bytes})`;
    part += 1;
    written += bytes.byteLength;
  });
  return {
    write: parts.write,
    async end() {
      await parts.end();
      return written;
    },
  };
}

/** The file from its beginning; empty when there is none. */
export function readJobFile(sql: Sql | Tx, jobId: string, name: JobFileName): ReadableStream<Uint8Array> {
  let part = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const [row] = await sql<{ bytes: Uint8Array }[]>`
          select bytes from job_files where job_id = ${jobId} and name = ${name} and part = ${part}`;
        part += 1;
        if (row) controller.enqueue(row.bytes);
        else controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}

/** Writes a short file whole. */
export async function writeJobText(
  sql: Sql | Tx,
  jobId: string,
  name: JobFileName,
  text: string,
): Promise<void> {
  const file = await writeJobFile(sql, jobId, name);
  await file.write(new TextEncoder().encode(text));
  await file.end();
}

/** Reads a short file whole. */
export async function readJobText(sql: Sql | Tx, jobId: string, name: JobFileName): Promise<string> {
  return new Response(readJobFile(sql, jobId, name)).text();
}

/** Until the end of the transaction, others that call this for the same file wait. Its rows cannot be locked: a write replaces them. */
export async function lockJobFile(tx: Tx, jobId: string, name: JobFileName): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`job file:${jobId} ${name}`}))`;
}

/** The same bytes for another job. */
export async function copyJobFile(sql: Sql, from: string, to: string, name: JobFileName): Promise<void> {
  await sql`
    insert into job_files (job_id, name, part, bytes)
    select ${to}, name, part, bytes from job_files where job_id = ${from} and name = ${name}`;
}

/** Bytes of each file that a job has. */
export async function jobFileSizes(sql: Sql, jobId: string): Promise<Map<JobFileName, number>> {
  const rows = await sql<{ name: JobFileName; bytes: number }[]>`
    select name, sum(octet_length(bytes))::float8 as bytes from job_files where job_id = ${jobId} group by name`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

async function dropJobFile(sql: Sql | Tx, jobId: string, name: JobFileName): Promise<void> {
  await sql`delete from job_files where job_id = ${jobId} and name = ${name}`;
}

/** Deletes the files of an upload that did not become a job. */
export async function dropJobFiles(sql: Sql, jobId: string): Promise<void> {
  await sql`delete from job_files where job_id = ${jobId}`;
}

/** Deletes uploads that never became a job, files of deleted jobs, and the input of jobs that are done. */
export async function forgetJobFiles(sql: Sql): Promise<void> {
  await sql`
    delete from job_files f
    where f.created_at < now() - interval '1 day' and not exists (
      select 1 from jobs j where j.id = f.job_id and (f.name not in ('input', 'mapping') or j.state <> 'done'))`;
}
