/**
 * Keeps V8 from optimising PostgreSQL's parser.
 *
 * The parser is one function of 100 kB. V8 takes 600 MB of memory to optimise it, more than all the rest of the service,
 * and little is won: statements are parsed once and then kept prepared. V8 has no option for a single function. But it
 * compiles each function when it is first called, and one that is compiled while `--wasm-tier-up-filter` names another is never
 * optimised. So the first statement of all, which calls little else, is run under that filter.
 */
import { setFlagsFromString } from "node:v8";

type Loop = { _PostgresMainLoopOnce(): void; onRuntimeInitialized?: () => void };

const NOTHING = "--wasm-tier-up-filter=0";
const EVERYTHING = "--wasm-tier-up-filter=-1";

/** To be called before the module runs. Bun has no V8, and that of Deno 2.9 takes less. */
export function keepParserPlain(module: Loop): void {
  if ("Bun" in globalThis || "Deno" in globalThis) return;
  const initialized = module.onRuntimeInitialized;
  module.onRuntimeInitialized = () => {
    initialized?.();
    const loopOnce = module._PostgresMainLoopOnce;
    module._PostgresMainLoopOnce = () => {
      module._PostgresMainLoopOnce = loopOnce;
      setFlagsFromString(NOTHING);
      try {
        loopOnce();
      } finally {
        setFlagsFromString(EVERYTHING);
      }
    };
  };
}
