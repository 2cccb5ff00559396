/** Rules about several variables, and warnings about values that are probably not meant. */
import { passwordFault } from "../accounts/passwords.ts";
import { say } from "../messages/said.ts";
import { ENGLISH } from "../messages/translate.ts";
import { changes } from "../nearest.ts";
import { isInNetworks, parseNetwork } from "./networks.ts";
import { type Readings, VARIABLES, type VariableName } from "./variables.ts";

/** `set`: variables with a text, even a wrong one. `wrong`: variables that could not be read, which are already faults. */
export type Surroundings = {
  readonly values: Readings;
  readonly set: ReadonlySet<VariableName>;
  readonly wrong: ReadonlySet<VariableName>;
};

export type Findings = { readonly faults: string[]; readonly warnings: string[] };

const LEAST_SECRET = 32;
const LEAST_DISTINCT = 8;
const OBVIOUS =
  /change.?(me|this|it)|secret|passw|example|insecure|default|replace|your[-_ ]|placeholder|[<>]|12345678/i;
const REPEATED = /^(.{1,16}?)\1+.{0,15}$/s;

/** Why a key could be guessed; null if there is no obvious reason. */
function weakness(key: string): string | null {
  if (key.length < LEAST_SECRET) return `it has ${key.length} characters and needs at least ${LEAST_SECRET}`;
  if (new Set(key).size < LEAST_DISTINCT) return "it has too few different characters";
  if (REPEATED.test(key)) return "it repeats itself";
  return OBVIOUS.test(key) ? "it is made of words that can be guessed" : null;
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

function need({ set }: Surroundings, { faults }: Findings, because: string, ...names: VariableName[]): void {
  for (const name of names) if (!set.has(name)) faults.push(`${name} is not set: ${because}`);
}

const LOOPBACK = ["127.0.0.0/8", "::1/128"].map(parseNetwork).filter((network) => network !== null);

const checkOrigin: Rule = ({ set, values: { HOST: host } }, { warnings }) => {
  if (
    !set.has("SVC_BASE_URL") &&
    host !== null &&
    host.toLowerCase() !== "localhost" &&
    !isInNetworks(host, LOOPBACK)
  ) {
    warnings.push(
      `SVC_BASE_URL is not set and HOST is ${host}: this is local development, open to the network; ` +
        "set SVC_BASE_URL to the public address before others use it",
    );
  }
  if (set.has("SVC_BASE_URL") && !set.has("OAI_ADMIN_EMAIL")) {
    warnings.push("OAI_ADMIN_EMAIL is not set: harvesters are given an address made from SVC_BASE_URL");
  }
  if (set.has("SVC_BASE_URL") && set.has("DEFAULT_ADMIN_PASSWORD")) {
    warnings.push("DEFAULT_ADMIN_PASSWORD is not used: it is for local development, without SVC_BASE_URL");
  }
};

const checkSecretKey: Rule = (around, found) => {
  const local = !around.set.has("SVC_BASE_URL");
  if (!local) {
    need(
      around,
      found,
      "it is required with SVC_BASE_URL; make one with: openssl rand -hex 32",
      "SECRET_KEY",
    );
  }
  const key = around.values.SECRET_KEY;
  const why = key === null ? null : weakness(key);
  if (why === null) return;
  const line = `SECRET_KEY (value not shown) is too weak: ${why}; make one with: openssl rand -hex 32`;
  (local ? found.warnings : found.faults).push(line);
};

/** A superuser's password must follow the rules even on a laptop: anybody who reaches its port can try to guess it. */
const checkAdmin: Rule = ({ values, set }, { faults }) => {
  const { DEFAULT_ADMIN_EMAIL: email, DEFAULT_ADMIN_PASSWORD: password } = values;
  if (password === null || set.has("SVC_BASE_URL")) return;
  const fault = passwordFault(password, email ?? "");
  if (fault) {
    faults.push(
      `DEFAULT_ADMIN_PASSWORD (value not shown) ${say(ENGLISH, fault)}: choose another one, or leave it empty: a random one is then made and shown once`,
    );
  }
};

const checkDatabase: Rule = ({ values, set }, { faults, warnings }) => {
  if (values.SVC_WORK === "outside" && !set.has("DATABASE_URL")) {
    faults.push(
      "SVC_WORK=outside needs DATABASE_URL: the embedded database belongs to the service, which then does all the work itself",
    );
  }
  const password = values.POSTGRES_PASSWORD;
  if (password === null) return;
  if (!set.has("DATABASE_URL")) {
    warnings.push("POSTGRES_PASSWORD is set but DATABASE_URL is not: the embedded database is used");
  }
  if (values.DATABASE_URL === null) return;
  const carried = decodeURIComponent(new URL(values.DATABASE_URL).password);
  if (carried === "") {
    warnings.push("DATABASE_URL carries no password: POSTGRES_PASSWORD is not added to it");
  } else if (carried !== password) {
    faults.push("DATABASE_URL (value not shown) must contain the same password as POSTGRES_PASSWORD");
  }
};

const checkMail: Rule = (around, found) => {
  const { values, set, wrong } = around;
  if (values.SMTP_ENABLED) {
    need(around, found, "SMTP_ENABLED=true needs it", "SMTP_HOST", "SMTP_FROM");
    need(around, found, "SMTP_ENABLED=true needs it to write links in mails", "SVC_BASE_URL");
    const known = !wrong.has("SMTP_STARTTLS") && !wrong.has("SMTP_SSL_TLS");
    if (known && values.SMTP_STARTTLS === values.SMTP_SSL_TLS) {
      const both = values.SMTP_STARTTLS;
      found.faults.push(
        `SMTP_STARTTLS=${both} and SMTP_SSL_TLS=${both}: SMTP_ENABLED=true needs exactly one of them to be true ` +
          "(STARTTLS is usual with port 587, SSL_TLS with port 465)",
      );
    }
    if (set.has("SMTP_USERNAME")) need(around, found, "SMTP_USERNAME needs it", "SMTP_PASSWORD");
    if (set.has("SMTP_PASSWORD")) need(around, found, "SMTP_PASSWORD needs it", "SMTP_USERNAME");
  }
};

const checkServices: Rule = (around, found) => {
  const { values, set } = around;
  if (set.has("TYPESENSE_URL")) need(around, found, "TYPESENSE_URL needs it", "TYPESENSE_API_KEY");
  else if (set.has("TYPESENSE_API_KEY")) {
    found.warnings.push("TYPESENSE_API_KEY is set but TYPESENSE_URL is not: search stays in the database");
  }
  const [url, token] = ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"] as const;
  if (set.has(url)) need(around, found, `${url} needs it`, token);
  if (set.has(token)) need(around, found, `${token} needs it`, url);
  if (
    set.has("SPARQL_ENDPOINT_ENABLED") &&
    values.SPARQL_ENDPOINT_ENABLED &&
    values.TRIPLESTORE_ENABLED === false
  ) {
    found.warnings.push("SPARQL_ENDPOINT_ENABLED=true has no effect without TRIPLESTORE_ENABLED=true");
  }
};

const checkStorage: Rule = (around, found) => {
  const { values } = around;
  if (values.STORAGE_BACKEND === "s3") {
    need(around, found, "STORAGE_BACKEND=s3 needs it", "S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY");
  } else if (!values.S3_BUCKET) return;
  if (values.S3_VERIFY_TLS === false) {
    found.warnings.push(
      "S3_VERIFY_TLS=false is only for tests: anybody on the network in between can read and change media",
    );
  }
  if (values.S3_CA_BUNDLE !== null && values.S3_VERIFY_TLS === false) {
    found.faults.push(
      "S3_CA_BUNDLE is set and S3_VERIFY_TLS=false: a CA bundle is for verifying; unset one of the two",
    );
  }
  if (values.S3_CA_BUNDLE !== null && values.S3_ENDPOINT_URL?.startsWith("http:")) {
    found.faults.push(
      `S3_CA_BUNDLE is set and S3_ENDPOINT_URL="${values.S3_ENDPOINT_URL}": a CA bundle needs an https:// address`,
    );
  }
};

const checkRest: Rule = (around, found) => {
  const { values, set } = around;
  if (values.ARK_ENABLED) {
    need(around, found, "ARK_ENABLED=true needs the number that was assigned to you", "ARK_NAAN");
    if (values.ARK_NAAN === "99999") {
      found.warnings.push("ARK_NAAN=99999 is the test number: ARKs minted with it are never resolved");
    }
  }
  if (set.has("BACKUP_INTERVAL_SECONDS") && values.BACKUP_AT !== null) {
    found.warnings.push(
      "BACKUP_INTERVAL_SECONDS has no effect while BACKUP_AT gives a daily time: to use the interval, set BACKUP_AT to an empty value (BACKUP_AT=)",
    );
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

/** A line for every name that looks like a misspelling of ours. Variables of other programs are ignored. */
export function misspelled(names: readonly string[]): string[] {
  return names
    .filter((name) => !Object.hasOwn(VARIABLES, name))
    .flatMap((name) => {
      const known = nearest(name);
      if (known) return [`${name} is not a variable of this service: did you mean ${known}?`];
      return name.startsWith("SVC_") ? [`${name} is not a variable of this service: it has no effect`] : [];
    });
}
