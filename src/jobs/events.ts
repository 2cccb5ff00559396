/**
 * A job as a stream of server-sent events, produced only as fast as they are read. Each event contains the whole job,
 * so a broken stream loses nothing.
 */
import { isOver, type Job } from "./job.ts";

const LOOK_MS = 1_000;
/** Proxies close silent connections; the standard advises 15 seconds (WHATWG HTML §9.2.7). */
const SILENCE_MS = 15_000;
/** The lifetime of an access token. */
const LONGEST_MS = 900_000;
/** Milliseconds after which a browser reconnects. */
const AGAIN_MS = 3_000;

/**
 * @param seen the revision that the reader already has, or NaN @param look reads the job again; undefined if it is
 * gone, or the reader may no longer see it @param show the job as this reader may see it
 */
export function watchJob(
  first: Job,
  seen: number,
  look: () => Promise<Job | undefined>,
  {
    show,
    until,
    closed,
    failed,
  }: { show(job: Job): unknown; until: AbortSignal; closed(): void; failed(error: unknown): void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  let job: Job | undefined = first;
  let sent = seen;
  let spoken = 0;
  let controller: ReadableStreamDefaultController<Uint8Array>;

  function end(): void {
    if (ended.signal.aborted) return;
    clearTimeout(late);
    ended.abort();
    closed();
  }
  function close(): void {
    if (ended.signal.aborted) return;
    end();
    controller.close();
  }
  function say(text: string): void {
    spoken = performance.now();
    controller.enqueue(encoder.encode(text));
  }
  /** Waits for a change and sends it. */
  async function next(): Promise<void> {
    while (!ended.signal.aborted) {
      if (!job) return close();
      if (job.revision !== sent) {
        sent = job.revision;
        const over = isOver(job);
        say(`event: ${over ? job.state : "progress"}\nid: ${sent}\ndata: ${JSON.stringify(show(job))}\n\n`);
        return over ? close() : undefined;
      }
      if (performance.now() - spoken > SILENCE_MS) return say(": still there\n\n");
      await pause(LOOK_MS, ended.signal);
      if (!ended.signal.aborted) job = await look();
    }
  }

  const stream = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened;
      // something at once, so that the headers go out
      say(`retry: ${AGAIN_MS}\n\n`);
    },
    pull: () =>
      next().catch((error) => {
        if (ended.signal.aborted) return;
        failed(error);
        close();
      }),
    cancel: end,
  });
  // also closes a stream whose reader vanished silently
  const late = setTimeout(close, LONGEST_MS);
  if (until.aborted) close();
  else until.addEventListener("abort", close, { signal: ended.signal });
  return stream;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
