import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInNetworks } from "../../src/config/networks.ts";
import {
  type About,
  type Config,
  configurationTable,
  type Environment,
  listeningOn,
  readConfig,
} from "../../src/config/read.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { say, sayAll } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { inLong } from "../support/lane/lane.ts";

const KEY = "6f1d0c9ab27e4835d1f06b9ce874a3520b7f9e1c6d28a4f35e90c7b1824d6fa3";
const PUBLIC = {
  SVC_BASE_URL: "https://museum.example.org",
  SECRET_KEY: KEY,
  OAI_ADMIN_EMAIL: "oai@example.org",
};
const MAIL = {
  ...{ ...PUBLIC, SMTP_ENABLED: "true" },
  ...{ SMTP_HOST: "relay.example.org", SMTP_FROM: "museum@example.org" },
};
const RELAY = { host: "relay.example.org", username: null, password: null };
const S3 = { STORAGE_BACKEND: "s3", S3_BUCKET: "media", S3_ACCESS_KEY: "AKIA1", S3_SECRET_KEY: "wJalr" };

function config(env: Environment = {}, about?: About): Config {
  const result = readConfig(env, about);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.config;
}

function faults(env: Environment): readonly string[] {
  const result = readConfig(env);
  return result.ok ? [] : result.faults.map((fault) => say(ENGLISH, fault));
}

const settingOf = (read: Config, name: string) => read.settings.find((row) => row.name === name);

describe("the configuration without any variable", () => {
  test("is local development on this machine, with all files in ./data", () => {
    expect(config()).toMatchObject({
      container: false,
      host: "127.0.0.1",
      port: 8000,
      baseUrl: "http://127.0.0.1:8000",
      adminUrl: "http://127.0.0.1:8000/admin",
      localDevelopment: true,
      timeZone: "UTC",
      trustedProxies: [],
      corsOrigins: [],
      log: { level: "info", format: "auto" },
      dataDir: "./data",
      mediaRoot: "./data/media",
      backupRoot: "./data/backups",
      firstRunCredentialsPath: "./data/first-run-credentials.txt",
      resetCredentialsPath: "./data/reset-credentials.txt",
      secretKeyPath: "./data/secret-key",
      databaseUrl: null,
      secretKey: null,
      jwtExpiresSeconds: 900,
      firstAdmin: { email: "admin@example.org", password: null },
      oaiAdminEmail: "admin@example.org",
      wikidataUserAgent: "collections-catalogue-service (http://127.0.0.1:8000; admin@example.org)",
      publicCollectionStatuses: ["active", "on_loan_out"],
      robotsDisallowPaths: ["/v1/"],
      llmsTxt: { enabled: true, extraNotes: "" },
      warnings: [],
    });
  });

  test("uses no external service, and has the limits of the contract", () => {
    expect(config()).toMatchObject({
      rateLimits: {
        default: { limit: 200, windowSeconds: 60 },
        publicExport: { limit: 30, windowSeconds: 60 },
        publicSearch: { limit: 100, windowSeconds: 60 },
        oai: { limit: 100, windowSeconds: 60 },
        authorityProxy: { limit: 60, windowSeconds: 60 },
        sparql: { limit: 60, windowSeconds: 60 },
      },
      typesense: null,
      upstash: null,
      cantaloupeUrl: null,
      smtp: null,
      storageBackend: "local",
      s3: null,
      ark: { enabled: false, naan: null, resolverUrl: "http://127.0.0.1:8000", suffixLength: 8 },
      triplestore: { enabled: false, url: null, updateUrl: null, token: null },
      sparql: { enabled: false, requireAuth: true, timeoutSeconds: 30, maxQueryBytes: 65536 },
      mediaMaxBytes: 536870912,
      backup: { enabled: true, retentionDays: 14, schedule: { at: { hour: 3, minute: 0 } } },
    });
  });

  test("listens on all addresses in a container, and keeps files where the contract says", () => {
    expect(config({}, { container: true })).toMatchObject({
      host: "0.0.0.0",
      baseUrl: "http://127.0.0.1:8000",
      dataDir: "/var/lib/svc",
      mediaRoot: "/var/lib/svc/media",
      backupRoot: "/srv/svc/backups",
      firstRunCredentialsPath: "/var/lib/svc/first-run-credentials.txt",
      resetCredentialsPath: "/var/lib/svc/reset-credentials.txt",
    });
  });

  test("is the same if variables are empty or only white space", () => {
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, "  "]));
    expect(config({ ...empty, BACKUP_AT: undefined })).toEqual(config());
  });
});

