/** Maps relations to linked data: a path from the first end to the other, used in both directions. */
import { LruCache } from "../../../lru-cache.ts";
import type { RelationType } from "../../../records/schema.ts";
import { type Class, isClass, isProperty, mayHave, mayLeadTo, type Property } from "./crm.ts";

/** A node between both ends. `at`: the record of which it is a part, or `link` for one node per link. */
export type Between = {
  at: "from" | "to" | "link";
  name: string;
  kind: Class;
  /** What classifies the node: the role of the link, or its relation type. */
  typedBy?: "role" | "relation";
  /** For the attribution of a qualified maker: the property that a link without a qualifier states. */
  attributes?: Property;
};

/** Property, node, property … */
export type Path = readonly (Property | Between)[];

/** `for`: only links with a role, or only links without one. */
type Alternative = { for?: "role" | "plain"; path: Path };

const from = (name: string, kind: Class): Between => ({ at: "from", name, kind });
const to = (name: string, kind: Class): Between => ({ at: "to", name, kind });
const roleIn = (name: string, kind: Class): Between => ({ at: "link", name, kind, typedBy: "role" });

const PRODUCTION = from("production", "E12_Production");
const BIRTH = from("birth", "E67_Birth");
const DEATH = from("death", "E69_Death");
const PART: Between = roleIn("part", "E7_Activity");

const CREATIONS = [
  ["work-creation", "F27_Work_Creation", "R16_created", "R16i_was_created_by"],
  ["expression-creation", "F28_Expression_Creation", "R17_created", "R17i_was_created_by"],
  ["manifestation-creation", "F30_Manifestation_Creation", "R24_created", "R24i_was_created_through"],
] as const;

/** Nodes of which a record has one, shared by its fields and links. */
const ONE_EACH: Partial<Record<Class, Between>> = {
  E12_Production: PRODUCTION,
  E8_Acquisition: from("acquisition", "E8_Acquisition"),
  E67_Birth: BIRTH,
  E69_Death: DEATH,
  E66_Formation: from("formation", "E66_Formation"),
  E68_Dissolution: from("dissolution", "E68_Dissolution"),
  E73_Information_Object: from("content", "E73_Information_Object"),
};

/** Paths that depend on the classes of the ends. The first that suits is used. */
export const PATHS: Readonly<Record<string, readonly Alternative[]>> = {
  created_by: [
    {
      for: "role",
      path: [
        "P108i_was_produced_by",
        PRODUCTION,
        "P9_consists_of",
        roleIn("production", "E12_Production"),
        "P14_carried_out_by",
      ],
    },
    { path: ["P108i_was_produced_by", PRODUCTION, "P14_carried_out_by"] },
  ],
  owned_by: [{ path: ["P52_has_current_owner"] }],
  kept_by: [{ path: ["P50_has_current_keeper"] }],
  subject_of_procedure: (
    [
      "P24i_changed_ownership_through",
      "P30i_custody_transferred_through",
      "P25i_moved_by",
      "P34i_was_assessed_by",
      "P112i_was_diminished_by",
      "P31i_was_modified_by",
      "P16i_was_used_for",
    ] as const
  ).map((property) => ({ path: [property] })),
  participated_in: [
    ...CREATIONS.flatMap(([name, kind, created]): Alternative[] => [
      { for: "role", path: ["P14i_performed", PART, "P9i_forms_part_of", to(name, kind), created] },
      { for: "plain", path: ["P14i_performed", to(name, kind), created] },
    ]),
    { for: "role", path: ["P14i_performed", PART, "P9i_forms_part_of"] },
    { path: ["P11i_participated_in"] },
  ],
  took_place_at: CREATIONS.map(([name, kind, , createdBy]) => ({
    path: [createdBy, from(name, kind), "P7_took_place_at"],
  })),
  born_at: [
    { path: ["P95i_was_formed_by", from("formation", "E66_Formation"), "P7_took_place_at"] },
    {
      path: [
        "P92i_was_brought_into_existence_by",
        from("beginning", "E63_Beginning_of_Existence"),
        "P7_took_place_at",
      ],
    },
  ],
  died_at: [
    { path: ["P99i_was_dissolved_by", from("dissolution", "E68_Dissolution"), "P7_took_place_at"] },
    { path: ["P93i_was_taken_out_of_existence_by", from("end", "E64_End_of_Existence"), "P7_took_place_at"] },
  ],
  related_to: [{ path: ["P70i_is_documented_in", from("record", "E31_Document"), "P67_refers_to"] }],
};

/** For a relation without a suitable property. */
const GENERIC: Path = [
  "P140i_was_attributed_by",
  { at: "link", name: "link", kind: "E13_Attribute_Assignment", typedBy: "relation" },
  "P141_assigned",
];

/** For a link that qualifies its maker: what the path would state at its end is a matter of an attribution of its own. */
export function attributedPath(path: Path): Path {
  const isGeneric = path === GENERIC;
  const attribution: Between = {
    at: "link",
    name: "attribution",
    kind: "E13_Attribute_Assignment",
    attributes: path.at(-1) as Property,
    ...(isGeneric ? { typedBy: "relation" } : {}),
  };
  return [...(isGeneric ? [] : path.slice(0, -1)), "P140i_was_attributed_by", attribution, "P141_assigned"];
}

/** The path of a link: the one of its relation type, else the first that suits both ends. */
export function pathOf(
  type: RelationType,
  ends: { from: readonly Class[]; to: readonly Class[] },
  hasRole: boolean,
): Path {
  const written = readPath(String(type.mapping.path ?? ""), type.name);
  const alternatives = [...(written ? [{ path: written }] : []), ...(PATHS[type.name] ?? [])];
  const found = alternatives.find(
    (each: Alternative) =>
      (each.for === undefined || (each.for === "role") === hasRole) && fits(each.path, ends),
  );
  return found?.path ?? GENERIC;
}

function fits(path: Path, ends: { from: readonly Class[]; to: readonly Class[] }): boolean {
  return (
    mayHave(ends.from, path[0] as Property) &&
    mayLeadTo(path.at(-1) as Property, ends.to) &&
    path.every((step, at) => {
      if (typeof step === "string") return true;
      return (
        mayLeadTo(path[at - 1] as Property, [step.kind]) && mayHave([step.kind], path[at + 1] as Property)
      );
    })
  );
}

const paths = new LruCache<string, Path | null>(1_000);

/**
 * Reads `P12i_was_present_at / E7_Activity (type finding) / P7_took_place_at`. Text in brackets and the class of the far
 * end are ignored. Null for any other form, and for unknown names.
 */
function readPath(written: string, relationType: string): Path | null {
  return paths.getOr(`${relationType} ${written}`, () => parsePath(written, relationType));
}

function parsePath(written: string, relationType: string): Path | null {
  const names = written
    .replace(/\([^()]*\)/g, "")
    .split("/")
    .map((name) => name.trim());
  if (names.length % 2 === 0) names.pop();
  const steps = names.map((name, at): Property | Between | null => {
    if (at % 2 === 0) return isProperty(name) ? name : null;
    if (!isClass(name)) return null;
    return ONE_EACH[name] ?? { at: "link", name: relationType, kind: name, typedBy: "relation" };
  });
  return steps.includes(null) ? null : (steps as Path);
}
