/** Records in OAI-PMH (§2.5): header, metadata, and the licence of the metadata. */
import type { DeliveryFormat } from "../formats/delivery.ts";
import type { DeliveredView } from "../formats/view.ts";
import type { PublicDate } from "../records/public/dates.ts";
import { element, type Xml } from "../xml.ts";
import { identifierOf } from "./identifier.ts";

/** @param isGone deleted */
export function headerXml(baseUrl: string, date: PublicDate, isGone: boolean): Xml {
  const { id, record_type, datestamp, sets } = date;
  return element(
    "header",
    { status: isGone ? "deleted" : null },
    element("identifier", {}, identifierOf(baseUrl, record_type, id)),
    element("datestamp", {}, datestamp),
    [record_type, ...sets].map((set) => element("setSpec", {}, set)),
  );
}

/** @param view undefined: it was unpublished */
export function recordXml(
  baseUrl: string,
  format: DeliveryFormat,
  date: PublicDate,
  view: DeliveredView | undefined,
): Xml {
  const header = headerXml(baseUrl, date, view === undefined);
  if (view === undefined) return element("record", {}, header);
  return element("record", {}, header, element("metadata", {}, format.write(view)), rightsXml(view));
}

const RIGHTS = {
  xmlns: "http://www.openarchives.org/OAI/2.0/rights/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation":
    "http://www.openarchives.org/OAI/2.0/rights/ http://www.openarchives.org/OAI/2.0/rights.xsd",
};

/** The rights of the metadata, not of the object (https://www.openarchives.org/OAI/2.0/guidelines-rights.htm). */
function rightsXml({ museum }: DeliveredView): Xml | null {
  const { rights: ref } = museum;
  return ref === null
    ? null
    : element("about", {}, element("rights", RIGHTS, element("rightsReference", { ref })));
}
