/** Buffers the results of a bulk write, since a client may send all lines before it reads the first result. */

/** Bytes of buffered results: about 140,000 lines. */
const MOST = 16 * 1024 * 1024;
/** Milliseconds without a read after which a full buffer counts as unread. */
const PATIENCE_MS = 60_000;

/**
 * The lines as a stream. Client and service must not wait for each other for ever: the client to send, and the
 * service to be read. If the buffer is full for too long, `unread` is called. Then the lines must end soon, and all
 * that still come are buffered.
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
