/**
 * Gives what the source gives and has the next in the making meanwhile, so that reading goes on while the database
 * works. The source begins after the taker's first wait, not before it.
 */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
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
