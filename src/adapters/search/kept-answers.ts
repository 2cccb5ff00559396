/** Answers that hold as long as nothing changes: people turn pages, and ask what others asked. */

/** Answers kept; a page of hits with facets takes some kilobytes. */
const MOST_KEPT = 500;

export type KeptAnswers<T> = {
  /** @param stamp another one whenever an answer might be another one. */
  get(stamp: string, key: string, make: () => Promise<T>): Promise<T>;
};

/** Those asked for least recently go first. Two who ask for the same at once share the work. */
export function keepAnswers<T>(): KeptAnswers<T> {
  let held = "";
  let kept = new Map<string, Promise<T>>();
  return {
    get(stamp, key, make) {
      if (stamp !== held) {
        held = stamp;
        kept = new Map();
      }
      const mine = kept;
      const answer = mine.get(key) ?? make();
      mine.delete(key);
      mine.set(key, answer);
      if (mine.size > MOST_KEPT) mine.delete(mine.keys().next().value!);
      answer.catch(() => mine.delete(key));
      return answer;
    },
  };
}
