/** Defaults that depend on other variables. */
import type { Known } from "./variable.ts";

/** The address at which a browser on the same machine finds the service. */
export function localUrl(host: string, port: number): string {
  const shown = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

/** The mail address of the first administrator. */
export const adminEmail = ({ isSet, value }: Known): string =>
  isSet("SVC_BASE_URL")
    ? `admin@${new URL(String(value("SVC_BASE_URL"))).hostname}`
    : String(value("DEFAULT_ADMIN_EMAIL"));

/** The schema of OAI-PMH requires a dot in the domain, and `localhost` has none. */
export const withDot = (email: string, otherwise: string): string =>
  /@[^@]+\.[^@]+$/.test(email) ? email : otherwise;
