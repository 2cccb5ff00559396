/** The results of a bulk write on their way to a client which may send all of its lines before it reads the first. */

/** Bytes of results that are kept for it: some 140,000 lines. */
const MOST = 16 * 1024 * 1024;
/** How long it may read nothing once that many wait. */
const PATIENCE_MS = 60_000;

/**
 * The lines as a stream. Neither side may wait for the other for ever: the client with sending, because nobody reads what
 * it sends, and the service with reading, because nobody reads what it answers. So once too much waits for too long,
 * `unread` is told, after which the lines must come to their end, and all that come are kept.
 */
export function answerStream(
  lines: AsyncGenerator<string>,
  unread: () => void,
  { most = MOST, patienceMs = PATIENCE_MS } = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let impatience: ReturnType<typeof setTimeout> | undefined;
  let ending = false;
  const give = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<boolean> => {
    const next = await lines.next();
    if (next.done) controller.close();
    else controller.enqueue(encoder.encode(next.value));
    return !next.done;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(impatience);
        if (ending || !(await give(controller)) || controller.desiredSize! > 0) return;
        impatience = setTimeout(async () => {
          ending = true;
          unread();
          try {
            while (await give(controller));
          } catch {
            // the client is gone
          }
        }, patienceMs);
      },
      async cancel() {
        clearTimeout(impatience);
        await lines.return(undefined);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: most }),
  );
}
