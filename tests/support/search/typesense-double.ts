/**
 * A double of a Typesense server, since not every machine has one. It speaks HTTP, stores and finds documents, and checks
 * every request and answer against schemas of the API (`typesense-schemas.ts`). It proves that the adapter uses the API as
 * documented. It proves nothing about how the real engine ranks, corrects or performs.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Catalogue } from "../../../src/adapters/search/typesense/catalogue.ts";
import {
  type Collection,
  documentsBy,
  importDocument,
  newCollection,
  searchIn,
  shownCollection,
} from "./typesense-engine.ts";
import { Refused, type Stored } from "./typesense-filter-by.ts";
import { answerFault, EXCHANGES, requestFault } from "./typesense-schemas.ts";

export type TypesenseDouble = {
  url: string;
  apiKey: string;
  /** Requests and answers that differ from the documentation. */
  faults: string[];
  /** Operations in the order in which they came. */
  operations: string[];
  /** `silent`: no answer. `unavailable`: 503 to everything. */
  state: "healthy" | "silent" | "unavailable";
  /** Ids of documents that an import refuses. */
  refused: Set<string>;
  collections: Map<string, Collection>;
  aliases: Map<string, string>;
  /** After `stop` and `start`, the data and the address are the same. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** A catalogue in which no record waits and no field has a value. */
export const EMPTY_CATALOGUE: Catalogue = {
  waiting: async () => [],
  find: async () => [],
  count: async () => [],
};

type Answer = { status: number; body: unknown };

export async function openTypesenseDouble(): Promise<TypesenseDouble> {
  let server: Server | null = null;
  let port = 0;
  const double: TypesenseDouble = {
    url: "",
    apiKey: `key-${crypto.randomUUID()}`,
    faults: [],
    operations: [],
    state: "healthy",
    refused: new Set(),
    collections: new Map(),
    aliases: new Map(),
    async stop() {
      const gone = server;
      server = null;
      gone?.closeAllConnections();
      if (gone) await new Promise((resolve) => gone.close(resolve));
    },
    async start() {
      server = createServer((request, response) => void serve(double, request, response));
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
      double.url = `http://127.0.0.1:${port}`;
    },
    close: () => double.stop(),
  };
  await double.start();
  return double;
}

async function serve(
  double: TypesenseDouble,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  if (double.state === "silent") return;
  const text = Buffer.concat(pieces).toString();
  const url = new URL(request.url!, double.url);
  const { operation, name } = operationOf(request.method!, decodeURIComponent(url.pathname));
  double.operations.push(operation);
  const { status, body } = await answerTo(double, request, { operation, name, url, text });
  const exchange = EXCHANGES[operation];
  const lines = exchange?.lines && status === 200 ? (body as unknown[]) : null;
  const fault = exchange && answerFault(exchange, status, body);
  if (fault) double.faults.push(`answer of ${operation} (${status}): ${fault}`);
  response
    .writeHead(status, {
      "Content-Type": lines ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
    })
    .end(lines ? lines.map((line) => JSON.stringify(line)).join("\n") : JSON.stringify(body));
}

function operationOf(method: string, path: string): { operation: string; name: string } {
  const [, room, name = "", ...rest] = path.split("/");
  const named = name === "" ? "" : "/:name";
  return { operation: `${method} /${[room + named, ...rest].join("/")}`, name };
}

type Request = { operation: string; name: string; url: URL; text: string };

async function answerTo(double: TypesenseDouble, request: IncomingMessage, asked: Request): Promise<Answer> {
  const { operation, url, text } = asked;
  if (double.state === "unavailable") {
    return operation === "GET /health"
      ? { status: 503, body: { ok: false } }
      : { status: 503, body: { message: "Not Ready or Lagging" } };
  }
  const exchange = EXCHANGES[operation];
  if (!exchange) {
    double.faults.push(`${operation} is not an operation that the adapter may use`);
    return { status: 404, body: { message: "Not Found" } };
  }
  if (operation !== "GET /health" && request.headers["x-typesense-api-key"] !== double.apiKey) {
    return {
      status: 401,
      body: { message: "Forbidden - a valid `x-typesense-api-key` header must be sent." },
    };
  }
  try {
    const bodies = exchange.lines ? text.split("\n").map(parsed) : [text === "" ? null : parsed(text)];
    const fault = requestFault(exchange, Object.fromEntries(url.searchParams), bodies);
    if (fault !== null) throw new Refused(400, fault);
    return perform(double, asked, exchange.lines ? bodies : bodies[0]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // 400 is a mistake of the adapter; other refusals may happen
    if (error.code === 400) double.faults.push(`${operation}: ${error.message}`);
    return { status: error.code, body: { message: error.message } };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, "Bad JSON.");
  }
}

function perform(double: TypesenseDouble, { operation, name, url }: Request, body: unknown): Answer {
  const { collections, aliases } = double;
  const collection = (own: string): Collection => {
    const found = collections.get(aliases.get(own) ?? own);
    if (!found)
      throw new Refused(
        404,
        operation.startsWith("DELETE") ? `No collection with name \`${own}\` found.` : "Not Found",
      );
    return found;
  };
  const alias = (): Answer => {
    const target = aliases.get(name);
    if (target === undefined) throw new Refused(404, "Not Found");
    return { status: 200, body: { name, collection_name: target } };
  };
  switch (operation) {
    case "GET /health":
      return { status: 200, body: { ok: true } };
    case "GET /collections": {
      const whole = url.searchParams.get("exclude_fields") !== "fields";
      return { status: 200, body: [...collections.values()].map((each) => shownCollection(each, whole)) };
    }
    case "POST /collections": {
      const made = body as { name: string; fields: [] };
      if (collections.has(made.name))
        throw new Refused(409, `A collection with name \`${made.name}\` already exists.`);
      collections.set(made.name, newCollection(made.name, made.fields));
      return { status: 201, body: shownCollection(collection(made.name)) };
    }
    case "GET /collections/:name":
      return { status: 200, body: shownCollection(collection(name)) };
    case "DELETE /collections/:name": {
      const gone = collection(name);
      collections.delete(gone.name);
      return { status: 200, body: shownCollection(gone) };
    }
    case "POST /collections/:name/documents/import": {
      const into = collection(name);
      return {
        status: 200,
        body: (body as Stored[]).map((document) => importedLine(double, into, document)),
      };
    }
    case "DELETE /collections/:name/documents": {
      const from = collection(name);
      const gone = documentsBy(from, url.searchParams.get("filter_by")!);
      for (const { id } of gone) from.documents.delete(id as string);
      return { status: 200, body: { num_deleted: gone.length } };
    }
    case "GET /aliases/:name":
      return alias();
    case "PUT /aliases/:name":
      aliases.set(name, (body as { collection_name: string }).collection_name);
      return alias();
    case "DELETE /aliases/:name": {
      const gone = alias();
      aliases.delete(name);
      return gone;
    }
    default: {
      const { searches } = body as { searches: ({ collection: string; q: string } & Stored)[] };
      const results = searches.map((search) => {
        try {
          return searchIn(collection(search.collection), search);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          if (error.code === 400) double.faults.push(`search: ${error.message}`);
          return { code: error.code, error: error.message };
        }
      });
      return { status: 200, body: { results } };
    }
  }
}

function importedLine({ refused }: TypesenseDouble, into: Collection, document: Stored) {
  try {
    if (refused.has(document.id as string)) throw new Refused(400, "The double was told to refuse it.");
    importDocument(into, document);
    return { success: true };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { success: false, code: error.code, error: error.message, document: JSON.stringify(document) };
  }
}
