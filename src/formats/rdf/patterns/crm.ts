/**
 * The part of CIDOC CRM 7.1.3 and LRMoo 1.1.1 that the catalogue uses: classes with their superclasses, properties with
 * their domain and range. A test compares both lists with the ontologies.
 */

/** Class → its direct superclasses. */
export const CLASSES = {
  E1_CRM_Entity: [],
  E2_Temporal_Entity: ["E1_CRM_Entity"],
  E3_Condition_State: ["E2_Temporal_Entity"],
  E4_Period: ["E2_Temporal_Entity", "E92_Spacetime_Volume"],
  E5_Event: ["E4_Period"],
  E6_Destruction: ["E64_End_of_Existence"],
  E7_Activity: ["E5_Event"],
  E8_Acquisition: ["E7_Activity"],
  E9_Move: ["E7_Activity"],
  E10_Transfer_of_Custody: ["E7_Activity"],
  E11_Modification: ["E7_Activity"],
  E12_Production: ["E11_Modification", "E63_Beginning_of_Existence"],
  E13_Attribute_Assignment: ["E7_Activity"],
  E14_Condition_Assessment: ["E13_Attribute_Assignment"],
  E15_Identifier_Assignment: ["E13_Attribute_Assignment"],
  E16_Measurement: ["E13_Attribute_Assignment"],
  E17_Type_Assignment: ["E13_Attribute_Assignment"],
  E18_Physical_Thing: ["E72_Legal_Object"],
  E19_Physical_Object: ["E18_Physical_Thing"],
  E20_Biological_Object: ["E19_Physical_Object"],
  E21_Person: ["E20_Biological_Object", "E39_Actor"],
  "E22_Human-Made_Object": ["E19_Physical_Object", "E24_Physical_Human-Made_Thing"],
  "E24_Physical_Human-Made_Thing": ["E18_Physical_Thing", "E71_Human-Made_Thing"],
  "E25_Human-Made_Feature": ["E24_Physical_Human-Made_Thing", "E26_Physical_Feature"],
  E26_Physical_Feature: ["E18_Physical_Thing"],
  E27_Site: ["E26_Physical_Feature"],
  E28_Conceptual_Object: ["E71_Human-Made_Thing"],
  E29_Design_or_Procedure: ["E73_Information_Object"],
  E30_Right: ["E89_Propositional_Object"],
  E31_Document: ["E73_Information_Object"],
  E32_Authority_Document: ["E31_Document"],
  E33_Linguistic_Object: ["E73_Information_Object"],
  E33_E41_Linguistic_Appellation: ["E33_Linguistic_Object", "E41_Appellation"],
  E34_Inscription: ["E33_Linguistic_Object", "E37_Mark"],
  E35_Title: ["E33_Linguistic_Object", "E41_Appellation"],
  E36_Visual_Item: ["E73_Information_Object"],
  E37_Mark: ["E36_Visual_Item"],
  E39_Actor: ["E77_Persistent_Item"],
  E41_Appellation: ["E90_Symbolic_Object"],
  E42_Identifier: ["E41_Appellation"],
  "E52_Time-Span": ["E1_CRM_Entity"],
  E53_Place: ["E1_CRM_Entity"],
  E54_Dimension: ["E1_CRM_Entity"],
  E55_Type: ["E28_Conceptual_Object"],
  E56_Language: ["E55_Type"],
  E57_Material: ["E55_Type"],
  E58_Measurement_Unit: ["E55_Type"],
  E63_Beginning_of_Existence: ["E5_Event"],
  E64_End_of_Existence: ["E5_Event"],
  E65_Creation: ["E7_Activity", "E63_Beginning_of_Existence"],
  E66_Formation: ["E7_Activity", "E63_Beginning_of_Existence"],
  E67_Birth: ["E63_Beginning_of_Existence"],
  E68_Dissolution: ["E64_End_of_Existence"],
  E69_Death: ["E64_End_of_Existence"],
  E70_Thing: ["E77_Persistent_Item"],
  "E71_Human-Made_Thing": ["E70_Thing"],
  E72_Legal_Object: ["E70_Thing"],
  E73_Information_Object: ["E89_Propositional_Object", "E90_Symbolic_Object"],
  E74_Group: ["E39_Actor"],
  E77_Persistent_Item: ["E1_CRM_Entity"],
  E78_Curated_Holding: ["E24_Physical_Human-Made_Thing"],
  E79_Part_Addition: ["E11_Modification"],
  E80_Part_Removal: ["E11_Modification"],
  E81_Transformation: ["E63_Beginning_of_Existence", "E64_End_of_Existence"],
  E83_Type_Creation: ["E65_Creation"],
  E85_Joining: ["E7_Activity"],
  E86_Leaving: ["E7_Activity"],
  E87_Curation_Activity: ["E7_Activity"],
  E89_Propositional_Object: ["E28_Conceptual_Object"],
  E90_Symbolic_Object: ["E28_Conceptual_Object", "E72_Legal_Object"],
  E92_Spacetime_Volume: ["E1_CRM_Entity"],
  E93_Presence: ["E92_Spacetime_Volume"],
  E96_Purchase: ["E8_Acquisition"],
  E97_Monetary_Amount: ["E54_Dimension"],
  E98_Currency: ["E58_Measurement_Unit"],
  E99_Product_Type: ["E55_Type"],
  F1_Work: ["E89_Propositional_Object"],
  F2_Expression: ["E73_Information_Object"],
  F3_Manifestation: ["E73_Information_Object"],
  F5_Item: ["E24_Physical_Human-Made_Thing"],
  F11_Corporate_Body: ["F55_Collective_Agent"],
  F12_Nomen: ["E89_Propositional_Object"],
  F18_Serial_Work: ["F1_Work"],
  F27_Work_Creation: ["E65_Creation"],
  F28_Expression_Creation: ["E12_Production", "E65_Creation"],
  F30_Manifestation_Creation: ["E12_Production", "E65_Creation"],
  F31_Performance: ["E7_Activity"],
  F32_Item_Production_Event: ["E12_Production"],
  F33_Reproduction_Event: ["F30_Manifestation_Creation", "E12_Production"],
  F36_Script_Conversion: ["E29_Design_or_Procedure"],
  F39_Family: ["F55_Collective_Agent"],
  F55_Collective_Agent: ["E74_Group"],
} as const satisfies Record<string, readonly string[]>;