const READ: Record<string, [Environment, Partial<Config>]> = {
  "the slash at the end of an address is dropped": [
    { ...PUBLIC, SVC_BASE_URL: "https://a.org/cat//" },
    { baseUrl: "https://a.org/cat" },
  ],
  "an address keeps its port and its host is lowercase": [
    { ...PUBLIC, SVC_BASE_URL: "HTTP://A.org:8443" },
    { baseUrl: "http://a.org:8443" },
  ],
  "white space around a value is ignored": [{ PORT: " 81\n" }, { port: 81 }],
  "an IPv6 host is written in brackets": [{ HOST: "::1" }, { baseUrl: "http://[::1]:8000" }],
  "listening to all IPv6 addresses is shown as the machine itself": [
    { HOST: "::" },
    { baseUrl: "http://[::1]:8000" },
  ],
  "the admin interface may have its own address": [
    { SVC_ADMIN_URL: "https://admin.a.org/" },
    { adminUrl: "https://admin.a.org" },
  ],
  "media and backups are in the data directory": [
    { SVC_DATA_DIR: "/srv/a/" },
    { mediaRoot: "/srv/a/media", backupRoot: "/srv/a/backups" },
  ],
  "the root directory can be the data directory": [{ SVC_DATA_DIR: "/" }, { mediaRoot: "/media" }],
  "a path of its own takes precedence over the data directory": [
    { MEDIA_ROOT: "/m", BACKUP_ROOT: "/b" },
    { mediaRoot: "/m", backupRoot: "/b" },
  ],
  "the one-time credentials file can be moved": [
    { FIRST_RUN_CREDENTIALS_PATH: "/run/first" },
    { firstRunCredentialsPath: "/run/first" },
  ],
  "origins may be separated by commas": [
    { CORS_ORIGINS: "https://a.org, http://b.org:81/" },
    { corsOrigins: ["https://a.org", "http://b.org:81"] },
  ],
  "lists may be JSON arrays, as in older installations": [
    { ROBOTS_DISALLOW_PATHS: '["/v1/", "/x"]' },
    { robotsDisallowPaths: ["/v1/", "/x"] },
  ],
  "repetitions in a list are dropped": [
    { PUBLIC_COLLECTION_STATUSES: "active,returned,active" },
    { publicCollectionStatuses: ["active", "returned"] },
  ],
  "words of a fixed choice may be in any case": [
    { LOG_LEVEL: "WARN", LOG_FORMAT: "Json" },
    { log: { level: "warn", format: "json" } },
  ],
  "an interval replaces the daily backup when BACKUP_AT is set to nothing": [
    { BACKUP_AT: "", BACKUP_INTERVAL_SECONDS: "3600" },
    { backup: { enabled: true, retentionDays: 14, schedule: { everySeconds: 3600 } } },
  ],
  "a daily backup takes precedence over an interval": [
    { BACKUP_AT: "23:59", BACKUP_INTERVAL_SECONDS: "60" },
    { backup: { enabled: true, retentionDays: 14, schedule: { at: { hour: 23, minute: 59 } } } },
  ],
  "the time zone is an IANA one": [{ TZ: "Europe/Berlin" }, { timeZone: "Europe/Berlin" }],
  "sizes may carry a unit": [{ MEDIA_MAX_BYTES: "2G" }, { mediaMaxBytes: 2147483648 }],
  "free text may have several lines": [
    { LLMS_TXT_EXTRA_NOTES: "One\nTwo", LLMS_TXT_ENABLED: "off" },
    { llmsTxt: { enabled: false, extraNotes: "One\nTwo" } },
  ],
  "the first administrator of local development comes from the variables": [
    { DEFAULT_ADMIN_EMAIL: "me@a.org", DEFAULT_ADMIN_PASSWORD: "tulips in April" },
    { firstAdmin: { email: "me@a.org", password: "tulips in April" } },
  ],
  "the first administrator of a public instance has an address at its host": [
    { ...PUBLIC, DEFAULT_ADMIN_PASSWORD: "tulips in April" },
    { firstAdmin: { email: "admin@museum.example.org", password: null }, localDevelopment: false },
  ],
  "the default address for harvesters is at the host": [
    { ...PUBLIC, OAI_ADMIN_EMAIL: undefined },
    { oaiAdminEmail: "admin@museum.example.org" },
  ],
  "the default address for harvesters is valid for the OAI-PMH schema": [
    { ...PUBLIC, SVC_BASE_URL: "http://localhost:8000", OAI_ADMIN_EMAIL: "" },
    { oaiAdminEmail: "admin@example.org", firstAdmin: { email: "admin@localhost", password: null } },
  ],
  "the user agent for Wikidata names the service": [
    PUBLIC,
    { wikidataUserAgent: "collections-catalogue-service (https://museum.example.org; oai@example.org)" },
  ],
  "the user agent for Wikidata can be set": [
    { WIKIDATA_USER_AGENT: "Museum/1" },
    { wikidataUserAgent: "Museum/1" },
  ],
  "STARTTLS is at port 587": [
    { ...MAIL, SMTP_STARTTLS: "1" },
    {
      smtp: { ...RELAY, port: 587, from: "museum@example.org", tls: "starttls" },
    },
  ],
  "implicit TLS is at port 465": [
    { ...MAIL, SMTP_SSL_TLS: "YES", SMTP_FROM: "The Museum <m@a.org>" },
    {
      smtp: { ...RELAY, port: 465, from: "The Museum <m@a.org>", tls: "implicit" },
    },
  ],
  "an object store is read with all its variables": [
    { ...S3, S3_ENDPOINT_URL: "https://s3.a.org/", S3_CA_BUNDLE: "/ca.pem" },
    {
      storageBackend: "s3",
      s3: {
        endpointUrl: "https://s3.a.org",
        bucket: "media",
        region: "us-east-1",
        accessKey: "AKIA1",
        secretKey: "wJalr",
        forcePathStyle: true,
        verifyTls: true,
        caBundle: "/ca.pem",
      },
    },
  ],
  "SPARQL is served when the triple store and the endpoint are on": [
    { TRIPLESTORE_ENABLED: "on", TRIPLESTORE_URL: "http://oxigraph:7878/", SPARQL_QUERY_TIMEOUT: "2.5" },
    {
      triplestore: { enabled: true, url: "http://oxigraph:7878", updateUrl: null, token: null },
      sparql: { enabled: true, requireAuth: true, timeoutSeconds: 2.5, maxQueryBytes: 65536 },
    },
  ],
  "SPARQL is not served when only the triple store is on": [
    { TRIPLESTORE_ENABLED: "true", SPARQL_ENDPOINT_ENABLED: "no" },
    { sparql: { enabled: false, requireAuth: true, timeoutSeconds: 30, maxQueryBytes: 65536 } },
  ],
  "ARKs are written with the resolver": [
    { ...PUBLIC, ARK_ENABLED: "true", ARK_NAAN: "12345", ARK_RESOLVER_URL: "https://n2t.net/" },
    { ark: { enabled: true, naan: "12345", resolverUrl: "https://n2t.net", suffixLength: 8 } },
  ],
  "the other services come with their keys": [
    {
      TYPESENSE_URL: "http://t:8108",
      TYPESENSE_API_KEY: "k",
      UPSTASH_REDIS_REST_URL: "https://u.io",
      UPSTASH_REDIS_REST_TOKEN: "t",
      CANTALOUPE_URL: "http://c:8182",
    },
    {
      typesense: { url: "http://t:8108", apiKey: "k" },
      upstash: { url: "https://u.io", token: "t" },
      cantaloupeUrl: "http://c:8182",
    },
  ],
  "the database URL may carry an encoded password": [
    { DATABASE_URL: "postgresql://svc:p%40ss@db/svc", POSTGRES_PASSWORD: "p@ss" },
    { databaseUrl: "postgresql://svc:p%40ss@db/svc" },
  ],
  "a database on a socket has no host in its URL": [
    { DATABASE_URL: "postgres:///svc?host=/run/postgresql" },
    { databaseUrl: "postgres:///svc?host=/run/postgresql" },
  ],
};

