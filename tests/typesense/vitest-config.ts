import { defineConfig } from "vitest/config";

/** `npm run test:typesense`: tests the search port on a real Typesense, which not every machine has. */
export default defineConfig({
  test: {
    name: "typesense",
    include: ["tests/typesense/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