export type Class = keyof typeof CLASSES;

/** Property → its domain and its range. */
export const PROPERTIES = {
  P1_is_identified_by: ["E1_CRM_Entity", "E41_Appellation"],
  P2_has_type: ["E1_CRM_Entity", "E55_Type"],
  P3_has_note: ["E1_CRM_Entity", "Literal"],
  "P4_has_time-span": ["E2_Temporal_Entity", "E52_Time-Span"],
  P7_took_place_at: ["E4_Period", "E53_Place"],
  P7i_witnessed: ["E53_Place", "E4_Period"],
  P9_consists_of: ["E4_Period", "E4_Period"],
  P9i_forms_part_of: ["E4_Period", "E4_Period"],
  P11_had_participant: ["E5_Event", "E39_Actor"],
  P11i_participated_in: ["E39_Actor", "E5_Event"],
  P12_occurred_in_the_presence_of: ["E5_Event", "E77_Persistent_Item"],
  P12i_was_present_at: ["E77_Persistent_Item", "E5_Event"],
  P14_carried_out_by: ["E7_Activity", "E39_Actor"],
  P14i_performed: ["E39_Actor", "E7_Activity"],
  P16_used_specific_object: ["E7_Activity", "E70_Thing"],
  P16i_was_used_for: ["E70_Thing", "E7_Activity"],
  P22_transferred_title_to: ["E8_Acquisition", "E39_Actor"],
  P22i_acquired_title_through: ["E39_Actor", "E8_Acquisition"],
  P23_transferred_title_from: ["E8_Acquisition", "E39_Actor"],
  P23i_surrendered_title_through: ["E39_Actor", "E8_Acquisition"],
  P24_transferred_title_of: ["E8_Acquisition", "E18_Physical_Thing"],
  P24i_changed_ownership_through: ["E18_Physical_Thing", "E8_Acquisition"],
  P25_moved: ["E9_Move", "E19_Physical_Object"],
  P25i_moved_by: ["E19_Physical_Object", "E9_Move"],
  P30_transferred_custody_of: ["E10_Transfer_of_Custody", "E18_Physical_Thing"],
  P30i_custody_transferred_through: ["E18_Physical_Thing", "E10_Transfer_of_Custody"],
  P31_has_modified: ["E11_Modification", "E18_Physical_Thing"],
  P31i_was_modified_by: ["E18_Physical_Thing", "E11_Modification"],
  P32_used_general_technique: ["E7_Activity", "E55_Type"],
  P34_concerned: ["E14_Condition_Assessment", "E18_Physical_Thing"],
  P34i_was_assessed_by: ["E18_Physical_Thing", "E14_Condition_Assessment"],
  P43_has_dimension: ["E70_Thing", "E54_Dimension"],
  P45_consists_of: ["E18_Physical_Thing", "E57_Material"],
  P46_is_composed_of: ["E18_Physical_Thing", "E18_Physical_Thing"],
  P46i_forms_part_of: ["E18_Physical_Thing", "E18_Physical_Thing"],
  P48_has_preferred_identifier: ["E1_CRM_Entity", "E42_Identifier"],
  P49_has_former_or_current_keeper: ["E18_Physical_Thing", "E39_Actor"],
  P49i_is_former_or_current_keeper_of: ["E39_Actor", "E18_Physical_Thing"],
  P50_has_current_keeper: ["E18_Physical_Thing", "E39_Actor"],
  P50i_is_current_keeper_of: ["E39_Actor", "E18_Physical_Thing"],
  P51_has_former_or_current_owner: ["E18_Physical_Thing", "E39_Actor"],
  P51i_is_former_or_current_owner_of: ["E39_Actor", "E18_Physical_Thing"],
  P52_has_current_owner: ["E18_Physical_Thing", "E39_Actor"],
  P52i_is_current_owner_of: ["E39_Actor", "E18_Physical_Thing"],
  P57_has_number_of_parts: ["E19_Physical_Object", "Literal"],
  P62_depicts: ["E24_Physical_Human-Made_Thing", "E1_CRM_Entity"],
  P62i_is_depicted_by: ["E1_CRM_Entity", "E24_Physical_Human-Made_Thing"],
  P65_shows_visual_item: ["E24_Physical_Human-Made_Thing", "E36_Visual_Item"],
  P65i_is_shown_by: ["E36_Visual_Item", "E24_Physical_Human-Made_Thing"],
  P67_refers_to: ["E89_Propositional_Object", "E1_CRM_Entity"],
  P67i_is_referred_to_by: ["E1_CRM_Entity", "E89_Propositional_Object"],
  P70_documents: ["E31_Document", "E1_CRM_Entity"],
  P70i_is_documented_in: ["E1_CRM_Entity", "E31_Document"],
  P72_has_language: ["E33_Linguistic_Object", "E56_Language"],
  P79_beginning_is_qualified_by: ["E52_Time-Span", "Literal"],
  P80_end_is_qualified_by: ["E52_Time-Span", "Literal"],
  P81a_end_of_the_begin: ["E52_Time-Span", "Literal"],
  P81b_begin_of_the_end: ["E52_Time-Span", "Literal"],
  P82a_begin_of_the_begin: ["E52_Time-Span", "Literal"],
  P82b_end_of_the_end: ["E52_Time-Span", "Literal"],
  P89_falls_within: ["E53_Place", "E53_Place"],
  P89i_contains: ["E53_Place", "E53_Place"],
  P90_has_value: ["E54_Dimension", "Literal"],
  P91_has_unit: ["E54_Dimension", "E58_Measurement_Unit"],
  P92_brought_into_existence: ["E63_Beginning_of_Existence", "E77_Persistent_Item"],
  P92i_was_brought_into_existence_by: ["E77_Persistent_Item", "E63_Beginning_of_Existence"],
  P93_took_out_of_existence: ["E64_End_of_Existence", "E77_Persistent_Item"],
  P93i_was_taken_out_of_existence_by: ["E77_Persistent_Item", "E64_End_of_Existence"],
  P95_has_formed: ["E66_Formation", "E74_Group"],
  P95i_was_formed_by: ["E74_Group", "E66_Formation"],
  P98_brought_into_life: ["E67_Birth", "E21_Person"],
  P98i_was_born: ["E21_Person", "E67_Birth"],
  P99_dissolved: ["E68_Dissolution", "E74_Group"],
  P99i_was_dissolved_by: ["E74_Group", "E68_Dissolution"],
  P100_was_death_of: ["E69_Death", "E21_Person"],
  P100i_died_in: ["E21_Person", "E69_Death"],
  P102_has_title: ["E71_Human-Made_Thing", "E35_Title"],
  P104_is_subject_to: ["E72_Legal_Object", "E30_Right"],
  P105_right_held_by: ["E72_Legal_Object", "E39_Actor"],
  P107_has_current_or_former_member: ["E74_Group", "E39_Actor"],
  P107i_is_current_or_former_member_of: ["E39_Actor", "E74_Group"],
  P108_has_produced: ["E12_Production", "E24_Physical_Human-Made_Thing"],
  P108i_was_produced_by: ["E24_Physical_Human-Made_Thing", "E12_Production"],
  P109_has_current_or_former_curator: ["E78_Curated_Holding", "E39_Actor"],
  P109i_is_current_or_former_curator_of: ["E39_Actor", "E78_Curated_Holding"],
  P112_diminished: ["E80_Part_Removal", "E18_Physical_Thing"],
  P112i_was_diminished_by: ["E18_Physical_Thing", "E80_Part_Removal"],
  P128_carries: ["E18_Physical_Thing", "E90_Symbolic_Object"],
  P128i_is_carried_by: ["E90_Symbolic_Object", "E18_Physical_Thing"],
  P129_is_about: ["E89_Propositional_Object", "E1_CRM_Entity"],
  P129i_is_subject_of: ["E1_CRM_Entity", "E89_Propositional_Object"],
  P130_shows_features_of: ["E70_Thing", "E70_Thing"],
  P130i_features_are_also_found_on: ["E70_Thing", "E70_Thing"],
  P138_represents: ["E36_Visual_Item", "E1_CRM_Entity"],
  P138i_has_representation: ["E1_CRM_Entity", "E36_Visual_Item"],
  P140_assigned_attribute_to: ["E13_Attribute_Assignment", "E1_CRM_Entity"],
  P140i_was_attributed_by: ["E1_CRM_Entity", "E13_Attribute_Assignment"],
  P141_assigned: ["E13_Attribute_Assignment", "E1_CRM_Entity"],
  P141i_was_assigned_by: ["E1_CRM_Entity", "E13_Attribute_Assignment"],
  P148_has_component: ["E89_Propositional_Object", "E89_Propositional_Object"],
  P148i_is_component_of: ["E89_Propositional_Object", "E89_Propositional_Object"],
  P152_has_parent: ["E21_Person", "E21_Person"],
  P152i_is_parent_of: ["E21_Person", "E21_Person"],
  P165_incorporates: ["E73_Information_Object", "E90_Symbolic_Object"],
  P165i_is_incorporated_in: ["E90_Symbolic_Object", "E73_Information_Object"],
  P168_place_is_defined_by: ["E53_Place", "Literal"],
  P170i_time_is_defined_by: ["E52_Time-Span", "Literal"],
  P177_assigned_property_of_type: ["E13_Attribute_Assignment", "E55_Type"],
  P190_has_symbolic_content: ["E90_Symbolic_Object", "Literal"],
  R3_is_realised_in: ["F1_Work", "F2_Expression"],
  R3i_realises: ["F2_Expression", "F1_Work"],
  R4_embodies: ["F3_Manifestation", "F2_Expression"],
  R4i_is_embodied_in: ["F2_Expression", "F3_Manifestation"],
  R7_exemplifies: ["F5_Item", "F3_Manifestation"],
  R7i_is_exemplified_by: ["F3_Manifestation", "F5_Item"],
  R16_created: ["F27_Work_Creation", "F1_Work"],
  R16i_was_created_by: ["F1_Work", "F27_Work_Creation"],
  R17_created: ["F28_Expression_Creation", "F2_Expression"],
  R17i_was_created_by: ["F2_Expression", "F28_Expression_Creation"],
  R24_created: ["F30_Manifestation_Creation", "F3_Manifestation"],
  R24i_was_created_through: ["F3_Manifestation", "F30_Manifestation_Creation"],
  R79_has_representative_expression_attribute: ["F1_Work", "E55_Type"],
} as const satisfies Record<string, readonly [Class, Class | "Literal"]>;

