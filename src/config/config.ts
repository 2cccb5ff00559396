/** The configuration: the values of all variables, grouped by purpose. */
import type { Said } from "../messages/said.ts";
import { adminEmail, localUrl } from "./defaults.ts";
import type { TimeOfDay } from "./value-kinds.ts";
import { inDirectory, type Known } from "./variable.ts";
import type { Values } from "./variables.ts";

export type Config = Readonly<ReturnType<typeof configOf>> & {
  /** Lines to log at the start: allowed, but probably not what the operator meant. */
  readonly warnings: readonly Said[];
  /** The effective configuration, one row per variable in the order of the table; secrets are masked. */
  readonly settings: readonly Setting[];
};

/** One line of the effective configuration; the value of a secret is masked. `derived`: made from other variables. */
export type Setting = {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
  readonly source: "set" | "default" | "derived";
};

/** URLs and paths have no slash at their end. Null: nothing external is configured, so the built-in one is used. */
export function configOf(values: Values, known: Known) {
  const dataDir = values.SVC_DATA_DIR;
  const localDevelopment = !known.isSet("SVC_BASE_URL");
  return {
    container: known.container,
    host: values.HOST,
    /** 0: any free port; call `listeningOn` when it is known. */
    port: values.PORT,
    baseUrl: values.SVC_BASE_URL,
    adminUrl: values.SVC_ADMIN_URL,
    /** SVC_BASE_URL is not set, so DEFAULT_ADMIN_* apply, and a missing secret key is generated. */
    localDevelopment,
    timeZone: values.TZ,
    /** `outside`: not this process, but those of `svc-manage work`; only with an external database. */
    work: values.SVC_WORK,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    corsOrigins: values.CORS_ORIGINS ?? [],
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },

    dataDir,
    mediaRoot: values.MEDIA_ROOT,
    backupRoot: values.BACKUP_ROOT,
    firstRunCredentialsPath: values.FIRST_RUN_CREDENTIALS_PATH,
    resetCredentialsPath: inDirectory(dataDir, "reset-credentials.txt"),

    /** Null: the embedded database in `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    /** For the embedded database. */
    databaseBuffersMb: values.SVC_DATABASE_BUFFERS_MB,
    /** Null only in local development: then it is generated once and stored in the external database or at `secretKeyPath`. */
    secretKey: values.SECRET_KEY,
    secretKeyPath: inDirectory(dataDir, "secret-key"),
    jwtExpiresSeconds: values.JWT_EXPIRES_SECONDS,
    /** `password` null: a random one, printed and written to `firstRunCredentialsPath`. */
    firstAdmin: {
      email: adminEmail(known),
      password: localDevelopment ? values.DEFAULT_ADMIN_PASSWORD : null,
    },

    oaiAdminEmail: values.OAI_ADMIN_EMAIL,
    wikidataUserAgent: values.WIKIDATA_USER_AGENT,
    publicCollectionStatuses: values.PUBLIC_COLLECTION_STATUSES as readonly string[],
    robotsDisallowPaths: values.ROBOTS_DISALLOW_PATHS,
    dumps: { enabled: values.DUMPS_ENABLED, directory: inDirectory(dataDir, "dumps") },
    llmsTxt: { enabled: values.LLMS_TXT_ENABLED, extraNotes: values.LLMS_TXT_EXTRA_NOTES ?? "" },

    /** The addresses of authority files. */
    authorities: {
      gndUrl: values.AUTHORITY_GND_URL,
      geonamesUrl: values.AUTHORITY_GEONAMES_URL,
      wikidataUrl: values.AUTHORITY_WIKIDATA_URL,
      /** Null: GeoNames is off. */
      geonamesUsername: values.GEONAMES_USERNAME,
    },

    rateLimits: {
      default: values.RATE_LIMIT_DEFAULT,
      publicExport: values.RATE_LIMIT_PUBLIC_EXPORT,
      publicSearch: values.RATE_LIMIT_PUBLIC_SEARCH,
      oai: values.RATE_LIMIT_OAI,
      authorityProxy: values.RATE_LIMIT_AUTHORITY_PROXY,
      sparql: values.RATE_LIMIT_SPARQL,
      iiif: values.RATE_LIMIT_IIIF,
    },

    /** Languages in which words are reduced to stems (ISO 639-1). */
    searchLanguages: values.SEARCH_LANGUAGES.filter((one) => one !== "none") as readonly string[],
    searchInMemory: values.SEARCH_IN_MEMORY,
    typesense:
      values.TYPESENSE_URL === null
        ? null
        : { url: values.TYPESENSE_URL, apiKey: values.TYPESENSE_API_KEY ?? "" },
    upstash:
      values.UPSTASH_REDIS_REST_URL === null
        ? null
        : { url: values.UPSTASH_REDIS_REST_URL, token: values.UPSTASH_REDIS_REST_TOKEN ?? "" },
    cantaloupeUrl: values.CANTALOUPE_URL,
    imageCache: { directory: inDirectory(dataDir, "image-cache"), maxBytes: values.IMAGE_CACHE_MAX_BYTES },

    smtp: smtp(values),

    ark: {
      enabled: values.ARK_ENABLED,
      naan: values.ARK_NAAN,
      resolverUrl: values.ARK_RESOLVER_URL,
      suffixLength: values.ARK_SUFFIX_LENGTH,
    },

    /** `url` null: the embedded store. `updateUrl` null: updates and queries go to addresses below `url`. */
    triplestore: {
      enabled: values.TRIPLESTORE_ENABLED,
      url: values.TRIPLESTORE_URL,
      updateUrl: values.TRIPLESTORE_UPDATE_URL,
      token: values.TRIPLESTORE_TOKEN,
    },
    sparql: {
      enabled: values.TRIPLESTORE_ENABLED && values.SPARQL_ENDPOINT_ENABLED,
      requireAuth: values.SPARQL_REQUIRE_AUTH,
      timeoutSeconds: values.SPARQL_QUERY_TIMEOUT,
      maxQueryBytes: values.SPARQL_MAX_QUERY_LENGTH,
    },

    importMaxBytes: values.IMPORT_MAX_BYTES,
    mediaMaxBytes: values.MEDIA_MAX_BYTES,
    mediaMaxPixels: values.MEDIA_MAX_PIXELS,
    /** Where new media files are stored: in `mediaRoot`, or in the bucket `s3`. */
    storageBackend: values.STORAGE_BACKEND,
    s3: s3(values),

    backup: {
      enabled: values.BACKUP_ENABLED,
      retentionDays: values.BACKUP_RETENTION_DAYS,
      schedule: backupSchedule(values),
    },
  };
}

