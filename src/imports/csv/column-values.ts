/** Reads values for columns of a record that are not metadata: a status, coordinates, days. */
import { listOf, type Said, said } from "../../messages/said.ts";
import { languages, type MessageKey, translator } from "../../messages/translate.ts";
import { COLLECTION_STATUSES, type CollectionStatus, STATUSES, type Status } from "../../records/kinds.ts";
import { composed } from "../../text.ts";
import { brief, type ColumnTarget } from "../mapping/targets.ts";

export type MappedColumns = {
  status?: Status;
  collection_status?: CollectionStatus;
  lat?: number;
  lon?: number;
  /** The number (idno) of the parent as written in the source; it is looked up when the row is saved. */
  parent?: string;
  start_date?: string;
  end_date?: string;
  due_date?: string;
  reference_number?: string;
};

const STATUS_NAMES = {
  status: STATUSES.map((each) => [each, `status.${each}`] as const),
  collection_status: COLLECTION_STATUSES.map((each) => [each, `collectionStatus.${each}`] as const),
};

/** Whether this is the text of the message in any language. */
const isCalled = (key: MessageKey, text: string): boolean =>
  languages().some((language) => translator(language)(key).toLowerCase() === text.toLowerCase());

export function setColumn(
  columns: MappedColumns,
  name: ColumnTarget,
  value: string,
  fault: (detail: Said) => void,
): void {
  switch (name) {
    case "status":
    case "collection_status": {
      const meant = STATUS_NAMES[name].find(
        ([status, key]) => status === value.toLowerCase() || isCalled(key, value),
      );
      if (meant) Object.assign(columns, { [name]: meant[0] });
      else {
        const values = listOf(STATUS_NAMES[name].map(([, key]) => said(key)));
        fault(said("fault.not_listed", { value: brief(value), field: name, values }));
      }
      return;
    }
    case "lat":
    case "lon": {
      const limit = name === "lat" ? 90 : 180;
      const number = /^[+-]?\d+([.,]\d+)?(e[+-]?\d+)?$/.test(value)
        ? Number(value.replace(",", "."))
        : Number.NaN;
      if (Math.abs(number) <= limit) columns[name] = number;
      else fault(said("fault.row.degrees", { value: brief(value), limit: String(limit) }));
      return;
    }
    case "start_date":
    case "end_date":
    case "due_date":
      if (isDay(value)) columns[name] = value;
      else fault(said("fault.row.day", { value: brief(value) }));
      return;
    case "reference_number":
      if (value.length <= 200) columns[name] = value;
      else fault(said("fault.too_long", { most: 200 }));
      return;
    default:
      columns[name] = composed(value);
  }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
