/** Rules about several variables, and warnings about values that are probably not meant. */
import { passwordFault } from "../accounts/passwords/passwords.ts";
import { type Said, said } from "../messages/said.ts";
import { changes } from "../text/nearest.ts";
import { isInNetworks, parseNetwork } from "./networks.ts";
import { type Readings, VARIABLES, type VariableName } from "./variables.ts";

/** `set`: variables with a text, even a wrong one. `wrong`: variables that could not be read, which are already faults. */
export type Surroundings = {
  readonly values: Readings;
  readonly set: ReadonlySet<VariableName>;
  readonly wrong: ReadonlySet<VariableName>;
};

export type Findings = { readonly faults: Said[]; readonly warnings: Said[] };

const LEAST_SECRET = 32;
const LEAST_DISTINCT = 8;
const OBVIOUS =
  /change.?(me|this|it)|secret|passw|example|insecure|default|replace|your[-_ ]|placeholder|[<>]|12345678/i;
const REPEATED = /^(.{1,16}?)\1+.{0,15}$/s;

/** Why a key could be guessed; null if there is no obvious reason. */
function weakness(key: string): Said | null {
  if (key.length < LEAST_SECRET) return said("setting.key_short", { count: key.length, least: LEAST_SECRET });
  if (new Set(key).size < LEAST_DISTINCT) return said("setting.key_few");
  if (REPEATED.test(key)) return said("setting.key_repeats");
  return OBVIOUS.test(key) ? said("setting.key_words") : null;
}

/** Applies every rule. A variable that could not be read gets no second fault. */
export function checkRules(around: Surroundings): Findings {
  const found: Findings = { faults: [], warnings: [] };
  for (const rule of [
    checkOrigin,
    checkSecretKey,
    checkAdmin,
    checkDatabase,
    checkMail,
    checkServices,
    checkStorage,
    checkRest,
  ]) {
    rule(around, found);
  }
  return found;
}

type Rule = (around: Surroundings, found: Findings) => void;

function need({ set }: Surroundings, { faults }: Findings, why: Said, ...names: VariableName[]): void {
  for (const name of names) if (!set.has(name)) faults.push(said("setting.not_set", { name, why }));
}

const neededBy = (setting: string): Said => said("setting.needed_by", { setting });

const LOOPBACK = ["127.0.0.0/8", "::1/128"].map(parseNetwork).filter((network) => network !== null);

const checkOrigin: Rule = ({ set, values: { HOST: host } }, { warnings }) => {
  if (
    !set.has("SVC_BASE_URL") &&
    host !== null &&
    host.toLowerCase() !== "localhost" &&
    !isInNetworks(host, LOOPBACK)
  ) {
    warnings.push(said("setting.open_network", { host }));
  }
  if (set.has("SVC_BASE_URL") && !set.has("OAI_ADMIN_EMAIL")) {
    warnings.push(said("setting.no_oai_email"));
  }
  if (set.has("SVC_BASE_URL") && set.has("DEFAULT_ADMIN_PASSWORD")) {
    warnings.push(said("setting.password_unused"));
  }
};

const checkSecretKey: Rule = (around, found) => {
  const local = !around.set.has("SVC_BASE_URL");
  if (!local) need(around, found, said("setting.needs_key"), "SECRET_KEY");
  const key = around.values.SECRET_KEY;
  const why = key === null ? null : weakness(key);
  if (why === null) return;
  (local ? found.warnings : found.faults).push(said("setting.weak_key", { why }));
};

/** A superuser's password must follow the rules even on a laptop: anybody who reaches its port can try to guess it. */
const checkAdmin: Rule = ({ values, set }, { faults }) => {
  const { DEFAULT_ADMIN_EMAIL: email, DEFAULT_ADMIN_PASSWORD: password } = values;
  if (password === null || set.has("SVC_BASE_URL")) return;
  const fault = passwordFault(password, email ?? "");
  if (fault) faults.push(said("setting.bad_password", { fault }));
};

const checkDatabase: Rule = ({ values, set }, { faults, warnings }) => {
  if (values.SVC_WORK === "outside" && !set.has("DATABASE_URL")) {
    faults.push(said("setting.work_outside"));
  }
  const password = values.POSTGRES_PASSWORD;
  if (password === null) return;
  if (!set.has("DATABASE_URL")) {
    warnings.push(said("setting.postgres_password_unused"));
  }
  if (values.DATABASE_URL === null) return;
  const carried = decodeURIComponent(new URL(values.DATABASE_URL).password);
  if (carried === "") {
    warnings.push(said("setting.no_password_carried"));
  } else if (carried !== password) {
    faults.push(said("setting.passwords_differ"));
  }
};

