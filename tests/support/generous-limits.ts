/** Raises the rate limits, because tests and benchmarks send more requests than people do. */
export const GENEROUS_LIMITS: Record<string, string> = Object.fromEntries(
  ["DEFAULT", "PUBLIC_EXPORT", "PUBLIC_SEARCH", "AUTHORITY_PROXY", "IIIF", "OAI"].map((name) => [
    `RATE_LIMIT_${name}`,
    "1000000/second",
  ]),
);
