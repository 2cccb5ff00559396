/** The preview of a dry run: the first records in full, then counts of what would be created and changed, by field. */

import { type Said, said, type Told } from "../../messages/said.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import type { RecordState } from "../../records/record.ts";
import { short } from "../csv/text-table.ts";
import type { RowOutcome } from "../options.ts";
import type { Unlinked } from "../save/deferred-links.ts";
import { createAttributions, qualifierIn } from "../save/qualified-makers.ts";
import { createXPathUsage } from "../xml/xpath-usage.ts";
import { countedUnits, type Unit } from "./counts.ts";
import { type Cell, columnNamed, type Example, type PreviewPart } from "./preview-text.ts";

/** How many created and changed records are shown in full. */
const SHOWN = 3;
/** A name without a record, for which none may be created. */
const notMade = (example: string): Said => said("job.preview.not_made", { example });

/** `lost`: the number of values that existing records would lose. */
type FieldTally = {
  created: number;
  changed: number;
  removed: number;
  example: string;
  lost: number;
  lost_example: string;
};
type LinkTally = { rows: number; not_made: number; example: Told; lost: number; lost_example: string };

export function createPreview({ kind, unit }: { kind: Kind; unit: Unit }) {
  const found = unit === "record" ? createXPathUsage() : null;
  const fields = new Map<string, FieldTally>();
  const links = new Map<string, LinkTally>();
  const attributions = createAttributions(unit);
  const media = { rows: 0, example: "" };
  const shown = { created: [] as Example[], updated: [] as Example[] };

  /** Field names in the order of the records. */
  const order: string[] = [];

  function tally(name: string, isNew: boolean, before: readonly string[], after: readonly string[]): void {
    const entry = fields.get(name)!;
    entry[isNew ? "created" : after.length > 0 ? "changed" : "removed"] += 1;
    const fresh = after.filter((value) => !before.includes(value));
    const lost = before.filter((value) => !after.includes(value));
    entry.example ||= short(joined(fresh.length > 0 ? fresh : after));
    entry.lost += lost.length;
    entry.lost_example ||= short(joined(lost));
  }

  function note(names: readonly string[]): void {
    names.forEach((name, place) => {
      if (fields.has(name)) return;
      fields.set(name, { created: 0, changed: 0, removed: 0, example: "", lost: 0, lost_example: "" });
      order.splice(place === 0 ? 0 : order.indexOf(names[place - 1]!) + 1, 0, name);
    });
  }

  function linksOf(name: string): LinkTally {
    const entry = links.get(name) ?? { rows: 0, not_made: 0, example: "", lost: 0, lost_example: "" };
    links.set(name, entry);
    return entry;
  }

  function takeOne({ row, mapped, result }: RowOutcome): void {
    if (result.outcome !== "created" && result.outcome !== "updated") return;
    const kept = new Set(result.keptLinks ?? []);
    const made = mapped.relations.filter((_, at) => !kept.has(at));
    for (const name of new Set(made.map((one) => `${one.relation_type} → ${one.to_type}`))) {
      const [first] = made.filter((one) => `${one.relation_type} → ${one.to_type}` === name);
      const entry = linksOf(name);
      entry.rows += 1;
      entry.example ||= short(first!.value);
    }
    attributions.take({ relations: made });
    for (const { named, to_type, title } of result.lostLinks ?? []) {
      const entry = linksOf(`${named} → ${to_type}`);
      entry.lost += 1;
      entry.lost_example ||= short(title);
    }
    if (mapped.media.length > 0) {
      media.rows += 1;
      media.example ||= short(mapped.media[0]!);
    }
    const isNew = result.outcome === "created";
    const before =
      "before" in result && result.before ? flat(kind, result.before) : new Map<string, string[]>();
    const after = "after" in result && result.after ? flat(kind, result.after) : before;
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => joined(before.get(name)) !== joined(after.get(name)),
    );
    note(changed);
    for (const name of changed) tally(name, isNew, before.get(name) ?? [], after.get(name) ?? []);
    const examples = shown[result.outcome];
    if (examples.length >= SHOWN) return;
    const found = (result.otherTitles ?? []).filter(({ title, value }) => title !== value);
    const relations = mapped.relations.map((link) => {
      const { relation_type, to_type, value } = link;
      const end = found.find((each) => each.record_type === to_type && each.value === value);
      return [`${relation_type}${qualifierIn(link)} →`, end ? `${value} (${end.title})` : value] as const;
    });
    const own = [...after].map(([name, values]) => [name, joined(values)] as const);
    const values: Example["values"] = isNew
      ? [...own, ...relations].map(([name, value]) => [name, short(value)])
      : changed.map((name) => [
          name,
          said("job.preview.change", { before: shownIn(before, name), after: shownIn(after, name) }),
        ]);
    examples.push({
      line: row.line,
      head: said(isNew ? "job.preview.create" : "job.preview.change_of", {
        line: String(row.line),
        number: result.idno,
      }),
      values,
    });
  }

  return {
    take(outcomes: readonly RowOutcome[]): void {
      for (const outcome of outcomes) {
        takeOne(outcome);
        found?.take(outcome);
      }
    },

    /** Corrects the counts for these rows, because some of their links would not be created. */
    unlinked(rows: readonly Unlinked[]): void {
      for (const { row, missing = [] } of rows) {
        const names = new Set<string>();
        for (const { relation_type, to_type, value } of missing) {
          const named = short(value);
          const name = `${relation_type} → ${to_type}`;
          names.add(name);
          const entry = links.get(name);
          if (entry?.example === named) entry.example = notMade(named);
          const example = shown.created.find(({ line }) => line === row.line);
          const pair = example?.values.find(
            ([key, text]) => key.startsWith(`${relation_type} `) && text === named,
          );
          if (pair) pair[1] = notMade(named);
        }
        for (const name of names) {
          const entry = links.get(name);
          if (entry) entry.not_made += 1;
        }
      }
    },

    parts(): PreviewPart[] {
      const parts: PreviewPart[] = [...shown.created, ...shown.updated];
      const loses = [...fields.values()].some((field) => field.lost > 0);
      if (fields.size > 0) {
        const columns = ["field", "created", "changed", "example", ...(loses ? ["lost", "example"] : [])];
        const lines = order.map((name): Cell[] => {
          const { created, changed, removed, example, lost, lost_example } = fields.get(name)!;
          return [name, created, changed + removed, example, ...(loses ? [lost, lost_example] : [])];
        });
        parts.push({ table: [columns.map(columnNamed), ...lines] });
      }
      if (links.size > 0) {
        const lacks = [...links.values()].some(({ not_made }) => not_made > 0);
        const loses = [...links.values()].some(({ lost }) => lost > 0);
        const columns = [
          ...["relation", `${unit}s`, ...(lacks ? ["links_not_made"] : []), "example"],
          ...(loses ? ["lost", "example"] : []),
        ];
        const lines = [...links].map(([name, { rows, not_made, example, lost, lost_example }]): Cell[] => [
          ...[name, rows, ...(lacks ? [not_made] : []), example],
          ...(loses ? [lost, lost_example] : []),
        ]);
        parts.push({ table: [columns.map(columnNamed), ...lines] });
      }
      parts.push(...attributions.tables());
      const asked = found?.rows() ?? [];
      if (asked.length > 0) parts.push({ table: [["records_found", "found_at"].map(columnNamed), ...asked] });
      if (media.rows > 0) {
        const units = countedUnits(media.rows, unit);
        parts.push(said("job.preview.media", { units, example: media.example }));
      }
      return parts;
    },

    json(): Record<string, unknown> {
      return {
        fields: Object.fromEntries(order.map((name) => [name, fields.get(name)])),
        relations: Object.fromEntries(links),
        attributions: attributions.json(),
        media,
      };
    },
  };
}

/** Between the values of an example. */
export const SEPARATOR = " | ";

/** Quotes a value that contains the separator, so that it does not look like several. */
const joined = (values: readonly string[] = []): string =>
  values.map((text) => (text.includes(SEPARATOR) ? JSON.stringify(text) : text)).join(SEPARATOR);

/** The state of a record as texts by field. */
function flat(kind: Kind, state: RecordState): Map<string, string[]> {
  const all = new Map([
    ["idno", [state.idno]],
    [kinds[kind].subtypeKey, [state.subtype]],
    ["status", [state.status]],
  ]);
  for (const column of kinds[kind].columns) {
    const value = state[column];
    if (value !== null) all.set(column, [String(value)]);
  }
  for (const [name, entries] of Object.entries(state.metadata))
    all.set(
      name,
      entries.map(({ value, lang }) => (lang ? `${value} [${lang}]` : value)),
    );
  return all;
}

/** The value of a field, or a word that means none. */
function shownIn(state: ReadonlyMap<string, readonly string[]>, name: string): Told {
  const values = state.get(name);
  return values === undefined ? said("job.preview.no_value") : short(joined(values));
}
