/** Cantaloupe, an external image server (https://cantaloupe-project.github.io/manual/5.0/endpoints.html). */
import type { ImageServer } from "../../services.ts";

const TIMEOUT_MS = 2_000;

export function cantaloupeImages(url: string): ImageServer {
  return {
    get: (path, signal) => fetch(`${url}/iiif/3/${path}`, { redirect: "manual", signal }),
    async ping() {
      let status = await statusOf(`${url}/health`);
      // the health endpoint may be switched off; then the image endpoint is asked
      if (status === 403 || status === 404) status = await statusOf(`${url}/iiif/3`);
      if (status >= 300) {
        throw Object.assign(new Error(`Cantaloupe answers ${status}`), { code: `HTTP_${status}` });
      }
    },
  };
}

async function statusOf(address: string): Promise<number> {
  let answer: Response;
  try {
    // a redirect could lead to an address that only this program can reach
    answer = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "TimeoutError") throw cause;
    // what `fetch` throws differs between runtimes
    throw Object.assign(new Error("Cantaloupe cannot be reached", { cause }), { code: "UNREACHABLE" });
  }
  await answer.body?.cancel();
  return answer.status;
}
