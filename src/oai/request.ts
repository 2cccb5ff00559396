/** Parses and validates the arguments of a request (OAI-PMH 2.0 §§3.1, 4). */
import { Fault } from "./fault.ts";
import { isTime, type ListToken, NAME, readToken, type SetsToken } from "./token.ts";

type Selection = { prefix: string; from?: string; until?: string; set?: string };

export type OaiRequest =
  | { verb: "Identify" }
  | { verb: "ListMetadataFormats"; identifier?: string }
  | { verb: "ListSets"; resumed: SetsToken | null }
  | { verb: "GetRecord"; identifier: string; prefix: string }
  | ({ verb: "ListRecords" | "ListIdentifiers"; resumed: ListToken | null } & Selection);

type Rule = { required: readonly string[]; optional: readonly string[]; resumes: boolean };

const LIST: Rule = { required: ["metadataPrefix"], optional: ["from", "until", "set"], resumes: true };
const RULES: Readonly<Record<OaiRequest["verb"], Rule>> = {
  Identify: { required: [], optional: [], resumes: false },
  ListMetadataFormats: { required: [], optional: ["identifier"], resumes: false },
  ListSets: { required: [], optional: [], resumes: true },
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [], resumes: false },
  ListRecords: LIST,
  ListIdentifiers: LIST,
};

const TOKEN = "resumptionToken";

/**
 * Throws `badVerb` and `badArgument`, after which the answer must not repeat the arguments, and `badResumptionToken`.
 * @param params names and values, in order
 */
export function readRequest(params: Iterable<readonly [string, string]>): OaiRequest {
  const all = [...params];
  const verb = readVerb(all);
  const args = readArguments(verb, all);
  const value = (name: string) => args.get(name);
  const token = value(TOKEN);
  switch (verb) {
    case "Identify":
      return { verb };
    case "ListMetadataFormats": {
      const identifier = value("identifier");
      return { verb, identifier: identifier === undefined ? undefined : demandUri(identifier) };
    }
    case "ListSets":
      return { verb, resumed: token === undefined ? null : readToken(verb, token) };
    case "GetRecord":
      return {
        verb,
        identifier: demandUri(value("identifier")!),
        prefix: demandName("metadataPrefix", value("metadataPrefix")!),
      };
    default: {
      if (token === undefined) return { verb, resumed: null, ...selection(args) };
      const resumed = readToken(verb, token);
      const { prefix, from, until, set } = resumed;
      return { verb, resumed, prefix, from, until, set };
    }
  }
}

function readVerb(params: readonly (readonly [string, string])[]): OaiRequest["verb"] {
  const verbs = params.filter(([name]) => name === "verb").map(([, verb]) => verb);
  const names = Object.keys(RULES).join(", ");
  if (verbs.length === 0) throw new Fault("badVerb", `verb is missing: one of ${names}`);
  if (verbs.length > 1) throw new Fault("badVerb", "verb is given more than once");
  if (!Object.hasOwn(RULES, verbs[0]!))
    throw new Fault("badVerb", `${shown(verbs[0]!)} is not one of ${names}`);
  return verbs[0] as OaiRequest["verb"];
}

function readArguments(
  verb: OaiRequest["verb"],
  params: readonly (readonly [string, string])[],
): Map<string, string> {
  const { required, optional, resumes } = RULES[verb];
  const taken = [...required, ...optional, ...(resumes ? [TOKEN] : [])];
  const args = new Map<string, string>();
  for (const [name, value] of params) {
    if (name === "verb") continue;
    if (!taken.includes(name)) throw bad(`${verb} has no argument ${shown(name)}`);
    if (args.has(name)) throw bad(`${name} is given more than once`);
    if (value === "") throw bad(`${name} is empty`);
    args.set(name, value);
  }
  if (args.has(TOKEN)) {
    if (args.size > 1) throw bad(`${TOKEN} cannot be combined with other arguments`);
    return args;
  }
  const missing = required.filter((name) => !args.has(name));
  if (missing.length > 0) throw bad(`${verb} needs ${missing.join(" and ")}`);
  return args;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function selection(args: ReadonlyMap<string, string>): Selection {
  const prefix = demandName("metadataPrefix", args.get("metadataPrefix")!);
  const set = args.get("set");
  // elsewhere, sets may have parts; here they do not
  if (set !== undefined) for (const part of set.split(":")) demandName("set", part);
  const [first, last] = [args.get("from"), args.get("until")];
  if (first !== undefined && last !== undefined && DAY.test(first) !== DAY.test(last))
    throw bad("from and until must both be days, or both be seconds");
  const from = first === undefined ? undefined : demandTime("from", first, "00:00:00");
  const until = last === undefined ? undefined : demandTime("until", last, "23:59:59");
  if (from !== undefined && until !== undefined && from > until) throw bad("from is later than until");
  return { prefix, from, until, set };
}

function demandTime(name: string, text: string, ofDay: string): string {
  const time = DAY.test(text) ? `${text}T${ofDay}Z` : text;
  if (isTime(time)) return time;
  throw bad(
    `${name} is ${shown(text)}, which is neither a day (2026-01-31) nor a second in UTC (2026-01-31T12:00:00Z)`,
  );
}

function demandName(argument: string, text: string): string {
  if (NAME.test(text)) return text;
  throw bad(`${argument} contains characters that are not allowed: ${shown(text)}`);
}

/** Only characters of RFC 3986, so that the answer can repeat it as an identifier. */
const URI = /^(?:[\w\-.~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2}){1,1000}$/;

function demandUri(text: string): string {
  if (URI.test(text)) return text;
  throw bad(`identifier is not a URI: ${shown(text)}`);
}

const bad = (message: string): Fault => new Fault("badArgument", message);
const shown = (text: string): string => JSON.stringify(text.slice(0, 100));
