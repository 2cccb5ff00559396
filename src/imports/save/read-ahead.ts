/** Reads the next batch while the consumer works on the current one. Starts when the consumer first waits for the database. */
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
      // an error is thrown when the next batch is read
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}
