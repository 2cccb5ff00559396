/** Changes of subtypes, and what must hold for them. */

import { demandUnchanged, type Expected } from "../../http/answer/resource-answers.ts";
import { said, saidFrom } from "../../messages/said.ts";
import { invalidAt, Problem } from "../../problem.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import type { Subtype } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { nearest, withNear } from "../../text/nearest.ts";
import { changeConfiguration, demandUnused } from "../configuration-store.ts";
import { CRM_CLASSES } from "../crm-classes.ts";
import { demandSame, NameShape } from "../shape.ts";
import { type SubtypeReplacement, subtypeJson } from "./shape.ts";
import {
  deleteSubtype,
  listSubtypes,
  nextSubtypeOrder,
  saveSubtype,
  subtypeUsage,
  takeDefault,
} from "./store.ts";

/** Creates the subtype or replaces it; the new default takes the place of the old one. */
export async function putSubtype(
  services: Services,
  kind: Kind,
  name: string,
  wish: SubtypeReplacement,
  expected: Expected,
): Promise<{ subtype: Subtype; created: boolean }> {
  demandSame("name", wish.name, name);
  const nameRead = NameShape.safeParse(name);
  if (!nameRead.success) {
    throw invalidAt("path:name", saidFrom(nameRead.error.issues[0]!.message));
  }
  demandClass(kind, wish.crm_class);
  return changeConfiguration(services.sql, async (tx) => {
    const all = await listSubtypes(tx, kind);
    const before = all.find((subtype) => subtype.name === name);
    if (before) await demandUnchanged(expected, subtypeJson(before));
    else if (expected !== null) throw noSubtype(kind, name, "stale");
    if (wish.is_default) await takeDefault(tx, kind, name);
    const sort_order = wish.sort_order ?? before?.sort_order ?? (await nextSubtypeOrder(tx, kind));
    const subtype = await saveSubtype(tx, {
      record_type: kind,
      name,
      label: wish.label,
      is_default: wish.is_default,
      sort_order,
      crm_class: wish.crm_class,
      form: wish.form,
    });
    return { subtype, created: !before };
  });
}

/** 422 for a class that no record of this kind can be. */
function demandClass(kind: Kind, name: string | null): void {
  const known: readonly string[] = CRM_CLASSES[kind];
  if (name === null || known.includes(name)) return;
  const detail = said("fault.subtype.class", { kind: said(`kind.many.${kind}`), known: known.join(", ") });
  throw invalidAt("/crm_class", withNear(detail, nearest(name, known)));
}

export async function removeSubtype(
  services: Services,
  kind: Kind,
  name: string,
  expected: Expected,
): Promise<void> {
  await changeConfiguration(services.sql, async (tx) => {
    const all = await listSubtypes(tx, kind);
    const before = all.find((subtype) => subtype.name === name);
    if (!before) throw noSubtype(kind, name);
    await demandUnchanged(expected, subtypeJson(before));
    const values = { kind: said(`kind.one.${kind}`), subtype: name };
    demandUnused(await subtypeUsage(tx, kind, name), "problem.subtype.in_use", values);
    if (all.length === 1) throw new Problem("conflict", said("problem.subtype.only_one", values));
    await deleteSubtype(tx, kind, name);
  });
}

export function noSubtype(kind: Kind, name: string, code: "not_found" | "stale" = "not_found"): Problem {
  const values = { type: kinds[kind].subtypeKey, name: name.slice(0, 80) };
  return new Problem(code, said("problem.subtype.not_found", values));
}
