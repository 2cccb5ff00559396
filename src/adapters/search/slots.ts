/** Places at the front of `record_search.terms` that hold the first value of each facet field. */
export const SLOTS = 32;
