/** The introduction and the tags of the API description. */
import { KINDS, kinds } from "../records/kinds.ts";

/** Markdown; Swagger UI and Redoc both show it above the operations. */
export const INTRODUCTION = `
The catalogue of a collection: seven kinds of record, search, and the configuration of fields, subtypes, vocabularies
and relation types. Every address under \`/v1\` also answers under \`/api/v1\`.

## Credentials

Public records and files need no credentials. For everything else:

1. \`POST /v1/auth/token\` with the form fields \`username\` (the e-mail address) and \`password\`
2. Send the \`access_token\` of the answer with each request: \`Authorization: Bearer …\`

A token expires after \`expires_in\` seconds. \`POST /v1/auth/refresh\` then gives a new one. Browsers are identified by the
cookie that they got when signing in; programs that signed in with \`scope=offline_access\` send their \`refresh_token\`. While
\`must_change_password\` is true, only \`/v1/auth/*\` works. Programs can send an API key as \`X-API-Key\` instead; create one
with \`POST /v1/users/{id}/api-keys\`.

## Records

A record has a \`status\`: \`draft\`, \`internal\` or \`public\`. \`metadata_\` holds its fields, which
each installation defines: \`GET /v1/schemas\`. Each field is a list of entries, \`{"value": …, "lang": …}\`. Times are ISO 8601 in
UTC, without an offset.

## Pages

Lists answer \`{total, page, page_size, items}\`. You can request any page by number. To read a long list to the end,
follow the \`next\` address of the \`Link\` header (RFC 8288); these pages stay fast however long the list is.

## Concurrent changes

A record's \`ETag\` is its version, \`"7"\`. Send it as \`If-Match\` with PUT, PATCH or DELETE: if somebody else has
changed the record since you read it, the answer is 412. Send it as \`If-None-Match\` with GET: if nothing has changed, the
answer is an empty 304.

## Errors

Every error is \`application/problem+json\` (RFC 9457): \`detail\` tells what to do, and \`errors\` lists every fault
of an invalid request, each with a JSON Pointer, \`query:NAME\`, \`header:NAME\` or \`path:NAME\`. An unknown query parameter is a
fault. A record that the caller may not see gives 404, as if it did not exist. The log names each request by its
\`X-Request-Id\`, which you can send or read in the answer.
`.trim();

const ABOUT_KINDS: Record<string, string> = {
  object: "Catalogued items.",
  entity: "People, families, organisations.",
  place: "Places, with coordinates where known.",
  occurrence: "Events, exhibitions, works.",
  procedure: "Procedures carried out on objects: acquisition, loan, conservation and so on.",
  collection: "Collections, as a tree.",
  storage_location: "Storage locations, as a tree; never public.",
};

/** In the order in which the pages show them. */
export const TAGS: { name: string; description: string }[] = [
  { name: "search", description: "Search records of all kinds." },
  {
    name: "portal",
    description: "Search for visitors: finds only public records, for signed-in callers too.",
  },
  { name: "records", description: "Operations on records of all kinds." },
  ...KINDS.map((kind) => ({ name: kinds[kind].plural, description: ABOUT_KINDS[kind] ?? "" })),
  { name: "media", description: "Pictures, films, sounds, documents and models of objects." },
  {
    name: "configuration",
    description: "What an installation configures: fields, subtypes, vocabularies, relation types.",
  },
  { name: "accounts", description: "Signing in, your own account, and API keys." },
  { name: "staff", description: "All accounts, roles, and the log of security events." },
  {
    name: "iiif",
    description:
      "Images for IIIF viewers, in any region, size, rotation and format (IIIF Image API 3, level 2).",
  },
  { name: "linked-data", description: "SPARQL queries on public records." },
  { name: "authorities", description: "Look-ups in the GND, GeoNames and Wikidata." },
  { name: "imports", description: "Importing files, and undoing imports." },
  { name: "jobs", description: "Work that takes longer than a request: its progress and result." },
  { name: "service", description: "Health, crawlers, and this description." },
];
