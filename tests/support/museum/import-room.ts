/** A museum for tests of imports: empty before each test. Shows imported records as lines of text. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { ImportSource } from "../../../src/imports/source.ts";
import { Problem } from "../../../src/problem.ts";
import type { Services } from "../../../src/services.ts";
import { type Choices, emptied, type Imported, importText } from "./importing.ts";
import { type DatabaseKind, type Museum, openMuseum } from "./museum.ts";

export const TITLES = { No: "__idno__", Title: "title" };
export const MAKERS = { ...TITLES, Maker: "__relation:created_by:entity__" };

export type ImportRoom = ReturnType<typeof importRoom>;

/** Rows per batch, so that a short list has several batches. */
export const SMALL_BATCH = 40;

/** Call it inside `describe`. `usual`: options for every import that does not override them. */
export function importRoom(database: DatabaseKind, usual: Choices = {}) {
  let museum: Museum;
  beforeAll(async () => {
    museum = await openMuseum({ database });
  });
  beforeEach(() => emptied(museum.services.sql));
  afterAll(() => museum.close());

  const records = async (kind = "object") => {
    const rows = await museum.services.sql<Record<string, unknown>[]>`
      select idno, title, status, subtype, metadata, version from records
      where record_type = ${kind} and deleted_at is null order by idno`;
    return rows.map((row) => ({ ...row }));
  };
  return {
    get museum(): Museum {
      return museum;
    },
    get services(): Services {
      return museum.services;
    },
    run: (
      content: string | Uint8Array | ImportSource,
      mapping: Record<string, unknown>,
      choices?: Choices,
    ): Promise<Imported> => importText(museum.services, content, mapping, { ...usual, ...choices }),
    records,
    /** `1 Harbour`: number and title. */
    titles: async (kind?: string): Promise<string[]> =>
      (await records(kind)).map(({ idno, title }) => `${idno} ${title}`),
    /** `1 created_by Ada`: number, relation and title. */
    links: async (): Promise<string[]> => {
      const rows = await museum.services.sql<{ text: string }[]>`
        select f.idno || ' ' || l.relation_type || ' ' || t.title as text
        from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id order by 1`;
      return rows.map(({ text }) => text);
    },
  };
}

/** The problem with which an import was refused. */
export function refusal(work: Promise<unknown>): Promise<Problem> {
  return work.then(
    () => expect.fail("was not refused"),
    (error) => (error instanceof Problem ? error : Promise.reject(error)),
  );
}
