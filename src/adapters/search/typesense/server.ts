/** Calls Typesense through its official client. Errors contain neither the key nor documents. */
import { Client } from "typesense";
import { withTimeout } from "../../../with-timeout.ts";
import { idsFilter } from "./filter.ts";
import type { StoredRecord } from "./record.ts";

export type TypesenseOptions = {
  url: string;
  apiKey: string;
  /** The alias that answers; names of collections begin with it. */
  alias?: string;
  /** Seconds until a search is abandoned. */
  searchSeconds?: number;
  /** Seconds until the write of a batch is abandoned. */
  writeSeconds?: number;
};

/** Parameters of one search. */
export type SearchParameters = Record<string, string | number | boolean>;

export type Found = {
  found: number;
  hits: { document: StoredRecord; highlight?: unknown; text_match?: number }[];
  facet_counts: { field_name: string; counts: { value: string; count: number }[] }[];
  search_cutoff?: boolean;
};

/** The default alias. */
export const ALIAS = "svc_records";

/** `status`: of the HTTP answer; null if there was none. */
export class TypesenseFailure extends Error {
  override name = "TypesenseFailure";
  readonly status: number | null;
  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

export type TypesenseServer = ReturnType<typeof typesenseServer>;

/** Records in one request. */
const MOST_WRITTEN = 100;
/** Refused records that an error names. */
const MOST_NAMED = 3;
/** Identifiers in one address. */
const MOST_REMOVED = 40;

export function typesenseServer({ url, apiKey, alias = ALIAS, ...limits }: TypesenseOptions) {
  // a search with its retry ends before `http/concurrency-limit.ts` gives a visitor up
  const { searchSeconds = 2, writeSeconds = 60 } = limits;
  const client = new Client({
    nodes: [{ url: url.replace(/\/+$/, "") }],
    apiKey,
    connectionTimeoutSeconds: searchSeconds,
    // one retry, because the server may have closed a connection that was kept open
    numRetries: 1,
    retryIntervalSeconds: 0.1,
    logLevel: "silent",
  });

  function refusal(status: number, reason: string): TypesenseFailure {
    const plain = apiKey === "" ? reason : reason.replaceAll(apiKey, "…");
    return new TypesenseFailure(`Typesense answered ${status}: ${plain.slice(0, 300)}`, status);
  }

  /** The client's errors contain the request with its headers, so only the status and message are passed on. */
  async function call<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await work(client);
    } catch (error) {
      const { httpStatus, message, code } = error as { httpStatus?: number; message?: string; code?: string };
      if (typeof httpStatus !== "number")
        throw new TypesenseFailure(`Typesense cannot be reached (${code ?? "no answer"})`);
      throw refusal(httpStatus, /Server said: (.*)/s.exec(message ?? "")?.[1] ?? "");
    }
  }

  /** Null if the answer has this status. */
  async function callUnless<T>(status: 404 | 409, work: (client: Client) => Promise<T>): Promise<T | null> {
    try {
      return await call(work);
    } catch (error) {
      if (error instanceof TypesenseFailure && error.status === status) return null;
      throw error;
    }
  }

  /** The collection behind an alias; null if there is no such alias. */
  async function aliasTarget(name: string): Promise<string | null> {
    const found = await callUnless(404, () => client.aliases(name).retrieve());
    return found?.collection_name ?? null;
  }

  async function search(searches: readonly SearchParameters[]): Promise<Found[]> {
    type Result = Found | { code: number; error: string };
    const { results } = await call(() => client.multiSearch.perform({ searches: searches as never }));
    return (results as unknown as Result[]).map((result) => {
      if ("error" in result) throw refusal(result.code, result.error);
      return result;
    });
  }

  /** Adds records, or replaces those with the same id. If some are refused, writes the others and throws. */
  async function write(collection: string, records: readonly StoredRecord[]): Promise<void> {
    const documents = client.collections<StoredRecord>(collection).documents();
    for (let at = 0; at < records.length; at += MOST_WRITTEN) {
      const batch = records.slice(at, at + MOST_WRITTEN);
      const written = call(() =>
        documents.import(batch, { action: "upsert", dirty_values: "reject", throwOnFail: false }),
      );
      // the client has no time limit for imports
      const results = await withTimeout(written, writeSeconds * 1_000);
      if (results === null)
        throw new TypesenseFailure(`Typesense did not answer within ${writeSeconds} seconds`);
      if (results.length !== batch.length)
        throw new TypesenseFailure(`Typesense answered for ${results.length} of ${batch.length} records`);
      const refused = results.flatMap(({ success, error }, index) =>
        success ? [] : [`${batch[index]?.id}: ${(error ?? "no reason").slice(0, 200)}`],
      );
      if (refused.length > 0) {
        const named = refused.slice(0, MOST_NAMED).join("; ");
        throw new TypesenseFailure(
          `Typesense refused ${refused.length} of ${batch.length} records (${named})`,
        );
      }
    }
  }

  async function remove(collection: string, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += MOST_REMOVED) {
      const filter = idsFilter(ids.slice(at, at + MOST_REMOVED));
      if (filter !== null)
        await call(() => client.collections(collection).documents().delete({ filter_by: filter }));
    }
  }

  /** Throws with the reason if the server cannot be used: it is unreachable, not ready, or refuses the key. */
  async function check(): Promise<void> {
    const { ok } = await call(() => client.health.retrieve());
    if (!ok) throw new TypesenseFailure("Typesense reports that it is not healthy");
    // unlike the health check, this needs the key
    await aliasTarget(alias);
  }

  return { call, callUnless, aliasTarget, search, write, remove, check };
}