test.each(Object.entries(READ))("%s", (_, [env, expected]) => {
  expect(config(env)).toMatchObject(expected);
});

test.each([
  ["5/second", 5, 1],
  ["30/Minute", 30, 60],
  ["500/hour", 500, 3600],
  ["9/day", 9, 86400],
])("the rate %s is %i in %i seconds", (text, limit, windowSeconds) => {
  expect(config({ RATE_LIMIT_OAI: text }).rateLimits.oai).toEqual({ limit, windowSeconds });
});

test("true, 1, yes and on are true and false, 0, no and off are false, in any case", () => {
  for (const word of ["true", "1", "YES", "On"])
    expect(config({ BACKUP_ENABLED: word }).backup.enabled).toBe(true);
  for (const word of ["FALSE", "0", "no", "off"])
    expect(config({ BACKUP_ENABLED: word }).backup.enabled).toBe(false);
});

const URL_EXPECTED = "an absolute http:// or https:// address without user name, password, ? or #";
const DATABASE_EXPECTED =
  "postgres://USER:PASSWORD@HOST:PORT/NAME or postgresql://… without a driver such as +asyncpg; " +
  "percent-encode special characters of the password";
const RATE_EXPECTED =
  "N/unit, where N is at least 1 and the unit is second, minute, hour or day, such as 30/minute";
const NETWORKS = "a comma-separated list of networks such as 10.0.0.0/8, fd00::/8 or 192.0.2.1";
const A_NAAN = "a name-assigning authority number: five or more digits or lower-case consonants, without l";
const ORIGINS =
  "a comma-separated list of origins such as https://www.example.org (scheme and host, no path, no *)";
