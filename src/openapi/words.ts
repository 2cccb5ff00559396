/** What the description of the API says in words: how to begin, and what its parts are. */
import { KINDS, kinds } from "../records/kinds.ts";

/** Markdown; Swagger UI and Redoc both show it above the operations. */
export const INTRODUCTION = `
The catalogue of a collection: seven kinds of record, search, and the configuration of fields, subtypes, vocabularies
and relation types. Every address under \`/v1\` also answers under \`/api/v1\`.

## Credentials

None are needed to read what is public, and without them nothing else is seen. To see and do more:

1. \`POST /v1/auth/token\` with the form fields \`username\` (the e-mail address) and \`password\`
2. send the \`access_token\` of the answer with each request: \`Authorization: Bearer …\`

Tokens end after \`expires_in\` seconds. \`POST /v1/auth/refresh\` then gives the next one: in a browser by
the cookie that came with the first, to programs that signed in with \`scope=offline_access\` by their \`refresh_token\`. While \`must_change_password\` is true only \`/v1/auth/*\` answers. Programs that
act for an account send one of its API keys instead, as \`X-API-Key\`, made at \`POST /v1/users/{id}/api-keys\`.

## Records

A record has a \`status\`: \`draft\`, \`internal\` or \`public\`. \`metadata_\` holds its fields; which ones there are is up to
the installation: \`GET /v1/schemas\`. Each field is a list of entries, \`{"value": …, "lang": …}\`. Times are ISO 8601 in
UTC, without an offset.

## Pages

Lists answer \`{total, page, page_size, items}\`. Any page can be asked for by number; to walk a long list to its end
follow the \`next\` address of the \`Link\` header (RFC 8288), whose pages cost the same however far one has come.

## Changing what others change too

A record's \`ETag\` is its version, \`"7"\`. Sent as \`If-Match\` with PUT, PATCH, DELETE and the like it makes sure that
nobody else changed the record meanwhile: if so, the answer is 412. Sent as \`If-None-Match\` with GET it saves the answer
when nothing has changed: 304.

## Errors

Every error is \`application/problem+json\` (RFC 9457): a sentence in \`detail\` says what to do, and \`errors\` lists every
fault of a request that is not valid, each with a JSON Pointer, \`query:NAME\`, \`header:NAME\` or \`path:NAME\`. A query parameter that an address does not
have is such a fault. What is not visible to the caller is 404, as if it did not exist. \`X-Request-Id\`, sent or given, finds the request in the log.
`.trim();

const ABOUT_KINDS: Record<string, string> = {
  object: "Catalogued items.",
  entity: "People, families, organisations.",
  place: "Places, with coordinates where known.",
  occurrence: "Events, exhibitions, works.",
  procedure: "What is done with objects: acquisition, loan, conservation and so on.",
  collection: "Collections, as a tree.",
  storage_location: "Where things are kept, as a tree; never public.",
};

/** In the order in which the pages show them. */
export const TAGS: { name: string; description: string }[] = [
  { name: "search", description: "Finds records of all kinds." },
  { name: "portal", description: "The same for visitors: only what is public, whoever asks." },
  { name: "records", description: "What concerns records of all kinds." },
  ...KINDS.map((kind) => ({ name: kinds[kind].plural, description: ABOUT_KINDS[kind] ?? "" })),
  { name: "media", description: "Pictures, films, sounds, documents and models of objects." },
  {
    name: "configuration",
    description: "What an installation decides for itself: fields, subtypes, vocabularies, relation types.",
  },
  { name: "accounts", description: "Signing in, one's own account, and the API keys of accounts." },
  { name: "staff", description: "Everybody's accounts, the roles, and what happened to them." },
  {
    name: "iiif",
    description:
      "Images for every IIIF viewer: parts, sizes, rotations and formats of pictures (IIIF Image API 3, level 2).",
  },
  { name: "linked-data", description: "The triple store of what is public, asked with SPARQL." },
  { name: "authorities", description: "Looking things up in the GND, GeoNames and Wikidata." },
  { name: "imports", description: "Files of records, imported and taken back." },
  { name: "jobs", description: "What takes longer than a request: how far it is, and how it ended." },
  { name: "service", description: "Health, crawlers, and this description." },
];
