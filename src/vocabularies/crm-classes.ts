/**
 * Classes of CIDOC CRM 7.1.3 and LRMoo 1.1.1 that a record of each type can be. The first is what it is when its subtype
 * names none. Narrow on purpose: each fits the properties by which records of its type are linked.
 */
import type { Kind } from "../records/kinds.ts";

const ACTIVITIES = [
  "crm:E7_Activity",
  "crm:E8_Acquisition",
  "crm:E9_Move",
  "crm:E10_Transfer_of_Custody",
  "crm:E11_Modification",
  "crm:E12_Production",
  "crm:E13_Attribute_Assignment",
  "crm:E14_Condition_Assessment",
  "crm:E15_Identifier_Assignment",
  "crm:E16_Measurement",
  "crm:E17_Type_Assignment",
  "crm:E65_Creation",
  "crm:E66_Formation",
  "crm:E79_Part_Addition",
  "crm:E80_Part_Removal",
  "crm:E85_Joining",
  "crm:E86_Leaving",
  "crm:E87_Curation_Activity",
  "crm:E96_Purchase",
] as const;

export const CRM_CLASSES = {
  object: [
    "crm:E22_Human-Made_Object",
    "crm:E19_Physical_Object",
    "crm:E20_Biological_Object",
    "crm:E25_Human-Made_Feature",
    "lrmoo:F5_Item",
  ],
  entity: [
    "crm:E39_Actor",
    "crm:E21_Person",
    "crm:E74_Group",
    "lrmoo:F11_Corporate_Body",
    "lrmoo:F39_Family",
  ],
  place: ["crm:E53_Place"],
  occurrence: [
    "crm:E5_Event",
    "crm:E4_Period",
    "crm:E6_Destruction",
    "crm:E63_Beginning_of_Existence",
    "crm:E64_End_of_Existence",
    "crm:E67_Birth",
    "crm:E68_Dissolution",
    "crm:E69_Death",
    "crm:E81_Transformation",
    ...ACTIVITIES,
    "lrmoo:F1_Work",
    "lrmoo:F2_Expression",
    "lrmoo:F3_Manifestation",
    "lrmoo:F18_Serial_Work",
    "lrmoo:F31_Performance",
  ],
  procedure: ACTIVITIES,
  collection: ["crm:E78_Curated_Holding"],
  storage_location: ["crm:E53_Place"],
} as const satisfies Record<Kind, readonly [string, ...string[]]>;