const BOOLEAN = "true or false (also 1/0, yes/no, on/off)";
const CONTROL = "it must not contain line breaks or other control characters";

/** [variable, value, what the message says it must be] */
const WRONG: [keyof typeof VARIABLES, string, string][] = [
  ["HOST", "a b", "a host name, an IPv4 or an IPv6 address"],
  ["HOST", "300.1.1.1", "a host name, an IPv4 or an IPv6 address"],
  ["PORT", "65536", "a whole number from 0 to 65535"],
  ["PORT", "-1", "a whole number from 0 to 65535"],
  ["PORT", "80.0", "a whole number from 0 to 65535"],
  ["PORT", "0x50", "a whole number from 0 to 65535"],
  ["PORT", "080", "a whole number from 0 to 65535"],
  ["JWT_EXPIRES_SECONDS", "59", "a whole number from 60 to 86400"],
  ["SVC_ADMIN_URL", "admin.example.org", URL_EXPECTED],
  ["SVC_ADMIN_URL", "/admin", URL_EXPECTED],
  ["CANTALOUPE_URL", "ftp://a.org", URL_EXPECTED],
  ["CANTALOUPE_URL", "http:a.org", URL_EXPECTED],
  ["CANTALOUPE_URL", "http:///a.org", URL_EXPECTED],
  ["CANTALOUPE_URL", "http://a.org?", URL_EXPECTED],
  ["CANTALOUPE_URL", "http://a.org/#x", URL_EXPECTED],
  ["CANTALOUPE_URL", "http://a.org:99999", URL_EXPECTED],
  ["CANTALOUPE_URL", "http://a.org\\x", URL_EXPECTED],
  ["LLMS_TXT_ENABLED", "maybe", BOOLEAN],
  ["SMTP_ENABLED", "2", BOOLEAN],
  ["SPARQL_QUERY_TIMEOUT", "0", "a number from 0.1 to 3600, such as 2.5"],
  ["SPARQL_QUERY_TIMEOUT", "1e3", "a number from 0.1 to 3600, such as 2.5"],
  ["MEDIA_MAX_BYTES", "0", "a number of bytes above 0, such as 65536, 64k, 512m or 2g"],
  ["MEDIA_MAX_BYTES", "1.5g", "a number of bytes above 0, such as 65536, 64k, 512m or 2g"],
  ["RATE_LIMIT_DEFAULT", "30", RATE_EXPECTED],
  ["RATE_LIMIT_DEFAULT", "0/minute", RATE_EXPECTED],
  ["RATE_LIMIT_DEFAULT", "30/week", RATE_EXPECTED],
  ["RATE_LIMIT_DEFAULT", "30/minutes", RATE_EXPECTED],
  ["BACKUP_AT", "3:00", "a time of day HH:MM from 00:00 to 23:59"],
  ["BACKUP_AT", "24:00", "a time of day HH:MM from 00:00 to 23:59"],
  ["BACKUP_RETENTION_DAYS", "0", "a whole number from 1 to 36500"],
  ["BACKUP_INTERVAL_SECONDS", "59", "a whole number from 60 to 31536000"],
  ["TZ", "Mars/Olympus", "an IANA time zone such as Europe/Berlin or UTC"],
  ["LOG_LEVEL", "verbose", "one of debug, info, warn, error"],
  ["LOG_FORMAT", "xml", "one of auto, pretty, json"],
  ["STORAGE_BACKEND", "gcs", "one of local, s3"],
  ["TRUSTED_PROXIES", "10.0.0.0/33", NETWORKS],
  ["TRUSTED_PROXIES", "10.0.0", NETWORKS],
  ["TRUSTED_PROXIES", "fd00::/129", NETWORKS],
  ["TRUSTED_PROXIES", "1::2::3", NETWORKS],
  ["TRUSTED_PROXIES", "1.2.3.4::", NETWORKS],
  ["TRUSTED_PROXIES", "10.0.0.0/8, proxy", NETWORKS],
  ["CORS_ORIGINS", "*", ORIGINS],
  ["CORS_ORIGINS", "https://a.org/app", ORIGINS],
  ["CORS_ORIGINS", "https://a.org, b.org", ORIGINS],
  ["CORS_ORIGINS", ",", ORIGINS],
  ["ROBOTS_DISALLOW_PATHS", "v1/", "a comma-separated list of paths that begin with /"],
  ["ROBOTS_DISALLOW_PATHS", "[1]", "a comma-separated list of paths that begin with /"],
  ["ROBOTS_DISALLOW_PATHS", '["/v1/"', "a comma-separated list of paths that begin with /"],
  [
    "PUBLIC_COLLECTION_STATUSES",
    "active,lost",
    "a comma-separated list of active, pending, on_loan_in, on_loan_out, deaccessioned, returned",
  ],
  ["COMPOSE_PROFILES", "rdf;x", "a comma-separated list of names"],
  ["OAI_ADMIN_EMAIL", "museum", "an e-mail address such as museum@example.org"],
  ["DEFAULT_ADMIN_EMAIL", "a@localhost", "an e-mail address such as museum@example.org"],
  ["SMTP_FROM", "Museum <a>", "museum@example.org or The Museum <museum@example.org>"],
  ["SVC_DATA_DIR", "~/data", "a path (~ is not expanded)"],
  ["ARK_NAAN", "1234", A_NAAN],
  ["ARK_NAAN", "1234a", A_NAAN],
  ["ARK_NAAN", "B5060", A_NAAN],
  ["ARK_SUFFIX_LENGTH", "3", "a whole number from 4 to 64"],
  ["S3_BUCKET", "a/b", "the name of a bucket"],
  ["SMTP_PORT", "0", "a whole number from 1 to 65535"],
];

