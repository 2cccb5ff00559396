/**
 * Keeps the settings of connections apart, although all share one PGlite session. Otherwise `set search_path = ''` in a psql on
 * the socket, or in any pg_dump, would break the running service. This covers the settings whose changes the server reports.
 */
import type { Buffer } from "node:buffer";
import { BACKEND, cString, messageEnd } from "./wire.ts";

const KEPT_APART = new Set([
  "DateStyle",
  "IntervalStyle",
  "TimeZone",
  "application_name",
  "client_encoding",
  "default_transaction_read_only",
  "search_path",
  "standard_conforming_strings",
]);

export type Settings = ReadonlyMap<string, string>;

/** The setting that a ParameterStatus message reports; undefined if it is not kept apart. */
export function reportedSetting(bytes: Buffer, at: number): [name: string, value: string] | undefined {
  const name = cString(bytes, at + 5);
  if (!KEPT_APART.has(name)) return undefined;
  return [name, cString(bytes, at + 6 + name.length)];
}

/** The settings in PGlite's answer to the startup message. */
export function settingsOf(greeting: Buffer): Settings {
  const settings = new Map<string, string>();
  for (let at = 0; at + 5 <= greeting.length; at = messageEnd(greeting, at)) {
    const setting = greeting[at] === BACKEND.parameterStatus ? reportedSetting(greeting, at) : undefined;
    if (setting) settings.set(...setting);
  }
  return settings;
}

/** SQL that changes the settings of one connection to those of another. */
export function settingsChange(from: Settings, to: Settings): string {
  const changes: string[] = [];
  for (const [name, value] of to) {
    if (from.get(name) !== value) changes.push(`set_config('${name}', ${quoted(value)}, false)`);
  }
  return changes.length === 0 ? "" : `select ${changes.join(", ")}`;
}

/** A quoted text that is right for any value of standard_conforming_strings. */
function quoted(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
