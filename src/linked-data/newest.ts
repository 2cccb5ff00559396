/** When what an export says of a record changed last: it may come from what the record is linked to. */
import type { LoadedRecord } from "./loaded.ts";

export function newest({ row, links, media, parent }: LoadedRecord): string {
  return [row, ...media, ...links.map(({ other }) => other), ...(parent ? [parent] : [])]
    .map(({ updated_at }) => updated_at)
    .sort()
    .at(-1)!;
}