test.each(WRONG)("%s=%s is refused with a line that says what is valid", (name, value, expected) => {
  expect(faults({ [name]: value })).toEqual([`${name}=${JSON.stringify(value)}: it must be ${expected}`]);
});

test("an address with an empty user name is refused like one with any user name", () => {
  expect(faults({ CANTALOUPE_URL: "http://@a.org" })).toEqual([
    `CANTALOUPE_URL="********@a.org": it must be ${URL_EXPECTED}`,
  ]);
});

test.each([
  ...["mysql://db/svc", "db.example.org", "postgresql+asyncpg://svc:tulip-secret@db/svc"],
  ...["postgres://svc:tulip-secret#1@db/svc", "postgres://svc:tulip-secret%zz@db/svc"],
])("the database URL %s is refused without being shown", (value) => {
  expect(faults({ DATABASE_URL: value })).toEqual([
    `DATABASE_URL (value not shown): it must be ${DATABASE_EXPECTED}`,
  ]);
});

test("control characters are refused in every value, and only free text may have line breaks", () => {
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const breaks = "multiline" in variable.kind ? [] : ["a\nb", "a\u0085b", "a\u2028b"];
    for (const value of ["a\u0000b", "a\u001bb", ...breaks]) {
      const code = value.charCodeAt(1).toString(16).padStart(4, "0");
      const shown = value === "a\nb" ? '"a\\nb"' : `"a\\u${code}b"`;
      const what = variable.secret ? `${name} (value not shown)` : `${name}=${shown}`;
      expect(faults({ [name]: value })).toContain(`${what}: ${CONTROL}`);
    }
  }
});

const MAKE_KEY = "make one with: openssl rand -hex 32";
const ONE_TLS = (both: boolean) =>
  `SMTP_STARTTLS=${both} and SMTP_SSL_TLS=${both}: SMTP_ENABLED=true needs exactly one of them to be true ` +
  "(STARTTLS is usual with port 587, SSL_TLS with port 465)";
const weak = (why: string) => [`SECRET_KEY (value not shown) is too weak: ${why}; ${MAKE_KEY}`];

const TOGETHER: Record<string, [Environment, string[]]> = {
  "a public instance needs a secret key": [
    { ...PUBLIC, SECRET_KEY: "" },
    [`SECRET_KEY is not set: it is required with SVC_BASE_URL; ${MAKE_KEY}`],
  ],
  "a secret key needs at least 32 characters": [
    { ...PUBLIC, SECRET_KEY: "q8Zt!mWx" },
    weak("it has 8 characters and needs at least 32"),
  ],
  "a secret key needs different characters": [
    { ...PUBLIC, SECRET_KEY: "a".repeat(64) },
    weak("it has too few different characters"),
  ],
  "a secret key must not repeat itself": [
    { ...PUBLIC, SECRET_KEY: "q8Zt!mWx".repeat(5) },
    weak("it repeats itself"),
  ],
  "a secret key must not be the one of the example": [
    { ...PUBLIC, SECRET_KEY: "changeme-q8ZtmWxPlk3vBn7RyUcDfGh" },
    weak("it is made of words that can be guessed"),
  ],
  "the database password must be the same in both places": [
    { DATABASE_URL: "postgres://svc:tulip@db/svc", POSTGRES_PASSWORD: "rose" },
    ["DATABASE_URL (value not shown) must contain the same password as POSTGRES_PASSWORD"],
  ],
  "SVC_WORK=outside needs a database that several processes can reach": [
    { SVC_WORK: "outside" },
    [
      "SVC_WORK=outside needs DATABASE_URL: the embedded database belongs to the service, which then does all the work itself",
    ],
  ],
  "mail needs one kind of TLS": [MAIL, [ONE_TLS(false)]],
  "mail needs only one kind of TLS": [
    { ...MAIL, SMTP_STARTTLS: "true", SMTP_SSL_TLS: "true" },
    [ONE_TLS(true)],
  ],
  "mail needs a relay, a sender and a base URL": [
    { SMTP_ENABLED: "true", SMTP_STARTTLS: "true" },
    [
      "SMTP_HOST is not set: SMTP_ENABLED=true needs it",
      "SMTP_FROM is not set: SMTP_ENABLED=true needs it",
      "SVC_BASE_URL is not set: SMTP_ENABLED=true needs it to write links in e-mails",
    ],
  ],
  "a CA bundle needs verification": [
    { ...S3, S3_CA_BUNDLE: "/ca", S3_VERIFY_TLS: "no" },
    ["S3_CA_BUNDLE is set and S3_VERIFY_TLS=false: a CA bundle is for verifying; unset one of the two"],
  ],
  "a CA bundle needs TLS": [
    { ...S3, S3_CA_BUNDLE: "/ca", S3_ENDPOINT_URL: "http://s3.a.org" },
    ['S3_CA_BUNDLE is set and S3_ENDPOINT_URL="http://s3.a.org": a CA bundle needs an https:// address'],
  ],
  "minting ARKs needs a NAAN": [
    { ARK_ENABLED: "true" },
    ["ARK_NAAN is not set: ARK_ENABLED=true needs the number that was assigned to you"],
  ],
};

