/**
 * Prevents V8 from optimising PostgreSQL's parser.
 *
 * The parser is one function of 100 kB. Optimising it takes V8 600 MB of memory, more than the rest of the service, and gains
 * little, because statements are prepared and parsed only once. V8 has no option to exclude a function. But it compiles each
 * function at its first call, and never optimises a function that was compiled while `--wasm-tier-up-filter` named another one.
 * So the first statement, which calls little besides the parser, runs with that filter.
 */
import { setFlagsFromString } from "node:v8";

type Loop = { _PostgresMainLoopOnce(): void; onRuntimeInitialized?: () => void };

const NOTHING = "--wasm-tier-up-filter=0";
const EVERYTHING = "--wasm-tier-up-filter=-1";

/** Call this before the module runs. Not needed on Bun, which has no V8, or on Deno, where V8 takes less memory. */
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
