/** The program that runs this one, for processes of its own. */
import process from "node:process";

/** Deno may run what `--allow-run` names, and when `deno` in the PATH is a link, `--allow-run=deno` names the link. */
export function ownRuntime(): string {
  const { Deno } = globalThis as { Deno?: { permissions: { querySync(asked: object): { state: string } } } };
  const own = process.execPath;
  return Deno && Deno.permissions.querySync({ name: "run", command: own }).state !== "granted" ? "deno" : own;
}