test.each(Object.entries(TOGETHER))("%s", (_, [env, expected]) => {
  expect(faults(env)).toEqual(expected);
});

/** [variable, what is set, the variables that it needs and that are missing] */
const NEEDED: [string, Environment, string[]][] = [
  ["SMTP_USERNAME", { ...MAIL, SMTP_STARTTLS: "1", SMTP_USERNAME: "m" }, ["SMTP_PASSWORD"]],
  ["SMTP_PASSWORD", { ...MAIL, SMTP_STARTTLS: "1", SMTP_PASSWORD: "m" }, ["SMTP_USERNAME"]],
  ["STORAGE_BACKEND=s3", { STORAGE_BACKEND: "s3" }, ["S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY"]],
  ["STORAGE_BACKEND=s3", { ...S3, S3_SECRET_KEY: "" }, ["S3_SECRET_KEY"]],
  ["TYPESENSE_URL", { TYPESENSE_URL: "http://t:8108" }, ["TYPESENSE_API_KEY"]],
  ["UPSTASH_REDIS_REST_URL", { UPSTASH_REDIS_REST_URL: "https://u.io" }, ["UPSTASH_REDIS_REST_TOKEN"]],
  ["UPSTASH_REDIS_REST_TOKEN", { UPSTASH_REDIS_REST_TOKEN: "t" }, ["UPSTASH_REDIS_REST_URL"]],
];

test.each(NEEDED)("%s needs others, of which those that are missing are named: %j", (name, env, missing) => {
  expect(faults(env)).toEqual(missing.map((other) => `${other} is not set: ${name} needs it`));
});

test("all faults are listed at once, and a wrong value is not also reported as missing", () => {
  const env = {
    ...{ ...S3, S3_BUCKET: "a/b", S3_SECRET_KEY: "" },
    ...{ PORT: "http", TZ: "Mars", SMTP_ENABLED: "perhaps", ARK_ENABLED: "1" },
  };
  const named = faults(env).map((line) => line.split(/[ =]/)[0]);
  expect(named.join(" ")).toBe("PORT TZ SMTP_ENABLED S3_BUCKET S3_SECRET_KEY ARK_NAAN");
});

test.each([
  ["tulip", "is shorter than 12 characters"],
  ["password12345", "is a very common password"],
  ["the admin of a museum", "contains the first part of the e-mail address"],
  ["x".repeat(1_025), "is longer than 1,024 characters"],
])("the first password %s stops a start of local development, and is not shown", (password, fault) => {
  expect(faults({ DEFAULT_ADMIN_PASSWORD: password, PORT: "http" })).toEqual([
    expect.stringMatching(/^PORT=/),
    `DEFAULT_ADMIN_PASSWORD (value not shown) ${fault}: ` +
      "choose another one, or leave it empty: a random one is then made and shown once",
  ]);
  expect(faults({ ...PUBLIC, DEFAULT_ADMIN_PASSWORD: password })).toEqual([]);
});

const ON_PURPOSE = "zebra-tulip-0193-quartz";

