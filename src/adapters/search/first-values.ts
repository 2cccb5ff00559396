/** The `terms` of a row begin with this many places. Each has the first value of one facet field; further values follow. */
export const FIRST_VALUES = 32;

/** The term under which records with further values of a field are counted. */
export const furtherTerm = (field: number): number => field << 24;
