/** Typesense over its own client: few calls, checked answers, errors that carry neither key nor documents. */
import { Client } from "typesense";
import type { CollectionField, StoredRecord } from "./typesense-record.ts";

export type TypesenseOptions = {
  url: string;
  apiKey: string;
  /** Name of the alias that answers; collections begin with it. */
  name?: string;
  /** Until a question is given up. */
  patienceSeconds?: number;
  /** Until writing one batch is given up. */
  writingSeconds?: number;
};

/** The alias that answers, where no other name is given. */
export const RECORDS = "svc_records";

/** `status`: of the HTTP answer; null when there was none. */
export class TypesenseFailure extends Error {
  override name = "TypesenseFailure";
  readonly status: number | null;
  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

export type Search = Record<string, string | number | boolean>;

export type Found = {
  found: number;
  hits: { document: StoredRecord; highlight?: unknown; text_match?: number }[];
  facet_counts: { field_name: string; counts: { value: string; count: number }[] }[];
  search_cutoff?: boolean;
};

/** The collection that answers. */
export type Asked = {
  search(searches: readonly Search[]): Promise<Found[]>;
  /**
   * Its fields that came with records. Asked anew when one of `needed` is not among those that are known, or when `now`:
   * another instance may have written records with more spans a moment ago.
   */
  known(needed: readonly string[], now: boolean): Promise<ReadonlySet<string>>;
};

export type TypesenseServer = {
  /** All of one call, in their order. */
  search(collection: string, searches: readonly Search[]): Promise<Found[]>;
  /** Writes over what has the same id. Throws with the first records that were refused; the others are written. */
  write(collection: string, records: readonly StoredRecord[]): Promise<void>;
  /** Deletes what the filter finds, which stands in the address and may not be long. */
  remove(collection: string, filter: string): Promise<void>;
  /** The collection behind an alias; null when there is no such alias. */
  aliased(alias: string): Promise<string | null>;
  point(alias: string, collection: string): Promise<void>;
  unpoint(alias: string): Promise<void>;
  /** Does nothing when there is one of the name. */
  create(collection: string, fields: readonly CollectionField[]): Promise<void>;
  drop(collection: string): Promise<void>;
  /** Names of all collections, of whomever. */
  collections(): Promise<string[]>;
  /** Names of the fields of a collection, or of the one behind an alias. */
  fields(collection: string): Promise<string[]>;
  isWell(): Promise<boolean>;
};

/** Searches that Typesense takes in one call. */
export const MOST_SEARCHES = 50;
/** Of one batch: records and characters. */
const MOST_RECORDS = 500;
const MOST_CHARACTERS = 4_000_000;
const MOST_NAMED = 3;

export function typesenseServer(options: TypesenseOptions): TypesenseServer {
  const { url, apiKey, patienceSeconds = 5, writingSeconds = 60 } = options;
  const client = new Client({
    nodes: [{ url: url.replace(/\/+$/, "") }],
    apiKey,
    connectionTimeoutSeconds: patienceSeconds,
    // one: a connection that was kept may have been closed by the other side meanwhile
    numRetries: 1,
    retryIntervalSeconds: 0.1,
    logLevel: "silent",
  });

  /** What the client throws holds the request with its headers; only what it says of the answer is passed on. */
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw failureOf(error, apiKey);
    }
  }

  const unless = async <T>(status: number, question: () => Promise<T>): Promise<T | null> => {
    try {
      return await ask(question);
    } catch (error) {
      if (error instanceof TypesenseFailure && error.status === status) return null;
      throw error;
    }
  };

  return {
    async search(collection, searches) {
      const { results } = await ask(
        () =>
          client.multiSearch.perform({
            searches: searches.map((search) => ({ ...search, collection })) as never,
          }) as Promise<{ results: (Found & { code?: number; error?: string })[] }>,
      );
      for (const { code, error } of results) {
        if (error !== undefined) throw new TypesenseFailure(said(code, error, apiKey), code ?? null);
      }
      return results;
    },

    async write(collection, records) {
      for (const batch of batches(records)) {
        const answer = await within(
          writingSeconds,
          ask(() =>
            client
              .collections(collection)
              .documents()
              .import(batch.map(({ line }) => line).join("\n"), { action: "upsert", dirty_values: "reject" }),
          ),
        );
        const refused = answer
          .split("\n")
          .map((line) => JSON.parse(line) as { success: boolean; error?: string })
          .flatMap(({ success, error }, index) =>
            success ? [] : [{ id: batch[index]?.id, error: error ?? "no reason" }],
          );
        if (refused.length > 0) {
          const named = refused.slice(0, MOST_NAMED).map(({ id, error }) => `${id}: ${error.slice(0, 200)}`);
          throw new TypesenseFailure(
            `Typesense refused ${refused.length} of ${batch.length} records (${named.join("; ")})`,
          );
        }
      }
    },

    async remove(collection, filter) {
      await ask(() => client.collections(collection).documents().delete({ filter_by: filter }));
    },

    async aliased(alias) {
      const answer = await unless(404, () => client.aliases(alias).retrieve());
      return answer?.collection_name ?? null;
    },

    async point(alias, collection) {
      await ask(() => client.aliases().upsert(alias, { collection_name: collection }));
    },

    async unpoint(alias) {
      await unless(404, () => client.aliases(alias).delete());
    },

    async create(collection, fields) {
      await unless(409, () => client.collections().create({ name: collection, fields: [...fields] }));
    },

    async drop(collection) {
      await unless(404, () => client.collections(collection).delete());
    },

    async collections() {
      const all = await ask(() => client.collections().retrieve({ exclude_fields: "fields" }));
      return all.map(({ name }) => name);
    },

    async fields(collection) {
      const { fields } = await ask(() => client.collections(collection).retrieve());
      return fields.map(({ name }) => name);
    },

    async isWell() {
      const { ok } = await ask(() => client.health.retrieve());
      return ok;
    },
  };
}

