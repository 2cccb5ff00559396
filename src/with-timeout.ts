/**
 * The result of the work, or null if it takes longer than this. Throws the reason of the signal if that aborts first. The work
 * itself is not stopped.
 */
export function withTimeout<T>(
  work: Promise<T>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<T | null> {
  let late: ReturnType<typeof setTimeout>;
  let stop: () => void;
  return new Promise<T | null>((resolve, reject) => {
    late = setTimeout(() => resolve(null), milliseconds);
    stop = () => reject(signal!.reason);
    signal?.addEventListener("abort", stop);
    work.then(resolve, reject);
  }).finally(() => {
    clearTimeout(late);
    signal?.removeEventListener("abort", stop);
  });
}
