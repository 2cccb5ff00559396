/** Starts the real program on a runtime and calls it over HTTP, without access to its internals. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { GENEROUS_LIMITS } from "../support/generous-limits.ts";
import { FEW_BUFFERS } from "../support/programs/few-buffers.ts";
import { begin, type Program } from "../support/programs/processes.ts";
import type { Runtime } from "./runtimes.ts";

/** Variables of the service. Variables of this machine are not passed on, except those that every program needs. */
export type Settings = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not computed with
export type Json = any;
export type Answer = { status: number; headers: Headers; text: string; json: Json };
export type Ask = (path: string, options?: Options) => Promise<Answer>;
type Options = {
  method?: string;
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, as POST when no method is given. */
  json?: unknown;
  body?: string | URLSearchParams | ReadableStream<Uint8Array>;
};

export type Started = Program & {
  url: string;
  /** From the start of the process to the line that says ready. */
  seconds: number;
  ask: Ask;
  /** Tells it to stop; answers the exit code and the seconds it took. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; seconds: number }>;
};

const INHERITED = ["PATH", "HOME", "TMPDIR", "LC_ALL", "DENO_DIR"];

/** Starts `svc-manage serve`, on any free port, and waits until it is ready. */
export async function serve(runtime: Runtime, settings: Settings): Promise<Started> {
  return started(runtime.svcManage("serve"), settings, runtime.name);
}

/** Starts the service with this command; fails unless it becomes ready, and on that runtime. */
export async function started(
  command: readonly string[],
  settings: Settings,
  name: string,
): Promise<Started> {
  const begun = performance.now();
  const program = begin(command, environment(settings));
  const ready = await program.said(/"message":"ready"/).catch(async (error) => {
    await program.kill("SIGKILL");
    throw error;
  });
  const seconds = (performance.now() - begun) / 1000;
  const { url, runtime } = JSON.parse(ready) as { url: string; runtime: string };
  if (runtime !== name) {
    await program.kill("SIGKILL");
    throw new Error(`${command.join(" ")} runs on ${runtime}, not on ${name}`);
  }
  return {
    ...program,
    url,
    seconds,
    ask: (path, options) => asked(new URL(path, url), options),
    async stop(signal = "SIGTERM") {
      const asked = performance.now();
      // not child.kill(): when these tests run on Deno, it invents the exit code
      process.kill(program.child.pid!, signal);
      const code = await program.ended;
      return { code, seconds: (performance.now() - asked) / 1000 };
    },
  };
}

/** Runs a command of svc-manage to its end. */
export async function svcManage(
  runtime: Runtime,
  settings: Settings,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const program = begin(runtime.svcManage(...args), environment(settings));
  const code = await program.ended;
  return { code, output: program.lines.join("\n") };
}

/** For a service that keeps its address when it starts again, because its tokens are valid only there. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}

export function environment(settings: Settings): Settings {
  const own = INHERITED.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]!]],
  );
  return {
    ...Object.fromEntries(own),
    DENO_NO_UPDATE_CHECK: "1",
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_FORMAT: "json",
    ...FEW_BUFFERS,
    ...GENEROUS_LIMITS,
    ...settings,
  };
}

/** `send`: for a service in this process. */
export async function asked(
  url: URL,
  { method, token, headers, json, body }: Options = {},
  send: (url: URL, init: RequestInit) => Promise<Response> = fetch,
): Promise<Answer> {
  const answer = await send(url, {
    method: method ?? (json === undefined && body === undefined ? "GET" : "POST"),
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    body: json === undefined ? body : JSON.stringify(json),
    redirect: "manual",
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  } as RequestInit);
  const text = await answer.text();
  const isJson = /^application\/(problem\+)?json/.test(answer.headers.get("Content-Type") ?? "");
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson && text ? JSON.parse(text) : undefined,
  };
}
