/** Addresses among the values of records. */

/** Only these two: an address of another scheme is text, not a link (`javascript:`). */
export const isAddress = (value: string): boolean => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);

/** An address as people read it; the whole one is behind the link. */
export const shortened = (address: string): string =>
  address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
