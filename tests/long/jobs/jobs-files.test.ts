/** Files of jobs whose size needs more than four bytes. */
import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../../src/ids.ts";
import { jobFileSizes, writeJobFile } from "../../../src/jobs/files.ts";
import { openMuseum, quickest } from "../../support/museum/museum.ts";

describe("the file of a job", () => {
  it("may be larger than two gigabytes", async () => {
    const museum = await openMuseum({ database: quickest });
    const { sql } = museum.services;
    onTestFinished(() => museum.close());
    const id = newId();
    const file = await writeJobFile(sql, id, "input");
    await file.write(new Uint8Array(100));
    expect(await file.end()).toBe(100);
    // all of the same character, so that they need little space
    await sql`insert into job_files (job_id, name, part, bytes) values (${id}, 'input', 1, repeat(' ', 16000000)::bytea)`;
    await sql`
      insert into job_files (job_id, name, part, bytes)
      select job_id, name, n, bytes from job_files, generate_series(2, 140) n where job_id = ${id} and part = 1`;
    expect(await jobFileSizes(sql, id)).toEqual(new Map([["input", 100 + 140 * 16_000_000]]));
  });
});
