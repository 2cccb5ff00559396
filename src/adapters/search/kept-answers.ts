/** Answers that hold as long as nothing changes: people turn pages, and ask what others asked. */

/** Answers kept; a page of hits with facets takes some kilobytes. */
const MOST_KEPT = 500;
/** Milliseconds after which nobody waits any more for what somebody else asked: its connection may have gone silent. */
const PATIENCE = 5_000;

type Kept<T> = { answer: Promise<T>; begun: number; isThere: boolean };

export type KeptAnswers<T> = {
  /** @param stamp another one whenever an answer might be another one. */
  get(stamp: string, key: string, make: () => Promise<T>): Promise<T>;
};

/** Those asked for least recently go first. Two who ask for the same at once share the work. */
export function keepAnswers<T>(): KeptAnswers<T> {
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