/** Null: mail is off. The rules guarantee the other values; the empty strings only satisfy the compiler. */
function smtp(values: Values) {
  if (!values.SMTP_ENABLED) return null;
  return {
    host: values.SMTP_HOST ?? "",
    port: values.SMTP_PORT,
    username: values.SMTP_USERNAME,
    password: values.SMTP_PASSWORD,
    from: values.SMTP_FROM ?? "",
    tls: values.SMTP_SSL_TLS ? ("implicit" as const) : ("starttls" as const),
  };
}

/** Null: no bucket is named. If new files are stored locally, a named bucket may have older ones. */
function s3(values: Values) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = values;
  if (bucket === null || accessKey === null || secretKey === null) return null;
  return {
    /** Null: that of AWS. */
    endpointUrl: values.S3_ENDPOINT_URL,
    bucket,
    region: values.S3_REGION,
    accessKey,
    secretKey,
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
    verifyTls: values.S3_VERIFY_TLS,
    caBundle: values.S3_CA_BUNDLE,
  };
}

/** Daily at a time of day in `timeZone`, or at an interval in seconds, beginning at the start. */
function backupSchedule({
  BACKUP_AT,
  BACKUP_INTERVAL_SECONDS,
}: Values): { at: TimeOfDay } | { everySeconds: number } {
  return BACKUP_AT === null ? { everySeconds: BACKUP_INTERVAL_SECONDS } : { at: BACKUP_AT };
}

/** The same Config with the actual port if PORT is 0, also in every address made from it. */
export function listeningOn(config: Config, port: number): Config {
  const baseUrl = config.localDevelopment ? localUrl(config.host, port) : config.baseUrl;
  const moved = (text: string) => text.replace(config.baseUrl, () => baseUrl);
  return {
    ...config,
    port,
    baseUrl,
    adminUrl: moved(config.adminUrl),
    wikidataUserAgent: moved(config.wikidataUserAgent),
    ark: { ...config.ark, resolverUrl: moved(config.ark.resolverUrl) },
    settings: config.settings.map((setting) =>
      setting.name === "PORT"
        ? { ...setting, value: String(port) }
        : setting.source !== "set"
          ? { ...setting, value: moved(setting.value) }
          : setting,
    ),
  };
}
