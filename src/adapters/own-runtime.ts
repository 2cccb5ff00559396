/** The path of the runtime (Node, Deno or Bun) that runs this program, for child processes. */
import process from "node:process";

/** `--allow-run=deno` allows the `deno` in the PATH. If that is a link, its target is not allowed. */
export function ownRuntime(): string {
  const { Deno } = globalThis as {
    Deno?: { permissions: { querySync(descriptor: object): { state: string } } };
  };
  const own = process.execPath;
  return Deno && Deno.permissions.querySync({ name: "run", command: own }).state !== "granted" ? "deno" : own;
}
