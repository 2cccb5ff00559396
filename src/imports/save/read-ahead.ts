/**
 * Reads the next batch while the consumer works on the current one, so that reading continues while the database works.
 * Reading starts when the consumer first waits.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const ask = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    return iterator.next();
  };
  let next = ask();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = ask();
      // a failure waits until it is asked for
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}
