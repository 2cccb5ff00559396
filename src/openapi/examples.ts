/** An example body for every operation that takes one. tests/openapi/openapi-examples.test.ts sends each. */
import { KINDS, type Kind, kinds } from "../records/kinds.ts";

const ID = "0198c0de-0000-7000-8000-000000000001";
const PASSWORD = "seven keys on one ring";
const TEXT = { en: "Watermark", de: "Wasserzeichen" };

const NAMED: Record<Kind, Record<string, unknown>> = {
  object: {
    object_type: "painting",
    metadata_: {
      title: [
        { value: "Harbour at dusk", lang: "en" },
        { value: "Hafen in der Dämmerung", lang: "de" },
      ],
      date: [{ value: "1887~" }],
      material: [{ value: "oil paint" }, { value: "canvas" }],
    },
  },
  entity: { entity_type: "person", metadata_: { name: [{ value: "Greta Lindqvist" }] } },
  place: { place_type: "settlement", lat: 54.8, lon: 9.4, metadata_: { name: [{ value: "Sternhöft" }] } },
  occurrence: {
    occurrence_type: "exhibition",
    metadata_: { title: [{ value: "Nets and boats", lang: "en" }], date: [{ value: "1931-05/1931-09" }] },
  },
  procedure: {
    procedure_type: "loan_out",
    start_date: "2026-03-01",
    due_date: "2026-09-30",
    reference_number: "L 2026/3",
    metadata_: { title: [{ value: "Loan to the harbour fair", lang: "en" }] },
  },
  collection: { metadata_: { title: [{ value: "Paintings", lang: "en" }] } },
  storage_location: { metadata_: { name: [{ value: "House 2, room 14" }] } },
};

const className = (kind: Kind) =>
  kind
    .split("_")
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join("");

/** By the name of the schema. */
const OF_SCHEMAS: Record<string, unknown> = {
  ...Object.fromEntries(
    KINDS.flatMap((kind) => {
      const { titleField } = kinds[kind];
      return [
        [`New${className(kind)}`, NAMED[kind]],
        [`${className(kind)}Draft`, NAMED[kind]],
        [`${className(kind)}Patch`, { metadata_: { [titleField]: [{ value: "Another name", lang: "en" }] } }],
      ];
    }),
  ),
  StatusChange: { status: "internal" },
  Publication: { also: [] },
  RelationDraft: {
    relation_type: "related_to",
    to_type: "entity",
    to_id: ID,
    metadata_: { role: [{ value: "sitter" }] },
  },
  Move: { to: ID, date: "2026-01-31", reason: "Photography" },
  Merge: { into: ID.replace(/1$/, "2"), fields: { description: "merged" } },
  TermMerge: { into: ID.replace(/1$/, "2") },
  NotDuplicates: { ids: [ID, ID.replace(/1$/, "2")] },
  Moves: { ids: [ID], to: ID, date: "2026-01-31", reason: "New store" },
  RelationPatch: { metadata_: { role: [{ value: "frame maker" }] } },
  TokenForm: { grant_type: "password", username: "admin@museum.example", password: PASSWORD },
  Login: { email: "admin@museum.example", password: PASSWORD },
  Refresh: {},
  MeChange: { display_name: "Jo Curator" },
  PasswordChange: { current_password: PASSWORD, new_password: "a long walk by the harbour" },
  PasswordResetRequest: { email: "admin@museum.example" },
  PasswordResetConfirmation: { token: "the token of the mail", new_password: "a long walk by the harbour" },
  ApiKeyDraft: { name: "Website", permissions: ["records:read"] },
  ApiKeyPatch: { name: "Website and kiosk" },
  UserDraft: {
    email: "registrar@museum.example",
    display_name: "Registrar",
    role: "cataloger",
    password: PASSWORD,
  },
  UserChange: { role: "editor" },
  RoleDraft: {
    name: "volunteer",
    label: { en: "Volunteer" },
    permissions: { records: { object: ["read", "update"] }, features: ["media:write"] },
  },
  RoleReplacement: {
    label: { en: "Volunteer" },
    permissions: { records: { object: ["read"] }, features: [] },
  },
  RolePatch: { label: { en: "Volunteers" } },
  FieldDraft: { name: "watermark", label: TEXT, field_type: "text", is_searchable: "D" },
  FieldReplacement: { label: TEXT, field_type: "text", is_searchable: "C" },
  FieldPatch: { help: { en: "As in Briquet's dictionary" } },
  SubtypeReplacement: { label: { en: "Figurehead", de: "Galionsfigur" } },
  VocabularyDraft: { name: "watermarks", label: { en: "Watermarks" } },
  VocabularyReplacement: { label: { en: "Watermarks" } },
  VocabularyPatch: { description: { en: "Marks in paper" } },
  TermDraft: { value: "anchor", label: { en: "Anchor", de: "Anker" } },
  TermPatch: { label: { en: "Anchor", fr: "Ancre" } },
  RelationTypeDraft: {
    name: "copied_from",
    inverse: "copied_in",
    label: { en: "copied from" },
    inverse_label: { en: "copied in" },
    from_types: ["object"],
    to_types: ["object"],
  },
  RelationTypeReplacement: {
    inverse: "copied_in",
    label: { en: "copied from" },
    inverse_label: { en: "copied in" },
    from_types: ["object"],
    to_types: ["object"],
  },
  RelationTypePatch: { label: { en: "copied from", de: "kopiert nach" } },
  SettingsPatch: { name: { en: "Harbour museum" } },
  MediumUpload: { file: "harbour.jpg", caption: "The harbour at dusk", visibility: "public" },
  MediaBatchPlan: { dry_run: true, files: [{ filename: "1912.4_verso.jpg", bytes: 240_000 }] },
  MediaBatchUpload: { file: ["1912.4_verso.jpg"], visibility: "public" },
  MediumChange: { caption: [{ value: "The harbour at dusk", lang: "en" }] },
  ImportForm: {
    file: "number;title\n1912.4;Nets drying\n",
    type: "object",
    mapping: '{"number": "__idno__", "title": {"target": "title", "lang": "en"}}',
    subtype: "painting",
    idno_strategy: "column",
    dry_run: "true",
  },
  ImportUndo: { dry_run: true },
};

const SKOS =
  "<http://vocab.getty.edu/aat/300011101> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2004/02/skos/core#Concept> .\n" +
  '<http://vocab.getty.edu/aat/300011101> <http://www.w3.org/2004/02/skos/core#prefLabel> "alabaster"@en .\n';

/** By address and media type, where the schema has no name. */
const OF_ADDRESSES: Record<string, unknown> = {
  "/sparql application/sparql-query": "ASK { ?work ?says ?what }",
  "/sparql application/x-www-form-urlencoded": "query=ASK%20%7B%20%3Fwork%20%3Fsays%20%3Fwhat%20%7D",
  "/v1/vocabularies/{name}/skos text/turtle": SKOS,
  "/v1/vocabularies/{name}/skos application/n-triples": SKOS,
  "/oai application/x-www-form-urlencoded": { verb: "Identify" },
};

export function exampleFor(path: string, type: string, schema: unknown): unknown {
  const name = (schema as { $ref?: string } | undefined)?.$ref?.split("/").at(-1) ?? "";
  if (path.endsWith("/bulk")) {
    const { kind } = Object.values(kinds).find(({ plural }) => path === `/v1/${plural}/bulk`)!;
    return `${JSON.stringify(NAMED[kind])}\n`;
  }
  return OF_SCHEMAS[name] ?? OF_ADDRESSES[`${path} ${type}`];
}
