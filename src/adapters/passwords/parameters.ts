/** The parameters of Argon2id that OWASP recommends. Both adapters make the same hashes and can verify each other's. */
export const PARAMETERS = {
  /** KiB */
  memory: 19_456,
  passes: 2,
  lanes: 1,
} as const;

/** The beginning of a hash with the current parameters; v=19 (0x13) is the version of Argon2 (RFC 9106 §3.1). */
const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.lanes}$`;

export const isOutdated = (hash: string): boolean => !hash.startsWith(CURRENT);

/** A hash with the current parameters, as a PHC string. */
export const phcOf = (salt: string, hash: string): string => `${CURRENT}${salt}$${hash}`;
