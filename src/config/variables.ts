/** The table of all variables. The documentation, the reader and the tests use it. */

import { adminEmail, localUrl, withDot } from "./defaults.ts";
import { ark, linkedData } from "./linked-data-variables.ts";
import { media } from "./media-variables.ts";
import { searchAndCache } from "./search-variables.ts";
import * as kinds from "./value-kinds.ts";
import {
  type Fixed,
  filled,
  fixed,
  inDirectory,
  type Made,
  made,
  optional,
  secret,
  type Variable,
} from "./variable.ts";

const server = {
  HOST: made(
    kinds.host,
    "`127.0.0.1`; `0.0.0.0` in the container",
    ({ container }) => (container ? "0.0.0.0" : "127.0.0.1"),
    "Address to listen on.",
  ),
  PORT: fixed(kinds.integer(0, 65535), "8000", "Port to listen on; 0 picks any free port."),
  SVC_BASE_URL: made(
    kinds.url,
    "`http://HOST:PORT`, and local development",
    ({ value }) => localUrl(String(value("HOST")), Number(value("PORT"))),
    "Public address of the installation. Record IRIs, links in mails and OAI-PMH identifiers begin with it.",
  ),
  SVC_ADMIN_URL: filled(
    kinds.url,
    "{SVC_BASE_URL}/admin",
    "Address of the staff interface, for links in mails and on labels. If its host differs, /robots.txt closes that host to crawlers.",
  ),
  SVC_DATA_DIR: made(
    kinds.path,
    "`./data`; `/var/lib/svc` in the container",
    ({ container }) => (container ? "/var/lib/svc" : "./data"),
    "Directory of the embedded database, local media, credentials and backups when no other path is set.",
  ),
  TRUSTED_PROXIES: optional(kinds.networkList, "Networks whose `X-Forwarded-*` headers are trusted."),
  CORS_ORIGINS: optional(
    kinds.originList,
    "Frontends on other origins that may use the REST API with credentials.",
  ),
  TZ: fixed(kinds.timeZone, "UTC", "Time zone of `BACKUP_AT` and other daily times."),
  SVC_WORK: fixed(
    kinds.oneOf("inside", "outside"),
    "inside",
    "Who runs jobs and scheduled work: the service itself, or `svc-manage work` processes beside an external database.",
  ),
  LOG_LEVEL: fixed(
    kinds.oneOf("debug", "info", "warn", "error"),
    "info",
    "Lines of this level and above are logged.",
  ),
  LOG_FORMAT: fixed(
    kinds.oneOf("auto", "pretty", "json"),
    "auto",
    "auto: pretty on a terminal, otherwise json.",
  ),
};

const database = {
  DATABASE_URL: secret(
    optional(
      kinds.databaseUrl,
      "An external PostgreSQL 15 or later. Only `svc-manage migrate` updates its schema.",
      "the embedded database in `SVC_DATA_DIR`",
    ),
  ),
  SVC_DATABASE_BUFFERS_MB: fixed(
    kinds.integer(8, 1024),
    "64",
    "Cache of the embedded database; more for a large catalogue. Each megabyte adds 3 ms to a start.",
  ),
  POSTGRES_PASSWORD: secret(
    optional(kinds.string, "Password of the database container; `DATABASE_URL` must contain the same one."),
  ),
};

const accounts = {
  SECRET_KEY: secret(
    optional(
      kinds.string,
      "Signs access tokens; at least 32 characters, best 32 random bytes: `openssl rand -hex 32`.",
      "required; in local development generated once and stored in `SVC_DATA_DIR` or in the external database",
    ),
  ),
  JWT_EXPIRES_SECONDS: fixed(kinds.integer(60, 86400), "900", "Validity of an access token in seconds."),
  FIRST_RUN_CREDENTIALS_PATH: filled(
    kinds.path,
    "{SVC_DATA_DIR}/first-run-credentials.txt",
    "File that receives the one-time password of the first administrator.",
  ),
  DEFAULT_ADMIN_EMAIL: fixed(
    kinds.email,
    "admin@example.org",
    "Login of the first administrator in local development; else it is `admin@` the host of `SVC_BASE_URL`.",
  ),
  DEFAULT_ADMIN_PASSWORD: secret(
    optional(
      kinds.string,
      "Password of the first administrator in local development, with the rules for every password; ignored when `SVC_BASE_URL` is set.",
      "random, shown once",
    ),
  ),
};

const publicFace = {
  OAI_ADMIN_EMAIL: made(
    kinds.email,
    "`admin@` the host of `SVC_BASE_URL`",
    (known) => withDot(adminEmail(known), String(known.value("DEFAULT_ADMIN_EMAIL"))),
    "Contact in the OAI-PMH Identify response.",
  ),
  WIKIDATA_USER_AGENT: filled(
    kinds.string,
    "collections-catalogue-service ({SVC_BASE_URL}; {OAI_ADMIN_EMAIL})",
    "`User-Agent` of requests to Wikidata and the other authority files.",
  ),
  PUBLIC_COLLECTION_STATUSES: fixed(
    kinds.someOf("active", "pending", "on_loan_in", "on_loan_out", "deaccessioned", "returned"),
    "active,on_loan_out",
    "The public search finds only objects with one of these collection statuses. Lists and counts of objects on public pages hold no others either.",
  ),
  ROBOTS_DISALLOW_PATHS: fixed(
    kinds.pathList,
    "/v1/",
    "Paths that /robots.txt closes to all crawlers; /llms.txt does not list them. Records stay open under /api/v1/.",
  ),
  LLMS_TXT_ENABLED: fixed(kinds.boolean, "true", "Serves /llms.txt."),
  DUMPS_ENABLED: fixed(
    kinds.boolean,
    "true",
    "Writes everything public into files in `{SVC_DATA_DIR}/dumps` each night and serves them under /dumps/. Several processes share that directory.",
  ),
  LLMS_TXT_EXTRA_NOTES: optional(kinds.text, "Free text added to /llms.txt; may have several lines."),
};

