/** Keeps answers until the index changes: people turn pages, and repeat the searches of others. */
import { LruCache } from "../../lru-cache.ts";

/** An answer with facets takes some kilobytes. */
const MOST_KEPT = 500;
/** Milliseconds. Callers share a search that is still running, but not one older than this: its connection may be silent. */
const PATIENCE = 5_000;

type Kept<T> = { answer: Promise<T>; begun: number; isThere: boolean };

export type AnswerCache<T> = {
  /** @param stamp must change whenever the answer could change */
  get(stamp: string, key: string, make: () => Promise<T>): Promise<T>;
};

/** Drops the least recently used answers first. Equal searches at the same time share one answer. */
export function cacheAnswers<T>(): AnswerCache<T> {
  let currentStamp = "";
  let kept = new LruCache<string, Kept<T>>(MOST_KEPT);
  const isGood = (one: Kept<T>) => one.isThere || performance.now() - one.begun < PATIENCE;
  return {
    get(stamp, key, make) {
      if (stamp !== currentStamp) {
        currentStamp = stamp;
        kept = new LruCache(MOST_KEPT);
      }
      const mine = kept;
      const known = mine.get(key);
      const one = known && isGood(known) ? known : pendingAnswer(make());
      mine.set(key, one);
      one.answer.catch(() => {
        if (mine.get(key) === one) mine.delete(key);
      });
      return one.answer;
    },
  };
}

function pendingAnswer<T>(answer: Promise<T>): Kept<T> {
  const one: Kept<T> = { answer, begun: performance.now(), isThere: false };
  answer.then(
    () => {
      one.isThere = true;
    },
    () => undefined,
  );
  return one;
}
