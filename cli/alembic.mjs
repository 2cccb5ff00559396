#!/usr/bin/env node
/** `alembic upgrade head` runs `svc-manage migrate`, so that operators' scripts work unchanged. */
const [first, second, ...more] = process.argv.slice(2);
if (first === "upgrade" && second === "head" && more.length === 0) {
  process.argv.splice(2, 2, "migrate");
  await import("./svc-manage.mjs");
} else {
  console.error("Usage: alembic upgrade head (the only command there is; the same as svc-manage migrate)");
  process.exitCode = 2;
}
