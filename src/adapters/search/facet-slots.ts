/** The first elements of `terms`: each holds the first value of one facet field. Further values stand behind them. */
export const SLOTS = 32;

/** The term under which records with further values of a field are counted. */
export const furtherTerm = (field: number): number => field << 24;