export type Property = keyof typeof PROPERTIES;

/** Class → itself and all its superclasses. */
const above = new Map<Class, ReadonlySet<Class>>();

function classesAbove(name: Class): ReadonlySet<Class> {
  const known = above.get(name);
  if (known) return known;
  const all = new Set<Class>([name]);
  for (const parent of CLASSES[name]) for (const each of classesAbove(parent)) all.add(each);
  above.set(name, all);
  return all;
}

/** Whether one of the classes is `wanted` or below it. */
export const isA = (classes: readonly Class[], wanted: Class): boolean =>
  classes.some((name) => classesAbove(name).has(wanted));

/** Whether the property may start from a node with these classes. */
export const mayHave = (classes: readonly Class[], property: Property): boolean =>
  isA(classes, PROPERTIES[property][0]);

/** Whether the property may lead to a node with these classes. */
export function mayLeadTo(property: Property, classes: readonly Class[]): boolean {
  const range = PROPERTIES[property][1];
  return range !== "Literal" && isA(classes, range);
}

const numberOf = (property: string): string => property.slice(0, property.indexOf("_"));
const byNumber = new Map(Object.keys(PROPERTIES).map((name) => [numberOf(name), name as Property]));

/** The same property read from its other end: `P14i_performed` of `P14_carried_out_by`. */
export function inverseOf(property: Property): Property {
  const number = numberOf(property);
  const inverse = byNumber.get(number.endsWith("i") ? number.slice(0, -1) : `${number}i`);
  if (!inverse) throw new Error(`${property} is not read from its other end`);
  return inverse;
}

export const isClass = (name: string): name is Class => Object.hasOwn(CLASSES, name);
export const isProperty = (name: string): name is Property => Object.hasOwn(PROPERTIES, name);
