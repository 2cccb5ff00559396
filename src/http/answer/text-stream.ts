/** Streams that are produced only as fast as they are read, so that they need little memory. */

export function textStream(pieces: AsyncIterator<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return streamOf(pieces, (text) => encoder.encode(text));
}

export const byteStream = (pieces: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> =>
  streamOf(pieces, (bytes) => bytes);

function streamOf<T, Bytes>(pieces: AsyncIterator<T>, bytes: (piece: T) => Bytes): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(bytes(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