/** Throws with the reason when the server cannot be used: it is not there, not well, or does not take the key. */
export async function greetTypesense(
  options: TypesenseOptions,
  server: TypesenseServer = typesenseServer(options),
): Promise<void> {
  if (!(await server.isWell())) throw new TypesenseFailure("Typesense says that it is not well");
  // a health report needs no key; this does
  await server.aliased(options.name ?? RECORDS);
}

/** In batches that are neither too many nor too long; one record that is too long goes alone. */
function* batches(records: readonly StoredRecord[]): Generator<{ id: string; line: string }[]> {
  let batch: { id: string; line: string }[] = [];
  let characters = 0;
  for (const record of records) {
    const line = JSON.stringify(record);
    if (batch.length > 0 && (batch.length >= MOST_RECORDS || characters + line.length > MOST_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push({ id: record.id, line });
    characters += line.length;
  }
  if (batch.length > 0) yield batch;
}

/** The client waits for an import as long as it takes, and would wait for ever for a server that says nothing. */
async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TypesenseFailure(`Typesense said nothing for ${seconds} seconds`)),
      seconds * 1_000,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(error: unknown, apiKey: string): TypesenseFailure {
  const { httpStatus, message, code } = error as { httpStatus?: number; message?: string; code?: string };
  if (typeof httpStatus === "number") {
    const [, reason = ""] = /Server said: (.*)/s.exec(message ?? "") ?? [];
    return new TypesenseFailure(said(httpStatus, reason, apiKey), httpStatus);
  }
  return new TypesenseFailure(`Typesense cannot be reached (${code ?? "no answer"})`);
}

function said(status: number | undefined, reason: string, apiKey: string): string {
  const plain = apiKey === "" ? reason : reason.replaceAll(apiKey, "…");
  return `Typesense answered ${status ?? "an error"}${plain === "" ? "" : `: ${plain.slice(0, 300)}`}`;
}
