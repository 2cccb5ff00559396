/** When the export of a record changed last, including its linked records. */
import type { LoadedRecord } from "./loaded.ts";

export function newest({ row, links, media, parent }: LoadedRecord): string {
  return [row, ...media, ...links.map(({ other }) => other), ...(parent ? [parent] : [])]
    .map(({ updated_at }) => updated_at)
    .sort()
    .at(-1)!;
}
