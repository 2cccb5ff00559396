/** The changes to links in the versions of a record, in the reader's words. */
import { html } from "hono/html";
import { withSemicolons } from "../../messages/semicolons.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { notesInWords } from "../../portal/record/notes.ts";
import { attributedName, partedNotes } from "../../records/links/attributions.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import type { LinkChange } from "../../records/read/link-changes.ts";
import type { Entry, Metadata, RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { namePlainly } from "../field-names.ts";
import { nameOf } from "../record-names.ts";
import { recordPath } from "../sections.ts";
import { linkLabel } from "./link-words.ts";

/** The details of links in the words of terms, and the paths of storage locations. */
type ChangeWords = {
  inWords: Awaited<ReturnType<typeof notesInWords>>;
  paths: ReadonlyMap<string, string>;
};

export async function wordsOfChanges(
  sql: Sql,
  { t, caller }: View,
  schema: Schema,
  changes: readonly LinkChange[],
): Promise<ChangeWords> {
  const notes = changes.flatMap(({ from, to, link }) =>
    [from, to, link.metadata ?? null].filter((each) => each !== null),
  );
  const ends = changes.flatMap(({ end }) => end ?? []);
  const [inWords, paths] = await Promise.all([
    notesInWords(sql, t.language, notes),
    locationPaths(sql, schema, caller, [t.language], ends),
  ]);
  return { inWords, paths };
}

/** The rows for the links of a version: the differences of a changed link, or the whole of an added or removed one. */
export function linkRows(
  view: View,
  schema: Schema,
  row: RecordRow,
  { changes, more }: { changes: readonly LinkChange[]; more: number },
  words: ChangeWords,
  putBack: (change: LinkChange) => Html | "",
): Html[] {
  const rows = changes.flatMap((change) => {
    const { relation_type, end, from, to } = change;
    const label = linkLabel(view, schema, row, relation_type, to ?? from ?? {});
    if (from === null && to === null) {
      const what = linkIn(view, schema, end, change.link.metadata ?? {}, words);
      return [rowOf(label, html`–`, html`${view.t("history.notBack")} ${what}`)];
    }
    if (from === null || to === null) {
      const told = (notes: Metadata | null) => (notes ? linkIn(view, schema, end, notes, words) : html`–`);
      return [rowOf(label, told(from), to === null ? html`– ${putBack(change)}` : told(to))];
    }
    return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) => {
      const [before, after] = [from, to].map((notes) =>
        valueIn(view, schema, name, notes[name] ?? [], words),
      );
      const what = namePlainly(view, schema, row.record_type, name);
      const of = `${label} (${endName(view, schema, end, words)}): ${what}`;
      return before === after ? [] : [rowOf(of, html`${before}`, html`${after}`)];
    });
  });
  return more > 0 ? [...rows, rowOf(view.t("job.report.more", { count: more }), html``, html``)] : rows;
}

const rowOf = (name: string, was: Html, is: Html): Html =>
  html`<tr><th scope="row" dir="auto">${name}</th><td dir="auto">${was}</td><td dir="auto">${is}</td></tr>`;

const endName = (view: View, schema: Schema, end: RecordRow | null, { paths }: ChangeWords): string =>
  end ? (paths.get(end.id) ?? nameOf(view, schema, end)) : view.t("history.endGone");

/** The other record, with the details of the link: "workshop of Aert Moons, potter". A link, unless it is in the trash. */
export function linkIn(
  view: View,
  schema: Schema,
  end: RecordRow | null,
  metadata: Metadata,
  words: ChangeWords,
): Html {
  const notes = Object.entries(partedNotes(metadata).notes);
  const said = notes.map(([each, entries]) => valueIn(view, schema, each, entries, words));
  const name = attributedName(view.t, schema, metadata, endName(view, schema, end, words));
  const all = [name, ...said].join(", ");
  if (end === null) return html`<i>${all}</i>`;
  if (end.deleted_at !== null) return html`${all} <small>(${view.t("history.endInTrash")})</small>`;
  return html`<a href="${view.link(recordPath(end.record_type, end.id))}">${all}</a>`;
}

function valueIn(
  { t }: View,
  { qualifiers }: Schema,
  name: string,
  entries: readonly Entry[],
  words: ChangeWords,
): string {
  if (entries.length === 0) return "–";
  const told = (entry: Entry) => {
    const { value, lang } = entry;
    if (lang) return `${value} (${lang})`;
    return name === "qualifier"
      ? labelIn(qualifiers.get(value) ?? {}, t.language, value)
      : words.inWords(name, entry).value;
  };
  return withSemicolons(t, entries.map(told));
}
