/** Listens on Deno, with the HTTP server of its own. */
import { type Address, type App, cannotListen, GRACE_MS, type Listening } from "./listening.ts";

/** What is used of Deno; its types are not installed. */
declare const Deno: {
  serve(options: {
    hostname: string;
    port: number;
    onListen(): void;
    handler(request: Request): Response | Promise<Response>;
  }): { addr: { port: number }; shutdown(): Promise<void> };
};

export async function listen(app: App, address: Address): Promise<Listening> {
  try {
    const server = Deno.serve({
      hostname: address.host,
      port: address.port,
      onListen: () => undefined,
      handler: (request) => app.fetch(request),
    });
    return {
      port: server.addr.port,
      // what is still open after that ends with the process: Deno cannot break off a shutdown once begun
      async stop() {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, GRACE_MS);
        });
        await Promise.race([server.shutdown(), late]);
        clearTimeout(timer);
      },
    };
  } catch (error) {
    throw cannotListen(error, address);
  }
}
