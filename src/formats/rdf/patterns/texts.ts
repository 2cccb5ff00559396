/** Patterns for fields with names, texts and identifiers. */
import { asIri } from "../../../iri.ts";
import type { Entry } from "../../../records/record.ts";
import type { Field } from "../../../records/schema.ts";
import { authorityIri } from "../../../records/write/authority-ids.ts";
import { text } from "../graph.ts";
import { type About, classify, classifyByField, content, eventOf } from "./about.ts";
import type { Class } from "./crm.ts";
import { ALTERNATE_NAME, KINDS_OF_TEXT, PRIMARY_NAME } from "./getty.ts";
import { type Pattern, partName } from "./pattern.ts";

/** Gives a text its kind from a thesaurus, and its field if that says more. */
function addKind(about: About, node: string, field: Field): void {
  const pattern = String(field.mapping.pattern);
  const known = KINDS_OF_TEXT[pattern] ?? KINDS_OF_TEXT[field.name];
  if (known) classify(about, node, known);
  if (!known || !(field.name in KINDS_OF_TEXT || field.name.startsWith(pattern))) {
    classifyByField(about, node, field);
  }
}

/** Adds a text about `subject`, with its language and kind. */
export function statement(
  about: About,
  subject: string,
  field: Field,
  { entry, index }: { entry: Entry; index: number },
): void {
  const node = about.graph.part(partName(field, index), "E33_Linguistic_Object");
  about.graph.add(subject, "P67i_is_referred_to_by", node);
  content(about, node, entry);
  addKind(about, node, field);
}

/** Adds every value as a text about an event of the thing. */
const aboutEvent =
  (name: "production" | "acquisition"): Pattern["write"] =>
  (about, field, entries) =>
    statements(about, field, entries, eventOf(about, name));

/** Adds every value as such a text. */
function statements(
  about: About,
  field: Field,
  entries: readonly Entry[],
  subject = about.graph.about,
): void {
  for (const [index, entry] of entries.entries()) statement(about, subject, field, { entry, index });
}

function names(
  property: "P1_is_identified_by" | "P102_has_title",
  kind: Class,
  primary: boolean,
): Pattern["write"] {
  return (about, field, entries) => {
    const languages = new Set<string>();
    entries.forEach((entry, index) => {
      const node = about.graph.part(partName(field, index), kind);
      about.graph.add(about.graph.about, property, node);
      content(about, node, entry);
      // the first of each language is the preferred one
      const isFirst = primary && !languages.has(entry.lang ?? "");
      languages.add(entry.lang ?? "");
      classify(about, node, isFirst ? PRIMARY_NAME : ALTERNATE_NAME);
    });
  };
}

function inscriptions(about: About, field: Field, entries: readonly Entry[]): void {
  entries.forEach((entry, index) => {
    const node = about.graph.part(partName(field, index), "E34_Inscription");
    about.graph.add(about.graph.about, "P128_carries", node);
    content(about, node, entry);
    addKind(about, node, field);
  });
}

function identifiers(about: About, field: Field, entries: readonly Entry[]): void {
  entries.forEach(({ value }, index) => {
    const node = about.graph.part(partName(field, index), "E42_Identifier");
    about.graph.add(about.graph.about, "P1_is_identified_by", node);
    about.graph.add(node, "P190_has_symbolic_content", text(value));
    addKind(about, node, field);
  });
}

/** Adds links to authority files. A value without an address stays an identifier. */
function authorityUris(about: About, field: Field, entries: readonly Entry[]): void {
  const unknown: Entry[] = [];
  for (const entry of entries) {
    const iri = asIri(authorityIri(field.name, entry.value) ?? "");
    if (iri) about.graph.add(about.graph.about, "owl:sameAs", iri);
    else unknown.push(entry);
  }
  identifiers(about, field, unknown);
}

export const TEXT_PATTERNS = {
  title: {
    domain: "E71_Human-Made_Thing",
    otherwise: "name",
    path: "P102_has_title / E35_Title / P190_has_symbolic_content",
    about: "Title of a thing that somebody made; the first of each language is the primary one",
    write: names("P102_has_title", "E35_Title", true),
  },
  alternative_title: {
    domain: "E71_Human-Made_Thing",
    otherwise: "alternative_name",
    path: "P102_has_title / E35_Title / P190_has_symbolic_content",
    about: "Further title",
    write: names("P102_has_title", "E35_Title", false),
  },
  name: {
    domain: "E1_CRM_Entity",
    path: "P1_is_identified_by / E33_E41_Linguistic_Appellation / P190_has_symbolic_content",
    about: "Name of anything; the first of each language is the primary one",
    write: names("P1_is_identified_by", "E33_E41_Linguistic_Appellation", true),
  },
  alternative_name: {
    domain: "E1_CRM_Entity",
    path: "P1_is_identified_by / E33_E41_Linguistic_Appellation / P190_has_symbolic_content",
    about: "Further name",
    write: names("P1_is_identified_by", "E33_E41_Linguistic_Appellation", false),
  },
  identifier: {
    domain: "E1_CRM_Entity",
    path: "P1_is_identified_by / E42_Identifier / P190_has_symbolic_content",
    about: "Number or address by which it is known",
    write: identifiers,
  },
  authority_uri: {
    domain: "E1_CRM_Entity",
    path: "owl:sameAs",
    about: "The same in an authority file; an identifier with an unknown address becomes an E42_Identifier",
    write: authorityUris,
  },
  ...Object.fromEntries(
    "description biography provenance credit bibliography exhibition_history edition depicted_text material_text"
      .split(" ")
      .map((name) => [
        name,
        {
          domain: "E1_CRM_Entity",
          path: "P67i_is_referred_to_by / E33_Linguistic_Object / P190_has_symbolic_content",
          about: `${KINDS_OF_TEXT[name]?.label ?? "words for what is depicted"}, as text`,
          write: statements,
        },
      ]),
  ),
  note: {
    domain: "E1_CRM_Entity",
    path: "P67i_is_referred_to_by / E33_Linguistic_Object / P190_has_symbolic_content",
    about: "Any text, classified by its field; also used if no other pattern fits",
    write: statements,
  },
  creator_text: {
    domain: "E24_Physical_Human-Made_Thing",
    otherwise: "note",
    path: "P108i_was_produced_by / E12_Production / P67i_is_referred_to_by / E33_Linguistic_Object",
    about: "Words for who made it, where no entity is linked",
    write: aboutEvent("production"),
  },
  production_note: {
    domain: "E24_Physical_Human-Made_Thing",
    otherwise: "note",
    path: "P108i_was_produced_by / E12_Production / P67i_is_referred_to_by / E33_Linguistic_Object",
    about: "How and why it was made, as text",
    write: aboutEvent("production"),
  },
  acquisition_note: {
    domain: "E18_Physical_Thing",
    otherwise: "note",
    path: "P24i_changed_ownership_through / E8_Acquisition / P67i_is_referred_to_by / E33_Linguistic_Object",
    about: "How it was acquired, as text",
    write: aboutEvent("acquisition"),
  },
  inscription: {
    domain: "E18_Physical_Thing",
    otherwise: "note",
    path: "P128_carries / E34_Inscription / P190_has_symbolic_content",
    about: "What is written on it",
    write: inscriptions,
  },
} as const satisfies Record<string, Pattern>;
