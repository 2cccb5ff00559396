/** A SPARQL 1.1 server for tests: Oxigraph behind HTTP, with the addresses of Oxigraph's own server. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { namedNode, Store } from "oxigraph";

export type GraphServer = {
  url: string;
  store: Store;
  /** Requests with credentials: the address and the `Authorization` header. */
  shown: readonly string[];
  close(): Promise<void>;
};

/**
 * @param token required for updates, as by QLever; paths other than /query and /update accept both, as QLever's does
 * @param refuses a text that it cannot read in an update
 */
export async function openGraphServer({
  token,
  refuses,
}: {
  token?: string;
  refuses?: string;
} = {}): Promise<GraphServer> {
  const shown: string[] = [];
  const store = new Store();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const form = new URLSearchParams(Buffer.concat(parts).toString("utf8"));
    const type = request.headers.accept ?? "";
    const { authorization } = request.headers;
    if (authorization) shown.push(`${request.url} ${authorization}`);
    const isUpdate = request.url !== "/query" && form.has("update");
    try {
      if (isUpdate && token !== undefined && authorization !== `Bearer ${token}`) {
        response.writeHead(401).end();
      } else if (isUpdate && refuses !== undefined && form.get("update")!.includes(refuses)) {
        response.writeHead(400, { "Content-Type": "text/plain" }).end(`cannot read ${refuses}`);
      } else if (isUpdate) {
        store.update(form.get("update")!);
        response.writeHead(204).end();
      } else if (request.url !== "/update") {
        const graphs = (name: string) => form.getAll(name).map((iri) => namedNode(iri));
        const isChosen = form.has("default-graph-uri") || form.has("named-graph-uri");
        const answer = store.query(form.get("query")!, {
          results_format: type,
          ...(isChosen
            ? { default_graph: graphs("default-graph-uri"), named_graphs: graphs("named-graph-uri") }
            : { use_default_graph_as_union: form.has("union-default-graph") }),
        });
        response.writeHead(200, { "Content-Type": type }).end(answer);
      } else response.writeHead(404).end();
    } catch (error) {
      response.writeHead(400, { "Content-Type": "text/plain" }).end((error as Error).message);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    store,
    shown,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
