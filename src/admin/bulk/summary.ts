/** One line for each batch edit: "Status of 30 objects → public". */
import { mayDo } from "../../caller.ts";
import { maySee } from "../../jobs/shown.ts";
import { findJobs } from "../../jobs/store.ts";
import { labelIn } from "../../pages/texts.ts";
import type { StaffView, View } from "../../pages/view.ts";
import type { Edit } from "../../records/batch/edit-plan.ts";
import type { ListedImport } from "../../records/batch/imports-list.ts";
import type { Kind } from "../../records/kinds.ts";
import { idsOf } from "../../records/record.ts";
import { currentSchema, relationLabels, type Schema } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { namePlainly } from "../field-names.ts";
import { endOf } from "../record-names.ts";
import { type InWords, valuesInWords } from "../values-in-words.ts";

/** The most characters of a value. */
const LONGEST = 80;

type Done = { kind: Kind; edit: Edit; end: string; count: number };

/** By id. Leaves out edits whose job was deleted, and those that the reader may not see. */
export async function summariesOf(
  sql: Sql,
  view: StaffView,
  edits: readonly Pick<ListedImport, "id" | "record_type" | "updated">[],
): Promise<Map<string, string>> {
  if (edits.length === 0) return new Map();
  const schema = await currentSchema(sql);
  const jobs = await findJobs(sql, idsOf(edits));
  const seen = new Map(
    jobs.filter((job) => maySee(view.caller, job)).map((job) => [job.id, job.params.edit as Edit]),
  );
  const words = await valuesInWords(
    sql,
    view,
    schema,
    edits.flatMap(({ id, record_type: kind }) => {
      const edit = seen.get(id);
      return edit && "entries" in edit ? { kind, metadata: { [edit.field]: [...edit.entries] } } : [];
    }),
  );
  const told = await Promise.all(
    edits.map(async ({ id, record_type: kind, updated: count }) => {
      const edit = seen.get(id);
      if (!edit || !mayDo(view.caller, "read", kind)) return [];
      const end = await endOf(sql, view, schema, edit);
      return [[id, summaryOf(view, schema, words, { kind, edit, end, count })] as const];
    }),
  );
  return new Map(told.flat());
}

function summaryOf(view: View, schema: Schema, told: InWords, { kind, edit, end, count }: Done): string {
  const { t } = view;
  const one = t(`kind.one.${kind}`);
  const what = t("job.count.of_kind", { count, one, many: t(`kind.many.${kind}`) });
  const fieldOf = (name: string) => namePlainly(view, schema, kind, name);
  switch (edit.what) {
    case "set":
    case "add":
      return t(`bulk.did.${edit.what}`, {
        ...{ what, field: fieldOf(edit.field), value: shortened(told(kind, edit.field, edit.entries)) },
      });
    case "empty":
      return t("bulk.did.empty", { what, field: fieldOf(edit.field) });
    case "column": {
      const value = told(kind, edit.column, edit.value);
      return t("bulk.did.set", { what, field: fieldOf(edit.column), value });
    }
    case "status":
      return t("bulk.did.set", { what, field: t("admin.status"), value: t(`status.${edit.status}`) });
    case "link":
      return edit.day
        ? t("bulk.did.move", { what, end })
        : t("bulk.did.link", {
            ...{ what, end },
            link: labelIn(relationLabels(schema, edit.relation_type), t.language, edit.relation_type),
          });
    case "trash":
      return t("bulk.did.trash", { what });
  }
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text);
