/** The values of the variables put together to a Config: what depends on others is worked out here, once. */
import type { Config, Values } from "./config.ts";
import type { VariableName } from "./variables.ts";

/** What to know besides the environment. */
export type About = { readonly container?: boolean };

/** Defaults that depend on other variables, as text; the other ones are in the table. */
export type Derived = { readonly [N in VariableName]?: string };

const DATA_DIR = "./data";
const CONTAINER_DATA_DIR = "/var/lib/svc";
const CONTAINER_BACKUP_ROOT = "/srv/svc/backups";

export const listeningHost = (values: { readonly HOST: string | null }, about: About): string =>
  values.HOST ?? (about.container ? "0.0.0.0" : "127.0.0.1");

/** The address at which a browser on the same machine finds the service. */
function localUrl(host: string, port: number): string {
  const shown = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

const inDirectory = (directory: string, name: string): string =>
  directory.endsWith("/") ? directory + name : `${directory}/${name}`;

/** OAI-PMH's schema wants a dot in the domain, which `localhost` has not. */
const withDot = (email: string, otherwise: string): string =>
  /@[^@]+\.[^@]+$/.test(email) ? email : otherwise;

/** The Config without what is said about it (`warnings`, `settings`). */
export function derive(values: Values, about: About): Omit<Config, "warnings" | "settings"> {
  const container = about.container ?? false;
  const host = listeningHost(values, about);
  const baseUrl = values.SVC_BASE_URL ?? localUrl(host, values.PORT);
  const localDevelopment = values.SVC_BASE_URL === null;
  const dataDir = values.SVC_DATA_DIR ?? (container ? CONTAINER_DATA_DIR : DATA_DIR);
  const adminEmail = localDevelopment ? values.DEFAULT_ADMIN_EMAIL : `admin@${new URL(baseUrl).hostname}`;
  const oaiAdminEmail = values.OAI_ADMIN_EMAIL ?? withDot(adminEmail, values.DEFAULT_ADMIN_EMAIL);
  return {
    container,
    host,
    port: values.PORT,
    baseUrl,
    adminUrl: values.SVC_ADMIN_URL ?? `${baseUrl}/admin`,
    localDevelopment,
    timeZone: values.TZ,
    work: values.SVC_WORK,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    corsOrigins: values.CORS_ORIGINS ?? [],
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
    dataDir,
    mediaRoot: values.MEDIA_ROOT ?? inDirectory(dataDir, "media"),
    backupRoot: values.BACKUP_ROOT ?? (container ? CONTAINER_BACKUP_ROOT : inDirectory(dataDir, "backups")),
    firstRunCredentialsPath:
      values.FIRST_RUN_CREDENTIALS_PATH ?? inDirectory(dataDir, "first-run-credentials.txt"),
    resetCredentialsPath: inDirectory(dataDir, "reset-credentials.txt"),
    databaseUrl: values.DATABASE_URL,
    databaseBuffersMb: values.SVC_DATABASE_BUFFERS_MB,
    secretKey: values.SECRET_KEY,
    secretKeyPath: inDirectory(dataDir, "secret-key"),
    jwtExpiresSeconds: values.JWT_EXPIRES_SECONDS,
    firstAdmin: { email: adminEmail, password: localDevelopment ? values.DEFAULT_ADMIN_PASSWORD : null },
    oaiAdminEmail,
    wikidataUserAgent:
      values.WIKIDATA_USER_AGENT ?? `collections-catalogue-service (${baseUrl}; ${oaiAdminEmail})`,
    publicCollectionStatuses: values.PUBLIC_COLLECTION_STATUSES,
    robotsDisallowPaths: values.ROBOTS_DISALLOW_PATHS,
    dumps: { enabled: values.DUMPS_ENABLED, directory: inDirectory(dataDir, "dumps") },
    llmsTxt: { enabled: values.LLMS_TXT_ENABLED, extraNotes: values.LLMS_TXT_EXTRA_NOTES ?? "" },
    authorities: {
      gndUrl: values.AUTHORITY_GND_URL,
      geonamesUrl: values.AUTHORITY_GEONAMES_URL,
      wikidataUrl: values.AUTHORITY_WIKIDATA_URL,
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
    searchLanguages: values.SEARCH_LANGUAGES ?? [],
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
    imageCache: {
      directory: inDirectory(dataDir, "image-cache"),
      maxBytes: values.IMAGE_CACHE_MAX_BYTES ?? values.CANTALOUPE_CACHE_TMPFS_SIZE,
    },
    smtp: smtp(values),
    ark: {
      enabled: values.ARK_ENABLED,
      naan: values.ARK_NAAN,
      resolverUrl: values.ARK_RESOLVER_URL ?? baseUrl,
      suffixLength: values.ARK_SUFFIX_LENGTH,
    },
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
    storageBackend: values.STORAGE_BACKEND,
    s3: s3(values),
    backup: {
      enabled: values.BACKUP_ENABLED,
      retentionDays: values.BACKUP_RETENTION_DAYS,
      schedule:
        values.BACKUP_AT === null
          ? { everySeconds: values.BACKUP_INTERVAL_SECONDS }
          : { at: values.BACKUP_AT },
    },
  };
}

/** What the rules have made sure of is not null here; an empty string only satisfies the compiler. */
function smtp(values: Values): Config["smtp"] {
  if (!values.SMTP_ENABLED) return null;
  return {
    host: values.SMTP_HOST ?? "",
    port: values.SMTP_PORT ?? smtpPort(values),
    username: values.SMTP_USERNAME,
    password: values.SMTP_PASSWORD,
    from: values.SMTP_FROM ?? "",
    tls: values.SMTP_SSL_TLS ? "implicit" : "starttls",
  };
}

const smtpPort = (values: Values): number => (values.SMTP_SSL_TLS ? 465 : 587);

function s3(values: Values): Config["s3"] {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = values;
  if (bucket === null || accessKey === null || secretKey === null) return null;
  return {
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

/** What the settings show for the variables whose default depends on others. */
export function derivedTexts(config: Omit<Config, "warnings" | "settings">, values: Values): Derived {
  return {
    HOST: config.host,
    SVC_BASE_URL: config.baseUrl,
    SVC_ADMIN_URL: config.adminUrl,
    SVC_DATA_DIR: config.dataDir,
    FIRST_RUN_CREDENTIALS_PATH: config.firstRunCredentialsPath,
    OAI_ADMIN_EMAIL: config.oaiAdminEmail,
    WIKIDATA_USER_AGENT: config.wikidataUserAgent,
    SMTP_PORT: String(smtpPort(values)),
    ARK_RESOLVER_URL: config.ark.resolverUrl,
    MEDIA_ROOT: config.mediaRoot,
    IMAGE_CACHE_MAX_BYTES: String(config.imageCache.maxBytes),
    BACKUP_ROOT: config.backupRoot,
  };
}

/** The same Config with the port that was really given when PORT is 0, in every address made from it. */
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