test.each([
  ["credentials in the base URL", { SVC_BASE_URL: `https://svc:${ON_PURPOSE}@a.org`, SECRET_KEY: KEY }],
  ["credentials in an address without its scheme", { TYPESENSE_URL: `svc:${ON_PURPOSE}@a.org` }],
  ["credentials with a slash in them", { CORS_ORIGINS: `https://a.org,https://u:x/${ON_PURPOSE}@b.org` }],
  ["a weak key", { ...PUBLIC, SECRET_KEY: ON_PURPOSE }],
  ["a weak first password", { DEFAULT_ADMIN_EMAIL: "zebra@a.org", DEFAULT_ADMIN_PASSWORD: ON_PURPOSE }],
  ["a database URL", { DATABASE_URL: `postgres://svc:${ON_PURPOSE}@db/svc`, POSTGRES_PASSWORD: "other" }],
  ["a token with a space", { TYPESENSE_URL: "http://t", TYPESENSE_API_KEY: `${ON_PURPOSE} x` }],
])("a fault does not show %s", (_, env) => {
  const lines = faults(env);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("\n")).not.toContain(ON_PURPOSE);
});

test("secrets are not shown in settings or warnings, and the settings say what was set", () => {
  const secrets = Object.entries(VARIABLES).filter(([, variable]) => variable.secret);
  const env = Object.fromEntries(secrets.map(([name]) => [name, ON_PURPOSE]));
  const database = `postgres://svc:${ON_PURPOSE}@db:5432/svc?password=${ON_PURPOSE}`;
  const read = config({
    ...{ ...env, DATABASE_URL: database, UPSTASH_REDIS_REST_URL: "https://u.io" },
    ...{ BACKUP_AT: "", PORT: "81", SVC_SECRET: ON_PURPOSE },
  });
  expect(JSON.stringify([read.settings, read.warnings])).not.toContain(ON_PURPOSE);
  expect(read.settings.map((row) => row.name)).toEqual(Object.keys(VARIABLES));
  const hidden = { name: "SECRET_KEY", value: "********", secret: true, source: "set" };
  expect(settingOf(read, "SECRET_KEY")).toEqual(hidden);
  expect(settingOf(read, "DATABASE_URL")?.value).toBe("postgres://svc:********@db:5432/svc");
  expect(settingOf(read, "PORT")).toEqual({ name: "PORT", value: "81", secret: false, source: "set" });
  expect(settingOf(read, "BACKUP_AT")).toMatchObject({ value: "", source: "set" });
  expect(settingOf(read, "SVC_BASE_URL")).toMatchObject({ value: "http://127.0.0.1:81", source: "derived" });
  expect(settingOf(config(), "PORT")).toMatchObject({ value: "8000", source: "default" });
  expect(settingOf(config(), "SECRET_KEY")).toMatchObject({ value: "", source: "default" });
});

const WARNED: Record<string, [Environment, string | null]> = {
  "a misspelled variable is named": [
    { DATABSE_URL: "x" },
    "DATABSE_URL is not a variable of this service: did you mean DATABASE_URL?",
  ],
  "a variable spelled differently is named": [
    { SVC_BASEURL: "x" },
    "SVC_BASEURL is not a variable of this service: did you mean SVC_BASE_URL?",
  ],
  "a variable in lowercase is named": [
    { svc_base_url: "x" },
    "svc_base_url is not a variable of this service: did you mean SVC_BASE_URL?",
  ],
  "an unknown variable that begins with SVC_ is named": [
    { SVC_COLOUR: "x" },
    "SVC_COLOUR is not a variable of this service: it has no effect",
  ],
  "variables of other programs are left alone": [
    { HOME: "/", PATH: "/bin", TERM: "x", LANG: "C", NODE_ENV: "x", PORTS: "1", PGHOST: "x" },
    null,
  ],
  "a public instance with all it needs has no warnings": [PUBLIC, null],
  "local development open to the network is warned about": [
    { HOST: "0.0.0.0" },
    "SVC_BASE_URL is not set and HOST is 0.0.0.0: this is local development, open to the network; set SVC_BASE_URL to the public address before others use it",
  ],
  "local development on this machine is not warned about": [{ HOST: "localhost" }, null],
  "a weak key is only warned about in local development": [
    { SECRET_KEY: "short" },
    weak("it has 5 characters and needs at least 32").join(),
  ],
  "an address made up for harvesters is warned about": [
    { ...PUBLIC, OAI_ADMIN_EMAIL: "" },
    "OAI_ADMIN_EMAIL is not set: harvesters are given an address made from SVC_BASE_URL",
  ],
  "a development password in public is warned about": [
    { ...PUBLIC, DEFAULT_ADMIN_PASSWORD: "x" },
    "DEFAULT_ADMIN_PASSWORD is not used: it is for local development, without SVC_BASE_URL",
  ],
  "a database password without a database is warned about": [
    { POSTGRES_PASSWORD: "x" },
    "POSTGRES_PASSWORD is set but DATABASE_URL is not: the embedded database is used",
  ],
  "a database URL without the password is warned about": [
    { DATABASE_URL: "postgres://db/svc", POSTGRES_PASSWORD: "x" },
    "DATABASE_URL carries no password: POSTGRES_PASSWORD is not added to it",
  ],
  "a search key without a search engine is warned about": [
    { TYPESENSE_API_KEY: "x" },
    "TYPESENSE_API_KEY is set but TYPESENSE_URL is not: search stays in the database",
  ],
  "a SPARQL endpoint without a triple store is warned about": [
    { SPARQL_ENDPOINT_ENABLED: "true" },
    "SPARQL_ENDPOINT_ENABLED=true has no effect without TRIPLESTORE_ENABLED=true",
  ],
  "an unverified object store is warned about": [
    { ...S3, S3_VERIFY_TLS: "false" },
    "S3_VERIFY_TLS=false is only for tests: anybody on the network in between can read and change media",
  ],
  "the test number of ARKs is warned about": [
    { ARK_ENABLED: "1", ARK_NAAN: "99999" },
    "ARK_NAAN=99999 is the test number: ARKs minted with it are never resolved",
  ],
  "an interval without effect is warned about": [
    { BACKUP_INTERVAL_SECONDS: "60" },
    "BACKUP_INTERVAL_SECONDS has no effect while BACKUP_AT gives a daily time: to use the interval, set BACKUP_AT to an empty value (BACKUP_AT=)",
  ],
};

