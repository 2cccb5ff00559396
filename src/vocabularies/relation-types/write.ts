/** Changes of relation types, and what must hold for them. */
import type { Account } from "../../caller.ts";
import { demandUnchanged, type Expected } from "../../http/answer/resource-answers.ts";
import { said } from "../../messages/said.ts";
import { type Fault, invalid, Problem } from "../../problem.ts";
import { oneOf } from "../../records/kinds.ts";
import { mayBeQualified } from "../../records/links/attributions.ts";
import { circleThrough } from "../../records/links/hierarchies.ts";
import type { RelationType } from "../../records/schema.ts";
import type { Services, Tx } from "../../services.ts";
import { changeConfiguration } from "../configuration-store.ts";
import { demandReader } from "../fields/write.ts";
import { demandSame } from "../shape.ts";
import { type RelationTypeDraft, type RelationTypeReplacement, relationTypeJson } from "./shape.ts";
import {
  countMisfits,
  countRelations,
  deleteRelationType,
  findRelationType,
  markRelationTypeChanged,
  namesakes,
  nextRelationTypeOrder,
  saveRelationType,
} from "./store.ts";

export async function createRelationType(
  services: Services,
  draft: RelationTypeDraft,
): Promise<RelationType> {
  return changeConfiguration(services.sql, async (tx) => {
    const type = complete(draft.name, draft, draft.sort_order ?? (await nextRelationTypeOrder(tx)));
    if (await findRelationType(tx, type.name)) {
      throw new Problem("conflict", said("problem.relation_type.exists"));
    }
    await demandUnique(tx, type);
    return saveRelationType(tx, type);
  });
}

/** `edit` makes the new definition from the current one. */
export async function changeRelationType(
  services: Services,
  caller: Account,
  name: string,
  expected: Expected,
  edit: (current: RelationType) => RelationTypeReplacement,
): Promise<RelationType> {
  return changeConfiguration(services.sql, async (tx) => {
    const before = await demandRelationType(tx, name, expected);
    const wish = edit(before);
    demandSame("name", wish.name, name);
    const after = complete(name, wish, wish.sort_order ?? before.sort_order);
    if (after.is_public && !before.is_public)
      for (const kind of before.from_types)
        demandReader(caller, kind, said("problem.relation_type.unreadable", { kind: oneOf(kind) }));
    await demandUnique(tx, after);
    const misfits = await countMisfits(tx, name, after.from_types, after.to_types);
    if (misfits > 0) {
      throw new Problem("conflict", said("problem.relation_type.misfits", { count: misfits }));
    }
    if (after.is_hierarchical && !before.is_hierarchical) await demandNoCircle(tx, caller, name);
    const written = await saveRelationType(tx, after);
    // both change search documents (`search/project.ts`)
    if (before.is_public !== after.is_public || mayBeQualified(before) !== mayBeQualified(after))
      await markRelationTypeChanged(tx, name, before.is_public && !after.is_public);
    return written;
  });
}

async function demandNoCircle(tx: Tx, caller: Account, name: string): Promise<void> {
  const circle = await circleThrough(tx, caller, name, "all");
  if (circle) {
    throw new Problem("conflict", said("problem.relation_type.circle", { records: circle.names }));
  }
}

export async function removeRelationType(
  services: Services,
  name: string,
  expected: Expected,
): Promise<void> {
  await changeConfiguration(services.sql, async (tx) => {
    await demandRelationType(tx, name, expected);
    const used = await countRelations(tx, name);
    if (used > 0) {
      throw new Problem("conflict", said("problem.relation_type.in_use", { count: used, relation: name }));
    }
    await deleteRelationType(tx, name);
  });
}

export function noRelationType(name: string): Problem {
  return new Problem("not_found", said("problem.relation_type.not_found", { name: name.slice(0, 80) }));
}

async function demandRelationType(tx: Tx, name: string, expected: Expected): Promise<RelationType> {
  const type = await findRelationType(tx, name);
  if (!type) throw noRelationType(name);
  await demandUnchanged(expected, relationTypeJson(type));
  return type;
}

/** A type that reads alike from both ends has one label and one list of ends. */
function complete(name: string, wish: RelationTypeReplacement, sort_order: number): RelationType {
  const symmetric = wish.inverse === name;
  const faults: Fault[] = [];
  if (!symmetric && !wish.inverse_label)
    faults.push({ pointer: "/inverse_label", detail: said("fault.required") });
  const sameEnds =
    wish.from_types.length === wish.to_types.length &&
    wish.from_types.every((kind) => wish.to_types.includes(kind));
  if (symmetric && !sameEnds) {
    faults.push({
      pointer: "/to_types",
      detail: said("fault.relation_type.symmetric_ends"),
    });
  }
  if (symmetric && wish.is_hierarchical) {
    faults.push({
      pointer: "/is_hierarchical",
      detail: said("fault.relation_type.symmetric_hierarchy"),
    });
  }
  if (faults.length > 0) throw invalid(faults);
  return { ...wish, name, inverse_label: wish.inverse_label ?? wish.label, sort_order };
}

/** Records name their links from either end, so that no name may stand for two things. */
async function demandUnique(tx: Tx, type: RelationType): Promise<void> {
  const [other] = await namesakes(tx, type);
  if (!other) return;
  const name = [type.name, type.inverse].find((own) => own === other.name || own === other.inverse);
  throw new Problem(
    "conflict",
    other.name === name
      ? said("problem.relation_type.name_taken", { name: other.name })
      : said("problem.relation_type.inverse_taken", { name: other.inverse, other: other.name }),
  );
}
