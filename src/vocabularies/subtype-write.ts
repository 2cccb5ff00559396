/** Changes of subtypes, and what must hold for them. */

import { demandUnchanged, type Expected } from "../http/resource-answers.ts";
import { toldFrom } from "../messages/said.ts";
import { didYouMean } from "../nearest.ts";
import { invalid, Problem } from "../problem.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Subtype } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { changeConfiguration, demandUnused } from "./configuration-store.ts";
import { CRM_CLASSES } from "./crm-classes.ts";
import { demandSame, NameShape } from "./shape.ts";
import { type SubtypeReplacement, subtypeJson } from "./subtype-shape.ts";
import {
  deleteSubtype,
  listSubtypes,
  nextSubtypeOrder,
  saveSubtype,
  subtypeUsage,
  takeDefault,
} from "./subtype-store.ts";

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
    throw invalid([{ pointer: "path:name", detail: toldFrom(nameRead.error.issues[0]!.message) }]);
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
    });
    return { subtype, created: !before };
  });
}

/** 422 for a class that no record of this kind can be. */
function demandClass(kind: Kind, name: string | null): void {
  const known: readonly string[] = CRM_CLASSES[kind];
  if (name === null || known.includes(name)) return;
  throw invalid([
    {
      pointer: "/crm_class",
      detail: `is not a possible class of ${kinds[kind].one}; choose one of: ${known.join(", ")}${didYouMean(name, known)}`,
    },
  ]);
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
    demandUnused(
      await subtypeUsage(tx, kind, name),
      `${kind} subtype ${name}`,
      "give them another subtype first",
    );
    if (all.length === 1) {
      throw new Problem(
        "conflict",
        `${name} is the only ${kinds[kind].subtypeKey}, and every record needs one`,
      );
    }
    await deleteSubtype(tx, kind, name);
  });
}

export function noSubtype(kind: Kind, name: string, code: "not_found" | "stale" = "not_found"): Problem {
  return new Problem(code, `There is no ${kinds[kind].subtypeKey} ${JSON.stringify(name.slice(0, 80))}`);
}
