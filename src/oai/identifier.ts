/** Identifiers of records in OAI-PMH: `oai:<host>:<type>:<uuid>` (interface §4), after oai-identifier 2.0. */
import { UUID_PATTERN } from "../ids.ts";
import { isKind, type Kind } from "../records/kinds.ts";

const IDENTIFIER = new RegExp(`^oai:(?<host>[^:]+):(?<kind>[a-z_]+):(?<id>${UUID_PATTERN})$`);

export const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname;

export const identifierOf = (baseUrl: string, kind: Kind, id: string): string =>
  `oai:${hostOf(baseUrl)}:${kind}:${id}`;

/** Null if it cannot be a record of this service. */
export function readIdentifier(baseUrl: string, text: string): { kind: Kind; id: string } | null {
  const { host, kind, id } = IDENTIFIER.exec(text)?.groups ?? {};
  if (host !== hostOf(baseUrl) || kind === undefined || id === undefined || !isKind(kind)) return null;
  return { kind, id };
}
