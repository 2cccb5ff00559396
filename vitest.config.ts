import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: ["tests/support/global-setup.ts"],
    reporters: ["default", "./tests/support/closing-line.ts"],
    // a museum of its own for each file: databases are copied, not shared
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
