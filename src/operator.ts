/**
 * The operations that `svc-manage` calls in the process that has the catalogue open. A service offers them only on the
 * socket in its data directory, never on a port. They are not part of the API: nobody signs in, and answers contain
 * message keys and values, which the command translates into the language of the terminal.
 */
import type { z } from "zod";
import { VERSION } from "./config/version.ts";
import { said } from "./messages/said.ts";
import type { Line, Operation } from "./operator/operation.ts";
import type { OPERATIONS } from "./operator/operations.ts";
import { Problem } from "./problem.ts";
import { Refusal } from "./refusal.ts";
import type { Services } from "./services.ts";

/** Request and answer name the version of the program. Both sides must have the same version. */
export const VERSION_HEADER = "Program-Version";
const SAME = { [VERSION_HEADER]: VERSION };

type Operations = typeof OPERATIONS;
type Parts<Name extends keyof Operations> =
  Operations[Name] extends Operation<infer Shape, infer Event, infer Result>
    ? { input: z.input<Shape>; event: Event; result: Result }
    : never;

/**
 * Answers the requests of commands.
 *
 * @param failed makes the answer to an unexpected error. If it throws, the answer breaks off with this error
 */
export function createOperator(
  services: Services,
  failed: (error: unknown) => Line,
): (request: Request) => Promise<Response> {
  // imported here, because commands that call a running service do not need them; at once, because an update may remove the files
  const parts = Promise.all([import("./operator/operations.ts"), import("./operator/operation.ts")]);
  return async (request) => {
    const [{ OPERATIONS }, { answerTo }] = await parts;
    const name = new URL(request.url).pathname.slice(1);
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name as keyof Operations] : undefined;
    if (operation === undefined || request.method !== "POST")
      return new Response(null, { status: 404, headers: SAME });
    if (request.headers.get(VERSION_HEADER) !== VERSION)
      return new Response(null, { status: 409, headers: SAME });
    const answer = answerTo(operation as Operation<z.ZodType, unknown, unknown>, services, request, failed);
    answer.headers.set(VERSION_HEADER, VERSION);
    return answer;
  };
}

export type CallOptions<Event> = {
  onEvent?(event: Event): void | Promise<void>;
  signal?: AbortSignal;
  content?: ReadableStream<Uint8Array>;
};

/** Calls an operation and returns its result. Throws a Refusal or Problem if it was refused. */
export type Call = <Name extends keyof Operations>(
  name: Name,
  input: Parts<Name>["input"],
  options?: CallOptions<Parts<Name>["event"]>,
) => Promise<Parts<Name>["result"]>;

/** @param brokeOff throws the error for an answer that broke off */
export function callThrough(
  ask: (request: Request, signal?: AbortSignal) => Promise<Response>,
  brokeOff: (cause: unknown) => never,
): Call {
  const call = async (name: string, input: object, options: CallOptions<unknown> = {}) => {
    const { onEvent, signal, content } = options;
    const line = new Blob([`${JSON.stringify(input)}\n`]);
    const body = joined(content ? [line.stream(), content] : [line.stream()]);
    const request = new Request(new URL(name, "http://localhost"), {
      method: "POST",
      // without a length, the answer could end, and the connection close, before the end of the body is sent
      headers: content ? SAME : { ...SAME, "Content-Length": String(line.size) },
      body: body.readable,
      duplex: "half",
      signal,
    } as RequestInit);
    const stopped = (cause: unknown): never => {
      signal?.throwIfAborted();
      body.throwIfUnreadable();
      return brokeOff(cause);
    };
    try {
      const answer = await ask(request, signal).catch(stopped);
      const version = answer.headers.get(VERSION_HEADER);
      if (version !== VERSION)
        throw new Refusal(said("cli.door.other_version", { version: version ?? "?", own: VERSION }));
      if (answer.status !== 200) throw new Error(`the service answered ${answer.status} to ${name}`);
      for await (const line of linesOf(answer.body!, stopped)) {
        if ("event" in line) await onEvent?.(line.event);
        else if ("result" in line) return line.result;
        else {
          body.throwIfUnreadable();
          const { told, exit, problem } = line;
          if (!problem) throw new Refusal(told, exit);
          const cause = problem.cause === undefined ? undefined : new Refusal(problem.cause);
          throw new Problem(problem.code, problem.told, { errors: problem.errors, cause });
        }
      }
      return stopped(new Error("the answer has no end"));
    } finally {
      await body.close();
    }
  };
  return call as Call;
}

async function* linesOf(
  body: ReadableStream<Uint8Array>,
  stopped: (cause: unknown) => never,
): AsyncGenerator<Line> {
  let rest = "";
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(stopped);
      if (done) return;
      const lines = value.split("\n");
      lines[0] = rest + lines[0];
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Concatenates the streams. `close` cancels them; a reader that continues gets an error instead of an end. */
function joined(streams: readonly ReadableStream<Uint8Array>[]) {
  const readers = streams.map((stream) => stream.getReader());
  let closed = false;
  const close = async () => {
    closed = true;
    for (const reader of readers) await reader.cancel().catch(() => undefined);
  };
  let at = 0;
  let fault: { error: unknown } | undefined;
  const readable = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (; at < readers.length; at++) {
        const next = await readers[at]!.read().catch((error: unknown) => {
          fault = { error };
          throw error;
        });
        if (closed) throw new Error("the command has ended");
        if (!next.done) return controller.enqueue(next.value);
      }
      controller.close();
    },
    cancel: close,
  });
  return {
    readable,
    close,
    throwIfUnreadable() {
      if (fault) throw fault.error;
    },
  };
}
