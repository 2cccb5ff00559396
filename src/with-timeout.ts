/** The result of the work, or null if it takes longer than this. The work itself is not stopped. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(null), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