test.each(Object.entries(WARNED))("%s", (_, [env, expected]) => {
  expect(config(env).warnings.map((each) => say(ENGLISH, each))).toEqual(expected === null ? [] : [expected]);
});

test("warnings come with the faults, as a misspelling is often the cause", () => {
  const read = readConfig({ ...PUBLIC, SECRET_KEY: undefined, SECRET_KEYS: KEY });
  expect(sayAll(ENGLISH, { ...read })).toMatchObject({
    ok: false,
    warnings: ["SECRET_KEYS is not a variable of this service: did you mean SECRET_KEY?"],
  });
});

test("a port chosen by the system appears in every address made from it", () => {
  const read = config({ PORT: "0", SVC_DATA_DIR: "/d" });
  const listening = listeningOn(read, 49152);
  const { settings } = listening;
  expect(listening).toEqual({ ...config({ PORT: "49152", SVC_DATA_DIR: "/d" }), settings });
  expect(settingOf(listening, "PORT")?.value).toBe("49152");
  expect(settingOf(listening, "SVC_ADMIN_URL")?.value).toBe("http://127.0.0.1:49152/admin");
  expect(listeningOn(config({ ...PUBLIC, PORT: "0" }), 49152).baseUrl).toBe(PUBLIC.SVC_BASE_URL);
});

test.each([
  ["10.1.2.3", "10.0.0.0/8", true],
  ["11.1.2.3", "10.0.0.0/8", false],
  ["10.1.2.3", "10.1.2.3", true],
  ["10.1.2.4", "10.1.2.3", false],
  ["172.31.0.1", "172.16.0.0/12", true],
  ["172.32.0.1", "172.16.9.9/12", false],
  ["8.8.8.8", "0.0.0.0/0", true],
  ["::1", "0.0.0.0/0", false],
  ["::ffff:10.1.2.3", "10.0.0.0/8", true],
  ["10.1.2.3", "::ffff:10.0.0.0/104", true],
  ["10.200.2.3", "::ffff:10.0.0.0/104", true],
  ["fd12:3456::1", "fd00::/8", true],
  ["fe80::1", "fd00::/8", false],
  ["2001:db8:0:0:0:0:0:1", "2001:db8::1", true],
  ["2001:db8::1", "2001:db8::/33", true],
  ["2001:db8:8000::1", "2001:db8::/33", false],
  ["unknown", "0.0.0.0/0", false],
])("%s in the trusted network %s: %s", (address, network, expected) => {
  expect(isInNetworks(address, config({ TRUSTED_PROXIES: network }).trustedProxies)).toBe(expected);
});

inLong(test)("any environment gives a configuration, or faults of one line each", () => {
  const usual = fc.constantFrom("true", "1", "a,b", "https://a.org", "::");
  const value = fc.oneof(fc.string({ unit: "binary" }), usual);
  const environment = fc.dictionary(fc.constantFrom(...Object.keys(VARIABLES)), value);
  fc.assert(
    fc.property(environment, (env) => {
      const result = readConfig(env);
      if (!result.ok)
        for (const fault of result.faults) expect(say(ENGLISH, fault)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }),
  );
});

test("docs/configuration.md is up to date (else: node --import tsx tests/support/docs/write-configuration-docs.ts)", () => {
  const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
  const regenerate = "run: node --import tsx tests/support/docs/write-configuration-docs.ts";
  expect(page.includes(configurationTable()), regenerate).toBe(true);
});
