/** Tests and benchmarks ask more often than people do: the limits stay in force, only higher. */
export const GENEROUS_LIMITS: Record<string, string> = Object.fromEntries(
  ["DEFAULT", "PUBLIC_EXPORT", "PUBLIC_SEARCH", "AUTHORITY_PROXY", "IIIF", "OAI"].map((name) => [
    `RATE_LIMIT_${name}`,
    "1000000/second",
  ]),
);