const authorities = {
  GEONAMES_USERNAME: secret(
    optional(kinds.word, "Account at geonames.org, with web services enabled; required for GeoNames."),
  ),
  AUTHORITY_GND_URL: fixed(
    kinds.url,
    "https://lobid.org/gnd",
    "Address of the GND; change it for tests only.",
  ),
  AUTHORITY_GEONAMES_URL: fixed(
    kinds.url,
    "https://secure.geonames.org",
    "Address of GeoNames; change it for tests only.",
  ),
  AUTHORITY_WIKIDATA_URL: fixed(
    kinds.url,
    "https://www.wikidata.org/w/api.php",
    "Address of Wikidata; change it for tests only.",
  ),
};

const rateLimits = {
  RATE_LIMIT_DEFAULT: fixed(
    kinds.rate,
    "200/minute",
    "Endpoints without a limit of their own. Styles, scripts, fonts and the logo of pages are not counted.",
  ),
  RATE_LIMIT_PUBLIC_EXPORT: fixed(kinds.rate, "30/minute", "Exports of a record, a list and a search."),
  RATE_LIMIT_PUBLIC_SEARCH: fixed(
    kinds.rate,
    "100/minute",
    "/portal/v1/search and /portal/v1/search/advanced.",
  ),
  RATE_LIMIT_OAI: fixed(kinds.rate, "100/minute", "/oai."),
  RATE_LIMIT_AUTHORITY_PROXY: fixed(kinds.rate, "60/minute", "Look-ups in authority files."),
  RATE_LIMIT_SPARQL: fixed(kinds.rate, "60/minute", "/sparql."),
  RATE_LIMIT_IIIF: fixed(
    kinds.rate,
    "3000/minute",
    "Images under /iiif/3: one look at a large picture takes hundreds of tiles.",
  ),
};

const mail = {
  SMTP_ENABLED: fixed(
    kinds.boolean,
    "false",
    "Sends mail (password reset, changed passwords and addresses) through a relay.",
  ),
  SMTP_HOST: optional(kinds.host, "Host of the relay."),
  SMTP_PORT: made(
    kinds.integer(1, 65535),
    "`587`; `465` with `SMTP_SSL_TLS=true`",
    ({ value }) => (value("SMTP_SSL_TLS") ? 465 : 587),
    "Port of the relay: 587 is usual with STARTTLS, 465 with implicit TLS.",
  ),
  SMTP_USERNAME: optional(kinds.string, "Login at the relay, if required."),
  SMTP_PASSWORD: secret(optional(kinds.string, "Password for `SMTP_USERNAME`.")),
  SMTP_FROM: optional(kinds.sender, "Sender; its domain needs SPF, DKIM and DMARC."),
  SMTP_STARTTLS: fixed(kinds.boolean, "false", "STARTTLS; exactly one of this and `SMTP_SSL_TLS` is true."),
  SMTP_SSL_TLS: fixed(
    kinds.boolean,
    "false",
    "Implicit TLS; exactly one of this and `SMTP_STARTTLS` is true.",
  ),
};

const backups = {
  BACKUP_ENABLED: fixed(kinds.boolean, "true", "false turns backups off."),
  BACKUP_ROOT: made(
    kinds.path,
    "`{SVC_DATA_DIR}/backups`; `/srv/svc/backups` in the container",
    ({ container, value }) =>
      container ? "/srv/svc/backups" : inDirectory(String(value("SVC_DATA_DIR")), "backups"),
    "Directory of the backups.",
  ),
  BACKUP_RETENTION_DAYS: fixed(kinds.integer(1, 36500), "14", "Older backups are deleted."),
  BACKUP_AT: {
    ...optional(
      kinds.time,
      "Daily time in `TZ`. Set it to an empty value (`BACKUP_AT=`) to use an interval.",
      "`03:00`",
    ),
    default: "03:00" as string | null,
    emptyCounts: true,
  },
  BACKUP_INTERVAL_SECONDS: fixed(
    kinds.integer(60, 31536000),
    "86400",
    "Seconds between backups, at least 60, the first at start; used only when `BACKUP_AT` is empty.",
  ),
};

const containers = {
  COMPOSE_PROFILES: optional(kinds.wordList, "`rdf` starts an external triple store; read by compose only."),
};

export const GROUPS = {
  Server: server,
  Database: database,
  Accounts: accounts,
  "Portal and harvesting": publicFace,
  "Authority files": authorities,
  "Rate limits": rateLimits,
  "Search engine and cache": searchAndCache,
  Mail: mail,
  "ARK identifiers": ark,
  "Triple store and SPARQL": linkedData,
  "Media and images": media,
  Backups: backups,
  Containers: containers,
} as const;

export const VARIABLES = {
  ...server,
  ...database,
  ...accounts,
  ...publicFace,
  ...authorities,
  ...rateLimits,
  ...searchAndCache,
  ...mail,
  ...ark,
  ...linkedData,
  ...media,
  ...backups,
  ...containers,
} as const;

export type VariableName = keyof typeof VARIABLES;

type Table = typeof VARIABLES;
type ValueOf<V> = V extends Variable<infer T> ? T : never;

/** The value of each variable; null if it is missing or could not be read. */
export type Readings = { readonly [N in VariableName]: ValueOf<Table[N]> | null };

/** The values if there were no faults: a variable with a default is never null. */
export type Values = {
  readonly [N in VariableName]: Table[N] extends Fixed<infer T> | Made<infer T>
    ? T
    : ValueOf<Table[N]> | null;
};
