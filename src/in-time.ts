/** What has not come after so many milliseconds is not waited for: null, then. What it does goes on. */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(null), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
