/**
 * Reads the environment into one typed object, or lists all its faults. The caller passes the environment, so the same
 * code runs on Node, Deno, Bun and workerd.
 */

import { type Said, said } from "../messages/said.ts";
import { type Config, configOf, type Setting } from "./config.ts";
import { checkRules, misspelled } from "./rules.ts";
import type { Known, Variable } from "./variable.ts";
import { GROUPS, type Readings, VARIABLES, type Values, type VariableName } from "./variables.ts";

export { type Config, listeningOn, type Setting } from "./config.ts";

export type Environment = Record<string, string | undefined>;

/** Facts that are not in the environment. */
export type About = { readonly container?: boolean };

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly Said[]; readonly warnings: readonly Said[] };

const MASK = "********";
const LONGEST_SHOWN = 80;
/** Includes U+2028 and U+2029, which some terminals and log viewers show as new lines. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const NAMES = Object.keys(VARIABLES) as VariableName[];

/** A value in a fault: quoted, shortened, and without user name and password if it is an address. */
function shown(value: string): string {
  const harmless = value.replace(/\S*:.*@/gs, `${MASK}@`);
  const short = harmless.length > LONGEST_SHOWN ? `${harmless.slice(0, LONGEST_SHOWN)}…` : harmless;
  return JSON.stringify(short).replace(
    CONTROL,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const hasControl = (value: string, multiline: boolean): boolean =>
  (multiline ? value.replace(/[\t\r\n]/g, "") : value).search(CONTROL) >= 0;

type Reading = { value: unknown } | { fault: Said };

function read(name: VariableName, variable: Variable<unknown>, value: string): Reading {
  const what = variable.secret ? said("setting.hidden", { name }) : `${name}=${shown(value)}`;
  const { kind } = variable;
  if (hasControl(value, kind.multiline ?? false)) {
    return { fault: said("setting.control", { what }) };
  }
  const parsed = kind.parse(value);
  return "expected" in parsed
    ? { fault: said("setting.must_be", { what, expected: parsed.expected }) }
    : parsed;
}

/** Returns the Config, or all faults. Faults never show a secret. */
export function readConfig(env: Environment, about: About = {}): ConfigResult {
  const faults: Said[] = [];
  const readings: Partial<Record<VariableName, unknown>> = {};
  const texts = new Map<VariableName, string>();
  const wrong = new Set<VariableName>();
  for (const name of NAMES) {
    const variable: Variable<unknown> = VARIABLES[name];
    const value = env[name]?.trim();
    readings[name] = null;
    if (value !== undefined && (value !== "" || variable.emptyCounts)) texts.set(name, value);
    const text = texts.get(name) ?? variable.default ?? "";
    if (text === "") continue;
    const reading = read(name, variable, text);
    if ("value" in reading) readings[name] = reading.value;
    else {
      faults.push(reading.fault);
      wrong.add(name);
    }
  }
  const known: Known = {
    container: about.container ?? false,
    isSet: (name) => texts.has(name as VariableName),
    value: (name) => readings[name as VariableName],
  };
  // rules need values that could be read
  if (wrong.size === 0) {
    for (const name of NAMES) readings[name] ??= (VARIABLES[name] as Variable<unknown>).make?.(known) ?? null;
  }
  const found = checkRules({ values: readings as Readings, set: new Set(texts.keys()), wrong });
  faults.push(...found.faults);
  const warnings = [...misspelled(Object.keys(env)), ...found.warnings];
  if (faults.length > 0) return { ok: false, faults, warnings };
  const values = readings as Values;
  return { ok: true, config: { ...configOf(values, known), warnings, settings: settingsOf(texts, values) } };
}

function settingsOf(texts: ReadonlyMap<VariableName, string>, values: Values): Setting[] {
  return NAMES.map((name) => {
    const { secret, default: fallback }: Variable<unknown> = VARIABLES[name];
    const text = texts.get(name);
    const value = text ?? fallback ?? String(values[name] ?? "");
    return {
      name,
      value: secret && value !== "" ? masked(name, value) : value,
      secret,
      source: text !== undefined ? "set" : fallback === null && value !== "" ? "derived" : "default",
    };
  });
}

/** Shows which database is used, without its password, even if that is a parameter. */
function masked(name: VariableName, value: string): string {
  if (name !== "DATABASE_URL") return MASK;
  const url = new URL(value);
  const credentials = url.username && `${url.username}${url.password && `:${MASK}`}@`;
  return `${url.protocol}//${credentials}${url.host}${url.pathname}`;
}

/** The variables as Markdown, one table per group, for docs/configuration.md. */
export function configurationTable(): string {
  return Object.entries(GROUPS)
    .map(([group, variables]) => {
      const rows = Object.entries<Variable<unknown>>(variables).map(([name, variable]) => {
        const type = variable.secret ? `${variable.kind.type}, secret` : variable.kind.type;
        return `| \`${name}\` | ${type} | ${variable.shownDefault} | ${variable.meaning} |`;
      });
      return [
        `### ${group}`,
        "",
        "| Variable | Type | Default | Meaning |",
        "|---|---|---|---|",
        ...rows,
        "",
      ].join("\n");
    })
    .join("\n");
}
