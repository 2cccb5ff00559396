/**
 * How facet values are arranged in the `terms` of a row. Position n of the first 32 has the first value of field number n, or
 * 0. All further values follow.
 */
export const FIRST_VALUES = 32;

/** The term under which records with further values of a field are counted. */
export const furtherTerm = (field: number): number => field << 24;