const checkMail: Rule = (around, found) => {
  const { values, set, wrong } = around;
  if (values.SMTP_ENABLED) {
    need(around, found, neededBy("SMTP_ENABLED=true"), "SMTP_HOST", "SMTP_FROM");
    need(around, found, said("setting.needed_for_links", { setting: "SMTP_ENABLED=true" }), "SVC_BASE_URL");
    const known = !wrong.has("SMTP_STARTTLS") && !wrong.has("SMTP_SSL_TLS");
    if (known && values.SMTP_STARTTLS === values.SMTP_SSL_TLS) {
      found.faults.push(said("setting.smtp_one", { both: String(values.SMTP_STARTTLS) }));
    }
    if (set.has("SMTP_USERNAME")) need(around, found, neededBy("SMTP_USERNAME"), "SMTP_PASSWORD");
    if (set.has("SMTP_PASSWORD")) need(around, found, neededBy("SMTP_PASSWORD"), "SMTP_USERNAME");
  }
};

const checkServices: Rule = (around, found) => {
  const { values, set } = around;
  if (set.has("TYPESENSE_URL")) need(around, found, neededBy("TYPESENSE_URL"), "TYPESENSE_API_KEY");
  else if (set.has("TYPESENSE_API_KEY")) {
    found.warnings.push(said("setting.typesense_unused"));
  }
  const [url, token] = ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"] as const;
  if (set.has(url)) need(around, found, neededBy(url), token);
  if (set.has(token)) need(around, found, neededBy(token), url);
  if (
    set.has("SPARQL_ENDPOINT_ENABLED") &&
    values.SPARQL_ENDPOINT_ENABLED &&
    values.TRIPLESTORE_ENABLED === false
  ) {
    found.warnings.push(said("setting.sparql_unused"));
  }
};

const checkStorage: Rule = (around, found) => {
  const { values } = around;
  if (values.STORAGE_BACKEND === "s3") {
    need(around, found, neededBy("STORAGE_BACKEND=s3"), "S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY");
  } else if (!values.S3_BUCKET) return;
  if (values.S3_VERIFY_TLS === false) {
    found.warnings.push(said("setting.s3_unverified"));
  }
  if (values.S3_CA_BUNDLE !== null && values.S3_VERIFY_TLS === false) {
    found.faults.push(said("setting.s3_bundle_unverified"));
  }
  if (values.S3_CA_BUNDLE !== null && values.S3_ENDPOINT_URL?.startsWith("http:")) {
    found.faults.push(said("setting.s3_bundle_http", { url: values.S3_ENDPOINT_URL }));
  }
};

const checkRest: Rule = (around, found) => {
  const { values, set } = around;
  if (values.ARK_ENABLED) {
    need(around, found, said("setting.needs_naan", { setting: "ARK_ENABLED=true" }), "ARK_NAAN");
    if (values.ARK_NAAN === "99999") {
      found.warnings.push(said("setting.ark_test"));
    }
  }
  if (set.has("BACKUP_INTERVAL_SECONDS") && values.BACKUP_AT !== null) {
    found.warnings.push(said("setting.interval_unused"));
  }
};

/** Letters. HOME is not a misspelling of HOST, so short names are not compared. */
const LEAST_COMPARED = 8;

function nearest(name: string): string | undefined {
  const upper = name.toUpperCase();
  return Object.keys(VARIABLES)
    .filter((known) => known.length >= LEAST_COMPARED && Math.abs(known.length - name.length) <= 2)
    .map((known) => ({ known, distance: changes(upper, known) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance)[0]?.known;
}

/** A warning for every name that looks like a misspelling of ours. Variables of other programs are ignored. */
export function misspelled(names: readonly string[]): Said[] {
  return names
    .filter((name) => !Object.hasOwn(VARIABLES, name))
    .flatMap((name) => {
      const near = nearest(name);
      if (near) return [said("setting.misspelt", { name, near })];
      return name.startsWith("SVC_") ? [said("setting.unknown", { name })] : [];
    });
}
