/** Lists the records that a dry run would create for names in links, with their rows and with records that they may duplicate. */
import { type Account, mayDo } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { namesInTree } from "../../records/batch/tree-ends.ts";
import { findCandidates } from "../../records/duplicates/candidates.ts";
import { loadCompared } from "../../records/duplicates/store.ts";
import type { Kind } from "../../records/kinds.ts";
import { currentSchema } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { nameKey } from "../../text.ts";
import { short } from "../csv/text-table.ts";
import type { RowOutcome } from "../options.ts";
import { andMore, LISTED } from "./counts.ts";
import { columnNamed, type PreviewPart } from "./preview-text.ts";

/** `lines`: the lines of the first rows with the name. `inTree`: the name has levels, so no other name means the same. */
export type NewName = { record_type: Kind; name: string; rows: number; lines: number[]; inTree?: true };
/** A new name that may be another spelling of a record (`idno`), or of a new name that more rows give or that is longer. */
export type AlikeName = {
  record_type: Kind;
  name: string;
  other: string;
  idno: string | null;
  id: string | null;
  score: number;
};

const LINES = 20;
const IN_TABLE = 30;

export function createNewNames() {
  const all = new Map<string, NewName>();
  return {
    take(outcomes: readonly RowOutcome[]): void {
      for (const { row, mapped, result } of outcomes) {
        if (!("id" in result)) continue;
        const matchOf = (kind: Kind) => mapped.relations.find(({ to_type }) => to_type === kind)?.match;
        const keyOf = (kind: Kind, name: string) => `${kind} ${nameKey(name, matchOf(kind))}`;
        for (const { record_type, title, inTree } of result.createdEnds ?? []) {
          const key = keyOf(record_type, title);
          if (all.size < LISTED && !all.has(key))
            all.set(key, { record_type, name: title, rows: 0, lines: [], ...(inTree ? { inTree } : {}) });
        }
        const named = mapped.relations.flatMap((link) =>
          namesInTree(link).map((name) => keyOf(link.to_type, name)),
        );
        for (const key of new Set(named)) {
          const known = all.get(key);
          if (!known) continue;
          known.rows += 1;
          if (known.lines.length < LINES) known.lines.push(row.line);
        }
      }
    },

    names: (): readonly NewName[] => [...all.values()],

    parts(alike: readonly AlikeName[]): PreviewPart[] {
      if (all.size === 0) return [];
      const lines = [...all.values()].slice(0, IN_TABLE).map(({ record_type, name, rows }) => {
        const others = alike.filter((one) => one.record_type === record_type && one.name === name);
        const shown = others.map(({ other, idno }) => (idno === null ? other : `${idno} ${other}`));
        return [said(`kind.one.${record_type}`), short(name), rows, short(shown.join(" | "))];
      });
      const heads = ["new_record", "new_name", "rows", "alike"].map(columnNamed);
      return [{ table: [heads, ...lines], more: andMore(all.size, lines.length) }];
    },
  };
}

/** New names that look like records that the caller may see, or like other new names. The most certain come first. */
export async function findAlike(
  { sql }: Pick<Services, "sql">,
  caller: Account,
  names: readonly NewName[],
): Promise<AlikeName[]> {
  const schema = await currentSchema(sql);
  const found: AlikeName[] = [];
  for (const kind of new Set(names.map(({ record_type }) => record_type))) {
    if (!mayDo(caller, "read", kind)) continue;
    const fresh = new Map(
      names
        .filter(({ record_type, inTree }) => record_type === kind && !inTree)
        .map((one, index) => [`new ${String(index).padStart(6, "0")}` as string, one] as const),
    );
    const known = new Map((await loadCompared(sql, schema, caller, kind)).map((one) => [one.id, one]));
    const compared = [...fresh].map(([id, { name }]) => ({ id, idno: "", title: name, authorities: [] }));
    for (const { ids, score } of await findCandidates([...known.values(), ...compared])) {
      const [one, other] = ids
        .flatMap((id) => fresh.get(id) ?? [])
        .sort((a, b) => a.rows - b.rows || a.name.length - b.name.length);
      if (!one) continue;
      const there = ids.map((id) => known.get(id)).find((each) => each);
      const is = there
        ? { other: there.title, idno: there.idno, id: there.id }
        : { other: other!.name, idno: null, id: null };
      found.push({ record_type: kind, name: one.name, ...is, score });
    }
  }
  return found.sort((a, b) => b.score - a.score).slice(0, LISTED);
}
