/** A load generator in a separate process: keep-alive connections, each sending the next request after an answer. */
import { connect } from "node:net";
import { pathToFileURL } from "node:url";

/**
 * Requests answered in `seconds` over `connections`, taking the addresses in turn; throws when an answer is not 200.
 */
export function load(
  urls: string | readonly string[],
  connections: number,
  seconds: number,
): Promise<number> {
  const all = [urls].flat().map((url) => new URL(url));
  const { hostname, port } = all[0]!;
  let asked = 0;
  const request = () => {
    const { pathname, search } = all[asked++ % all.length]!;
    return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
  };
  const end = performance.now() + seconds * 1000;
  let answered = 0;
  return Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => socket.write(request()));
          let pending = "";
          socket.setEncoding("latin1");
          socket.on("error", reject);
          socket.on("data", (chunk: string) => {
            pending += chunk;
            const head = pending.indexOf("\r\n\r\n");
            if (head === -1) return;
            if (!pending.startsWith("HTTP/1.1 200")) {
              reject(new Error(pending.slice(0, 300)));
              socket.destroy();
              return;
            }
            const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, head))?.[1]);
            if (pending.length < head + 4 + length) return;
            pending = pending.slice(head + 4 + length);
            answered += 1;
            if (performance.now() < end) socket.write(request());
            else {
              socket.destroy();
              resolve();
            }
          });
        }),
    ),
  ).then(() => answered);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , url, connections, seconds] = process.argv;
  console.log(await load(url!, Number(connections), Number(seconds)));
}
