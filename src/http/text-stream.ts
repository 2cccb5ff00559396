/** Text that is made as fast as somebody reads it, so that nothing is held whole. */

/** @param stopping when it is aborted, the answer breaks off: the service ends */
export function textStream(
  pieces: AsyncIterator<string>,
  stopping: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      stopping.throwIfAborted();
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
