/** Places at the front of `terms` that hold the first value of each facet field. */
export const SLOTS = 32;

/** Under it the counts have the records with further values of a field: those that stand behind the places. */
export const furtherTerm = (field: number): number => field << 24;
