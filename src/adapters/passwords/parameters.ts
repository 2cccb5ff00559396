/** The parameters of Argon2id that OWASP recommends; every adapter makes the same hashes, and reads those of the others. */
export const PARAMETERS = {
  /** KiB */
  memory: 19_456,
  passes: 2,
  lanes: 1,
} as const;

/** How a hash of today begins; 0x13 is the version of Argon2 (RFC 9106 §3.1). */
const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.lanes}$`;

export const isOutdated = (hash: string): boolean => !hash.startsWith(CURRENT);

/** What stands before the salt and the hash of today. */
export const phcOf = (salt: string, hash: string): string => `${CURRENT}${salt}$${hash}`;
