/** The address of a record's page, and addresses among its values. */
import { type Kind, kinds } from "../records/kinds.ts";

export const recordAddress = ({ record_type, id }: { record_type: Kind; id: string }): string =>
  `/${kinds[record_type].plural}/${id}`;

/** Only http and https become links; an address of another scheme (`javascript:`) is shown as text. */
export const isAddress = (value: string): boolean => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);

/** The address without its scheme, for display. The link has the complete address. */
export const shortened = (address: string): string =>
  address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
