/** What the service knows about itself once its environment is read; `readConfig` in `read.ts` makes it. */

import type { Network } from "./networks.ts";
import type { RateLimit, TimeOfDay } from "./value-kinds.ts";
import type { Fixed, Variable } from "./variable.ts";
import type { VARIABLES, VariableName } from "./variables.ts";

/** URLs and paths have no slash at their end. Null means that nothing external is configured: use what is built in. */
export type Config = {
  readonly container: boolean;
  readonly host: string;
  /** 0 means any free port: call `listeningOn` when it is known. */
  readonly port: number;
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** SVC_BASE_URL is not set: DEFAULT_ADMIN_* apply and a secret key is made when there is none. */
  readonly localDevelopment: boolean;
  readonly timeZone: string;
  /** `outside`: not the service, but processes of `svc-manage work`; only with an external database. */
  readonly work: "inside" | "outside";
  readonly trustedProxies: readonly Network[];
  readonly corsOrigins: readonly string[];
  readonly log: {
    readonly level: "debug" | "info" | "warn" | "error";
    readonly format: "auto" | "pretty" | "json";
  };

  readonly dataDir: string;
  readonly mediaRoot: string;
  readonly backupRoot: string;
  readonly firstRunCredentialsPath: string;
  readonly resetCredentialsPath: string;

  /** Null: the embedded database in `dataDir`. */
  /** Of the embedded database. */
  readonly databaseBuffersMb: number;
  readonly databaseUrl: string | null;
  /** Null only in local development: made once, and kept in the external database or at `secretKeyPath`. */
  readonly secretKey: string | null;
  readonly secretKeyPath: string;
  readonly jwtExpiresSeconds: number;
  /** `password` null: a random one, printed and written to `firstRunCredentialsPath`. */
  readonly firstAdmin: { readonly email: string; readonly password: string | null };

  readonly oaiAdminEmail: string;
  readonly wikidataUserAgent: string;
  readonly publicCollectionStatuses: readonly string[];
  readonly robotsDisallowPaths: readonly string[];
  readonly dumps: { readonly enabled: boolean; readonly directory: string };
  readonly llmsTxt: { readonly enabled: boolean; readonly extraNotes: string };

  /** Where the authority files of others are asked. */
  readonly authorities: {
    readonly gndUrl: string;
    readonly geonamesUrl: string;
    readonly wikidataUrl: string;
    /** Null: GeoNames is not asked. */
    readonly geonamesUsername: string | null;
  };

  readonly rateLimits: {
    readonly default: RateLimit;
    readonly publicExport: RateLimit;
    readonly publicSearch: RateLimit;
    readonly oai: RateLimit;
    readonly authorityProxy: RateLimit;
    readonly sparql: RateLimit;
    readonly iiif: RateLimit;
  };

  /** Languages that are searched by stems (ISO 639-1). */
  readonly searchLanguages: readonly string[];
  readonly searchInMemory: boolean;
  readonly typesense: { readonly url: string; readonly apiKey: string } | null;
  readonly upstash: { readonly url: string; readonly token: string } | null;
  readonly cantaloupeUrl: string | null;
  readonly imageCache: { readonly directory: string; readonly maxBytes: number };

  /** Null: mail is off. */
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    readonly username: string | null;
    readonly password: string | null;
    readonly from: string;
    readonly tls: "starttls" | "implicit";
  } | null;

  readonly ark: {
    readonly enabled: boolean;
    readonly naan: string | null;
    readonly resolverUrl: string;
    readonly suffixLength: number;
  };

  /** `url` null: the embedded store. `updateUrl` null: below `url`, and so are queries. */
  readonly triplestore: {
    readonly enabled: boolean;
    readonly url: string | null;
    readonly updateUrl: string | null;
    readonly token: string | null;
  };
  readonly sparql: {
    /** Only true when the triple store is enabled too. */
    readonly enabled: boolean;
    readonly requireAuth: boolean;
    readonly timeoutSeconds: number;
    readonly maxQueryBytes: number;
  };

  readonly importMaxBytes: number;
  readonly mediaMaxBytes: number;
  readonly mediaMaxPixels: number;
  /** Where new media files go: into `mediaRoot`, or into the bucket `s3`. */
  readonly storageBackend: "local" | "s3";
  /** Null: no bucket is named. One that is named while files are kept locally may hold older ones. */
  readonly s3: {
    /** Null: the cloud's own. */
    readonly endpointUrl: string | null;
    readonly bucket: string;
    readonly region: string;
    readonly accessKey: string;
    readonly secretKey: string;
    readonly forcePathStyle: boolean;
    readonly verifyTls: boolean;
    readonly caBundle: string | null;
  } | null;

  readonly backup: {
    readonly enabled: boolean;
    readonly retentionDays: number;
    /** Daily at a time of day in `timeZone`, or every so many seconds with the first at start. */
    readonly schedule: { readonly at: TimeOfDay } | { readonly everySeconds: number };
  };

  /** Lines to log at start: nothing that stops it, but probably not what the operator meant. */
  readonly warnings: readonly string[];
  /** What `describeConfig` answers. */
  readonly settings: readonly Setting[];
};

/** One line of the effective configuration; the value of a secret is masked. `derived`: made from other variables. */
export type Setting = {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
  readonly source: "set" | "default" | "derived";
};

export type Environment = Record<string, string | undefined>;

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly string[]; readonly warnings: readonly string[] };

type Table = typeof VARIABLES;
type ValueOf<V> = V extends Variable<infer T> ? T : never;

/** What was read, variable by variable; null when there is nothing or it could not be read. */
export type Readings = { readonly [N in VariableName]: ValueOf<Table[N]> | null };

/** What was read when nothing was wrong: a variable with a fixed default is never null. */
export type Values = {
  readonly [N in VariableName]: Table[N] extends Fixed<infer T> ? T : ValueOf<Table[N]> | null;
};
