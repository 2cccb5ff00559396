/** The address of a record's page, and addresses among its values. */
import { type Kind, kinds } from "../records/kinds.ts";

export const recordAddress = ({ record_type, id }: { record_type: Kind; id: string }): string =>
  `/${kinds[record_type].plural}/${id}`;

/** Only these two: an address of another scheme is text, not a link (`javascript:`). */
export const isAddress = (value: string): boolean => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);

/** An address as people read it; the whole one is behind the link. */
export const shortened = (address: string): string =>
  address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
