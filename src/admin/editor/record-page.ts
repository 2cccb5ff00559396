/** The page of one record: its form, and the sections next to it and below it. */
import { html } from "hono/html";
import type { Caller } from "../../caller.ts";
import { numberAsked } from "../../pages/parts.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import type { Problem } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { findRecord } from "../../records/read/store.ts";
import type { Metadata, RecordRow } from "../../records/record.ts";
import { currentSchema, type Field, type Schema } from "../../records/schema.ts";
import { visibleFields } from "../../records/visibility.ts";
import type { Services } from "../../services.ts";
import { listTerms } from "../../vocabularies/terms/store.ts";
import { demandRow, faultsOf, type OnRecord, refusal, type SideForm } from "../asked.ts";
import { locationSections, placeSection } from "../care/location-sections.ts";
import { faultsNamed } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { titleOf } from "../record-names.ts";
import { listPath, recordPath } from "../sections.ts";
import { valuesInWords } from "../values-in-words.ts";
import { beside, unsaved } from "./beside.ts";
import { MOST_CHOICES, type TermChoice } from "./controls.ts";
import { duplicateSection } from "./duplicate.ts";
import type { Editor } from "./editor.ts";
import { controlsOfRoles, inputsOfRows, type LinkRow } from "./link-wishes.ts";
import { unseenNote } from "./linked-drafts.ts";
import { linksSection } from "./links-section.ts";
import { mediaSection } from "./media-section.ts";
import { listOf, neighbourLinks } from "./neighbours.ts";
import { editorPage } from "./page.ts";
import { procedureSection } from "./procedure-section.ts";
import { rightsVocabulary } from "./rights-control.ts";
import { trashSection } from "./trash-section.ts";
import { typedTerms } from "./typed-terms.ts";
import { controlsOf, type Values, valuesOfRecord } from "./values.ts";

/** If the action is refused, the answer is the page of the record with the faults above its form. */
export const onRecord: OnRecord = async (services, view, kind, act, form = {}) => {
  const row = await demandRow(services, view, kind);
  try {
    return await act(row);
  } catch (error) {
    const refused = refusal(error);
    const schema = await currentSchema(services.sql, row.configuration_version);
    const parent = await numberOfParent(services, view.caller, row);
    const values = valuesOfRecord(schema, view.caller, row, parent);
    return recordPage(services, view, { kind, schema, row, values, refused, form });
  }
};

export type Shown = {
  kind: Kind;
  schema: Schema;
  row: RecordRow | null;
  /** The version when the form was opened; by default that of `row`. */
  version?: number;
  values: Values;
  links?: readonly LinkRow[];
  more?: string;
  refused?: Problem;
  /** The form that was refused, if it is not that of the fields. */
  form?: SideForm;
  conflict?: Editor["conflict"];
};

export async function recordPage(services: Services, view: PageView, shown: Shown): Promise<Response> {
  const { caller } = view;
  const { kind, schema, row, values, links = [], more = null, refused, conflict = null } = shown;
  const form = shown.form ?? inputsOfRows(links);
  const fields = visibleFields(schema, caller, kind);
  const paths = await locationPaths(services.sql, schema, caller, [view.t.language], row ? [row] : []);
  const title = row && (paths.get(row.id) ?? titleOf(view, schema, row));
  const faults = faultsNamed(view, schema, kind, refused ? faultsOf(refused) : []);
  const terms = await termsOf(services, fields);
  const controls = [...controlsOf(values), ...controlsOfRoles(links)];
  const typed = await typedTerms(services.sql, view, fields, controls);
  const theirs = { kind, metadata: Object.fromEntries(conflict?.theirs ?? []) as Metadata };
  const told = await valuesInWords(services.sql, view, schema, [theirs]);
  const version = shown.version ?? row?.version ?? null;
  const asked = { kind, row, version, title, values, fields, terms, typed, faults, form };
  const part = numberAsked(view, "part");
  const removed = view.c.req.query("removed") ?? null;
  const linked = row && (await linksSection(services, view, schema, row, part, removed));
  const around = row && linked && (await sections(services, view, schema, row, part, linked.links, form));
  const hasMaker = linked?.hasMaker ?? false;
  const editor: Editor = { ...asked, more, conflict, told, schema, links, hasMaker, list: listOf(view) };
  return adminAnswer(view, {
    at: listPath(kind),
    title: row ? (title ?? row.idno) : view.t(`admin.new.${kind}`),
    content: html`${row ? await neighbourLinks(services, view, schema, row) : ""}
      ${row?.status === "public" ? await unseenNote(services, view, row.id, recordPath(kind, row.id)) : ""}
      ${editorPage(view, editor, around && row ? beside(view, row, around.beside) : kind === "object" ? unsaved(view) : "", around?.below)}`,
    head: html`<script type="module" src="${view.asset("editor.js")}" nonce="${view.nonce}"></script>`,
    status: conflict ? 409 : refused?.status,
  });
}

/** Sections with their own forms: next to the fields, and below them. */
async function sections(
  services: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  part: number,
  links: Html,
  refused: SideForm,
): Promise<{ beside: Html | ""; below: Html }> {
  const last = html`${duplicateSection(view, row)}${await trashSection(services.sql, view, row)}`;
  const kind = row.record_type;
  if (kind === "object") {
    const location = await locationSections(services, view, schema, row, refused);
    const rights = await termsOf(services, [{ vocabulary: rightsVocabulary(schema) }]);
    const pictures = await mediaSection(services, view, row.id, part, [...rights.values()].flat());
    return { beside: html`${pictures}${location.now}`, below: html`${links}${location.before}${last}` };
  }
  const section = kind === "procedure" ? procedureSection : kind === "storage_location" ? placeSection : null;
  const first = section ? await section(services, view, schema, row, part) : "";
  return { beside: "", below: html`${first}${links}${last}` };
}

/** The number of the parent record, which people know, unlike its id. */
export async function numberOfParent({ sql }: Services, caller: Caller, row: RecordRow): Promise<string> {
  const parent = row.parent_id && (await findRecord(sql, caller, row.record_type, row.parent_id));
  return parent ? parent.idno : "";
}

/** The terms in the vocabularies of these fields. */
export async function termsOf(
  { sql }: Services,
  fields: readonly Pick<Field, "vocabulary">[],
): Promise<Map<string, readonly TermChoice[]>> {
  const names = new Set(fields.flatMap(({ vocabulary }) => vocabulary ?? []));
  const lists = await Promise.all(
    [...names].map(async (name) => {
      const terms = await listTerms(sql, name, {}, { limit: MOST_CHOICES + 1, offset: 0 });
      return [name, terms] as const;
    }),
  );
  return new Map(lists);
}
