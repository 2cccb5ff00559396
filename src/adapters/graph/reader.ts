/** A process with a triple store in its memory (`store-process.mjs`). It answers one question at a time and can be killed. */
import { type ChildProcess, fork } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { GraphQuery, NamedGraph, UnfitGraph } from "../../services.ts";
import { ownRuntime } from "../own-runtime.ts";

const PROGRAM = fileURLToPath(new URL("store-process.mjs", import.meta.url));

export type ReaderRequest =
  | { work: "clear" }
  | { work: "replace"; graphs: readonly NamedGraph[] }
  | { work: "query"; query: GraphQuery; most: number }
  | { work: "more" };

/**
 * `refused`: what is wrong with the query. `more`: the answer has more parts. `unfit`: graphs that were left out. `bytes`: the
 * memory of the process. `broken`: the query broke the process.
 */
export type ReaderReply = {
  ok?: string;
  more?: boolean;
  refused?: string;
  unfit?: readonly UnfitGraph[];
  bytes?: number;
  tooLarge?: true;
  broken?: true;
};

/** The process has ended. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

export type Reader = {
  /** Rejects with `ReaderGone`. */
  ask(request: ReaderRequest): Promise<ReaderReply>;
  isGone(): boolean;
  kill(): void;
  /** The last change of the database that it has loaded. */
  seen: { change: number; name: string };
  /** Its memory after the last change. */
  bytes: number;
};

export function startReader(): Reader {
  const child: ChildProcess = fork(PROGRAM, [], {
    execArgv: [],
    execPath: ownRuntime(),
    // without these, Deno would install all packages of package.json first, and the program as one file would run itself
    // instead of this script
    env: { ...process.env, DENO_NO_PACKAGE_JSON: "1", BUN_BE_BUN: "1" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  // a process that inherits it makes writes of this one wait for the reader of the log
  child.stderr?.pipe(process.stderr);
  let gone: ReaderGone | null = null;
  let waiting: { resolve(reply: ReaderReply): void; reject(error: Error): void } | null = null;
  const end = (cause?: Error | null) => {
    gone ??= new ReaderGone("the process of the triple store has ended", { cause });
    waiting?.reject(gone);
    child.kill("SIGKILL");
  };
  child.on("message", (reply: ReaderReply) => {
    waiting?.resolve(reply);
    if (reply.broken) end();
  });
  child.on("exit", () => end());
  child.on("error", end);
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (gone) reject(gone);
        else child.send(request, (error) => error && end(error));
      }),
    isGone: () => gone !== null,
    kill: () => end(),
    seen: { change: 0, name: "" },
    bytes: 0,
  };
}
