/** Keeps answers as long as nothing changes: people turn pages, and ask what others have asked. */

/** Answers kept; a page of hits with facets takes some kilobytes. */
const MOST_KEPT = 500;
/** Milliseconds that a question waits for the same question of somebody else, whose connection may have gone silent. */
const PATIENCE = 5_000;

type Kept<T> = { answer: Promise<T>; begun: number; isThere: boolean };

export type AnswerCache<T> = {
  /** @param stamp different whenever an answer may be different */
  get(stamp: string, key: string, make: () => Promise<T>): Promise<T>;
};

/** The answers asked for least recently are forgotten first. Two equal questions at the same time are answered once. */
export function cacheAnswers<T>(): AnswerCache<T> {
  let held = "";
  let kept = new Map<string, Kept<T>>();
  const isGood = (one: Kept<T>) => one.isThere || performance.now() - one.begun < PATIENCE;
  return {
    get(stamp, key, make) {
      if (stamp !== held) {
        held = stamp;
        kept = new Map();
      }
      const mine = kept;
      const known = mine.get(key);
      const one = known && isGood(known) ? known : begin(make());
      mine.delete(key);
      mine.set(key, one);
      if (mine.size > MOST_KEPT) mine.delete(mine.keys().next().value!);
      one.answer.catch(() => mine.delete(key));
      return one.answer;
    },
  };
}

function begin<T>(answer: Promise<T>): Kept<T> {
  const one: Kept<T> = { answer, begun: performance.now(), isThere: false };
  answer.then(
    () => {
      one.isThere = true;
    },
    () => undefined,
  );
  return one;
}
