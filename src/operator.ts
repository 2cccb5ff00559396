/**
 * The operator's operations: what `svc-manage` asks of the process that has the catalogue open. A service has them on the socket
 * in its data directory alone, never on a port. They are not part of the API: nobody signs in, and answers have sentences as
 * keys and values, which the command says in the language of the terminal.
 */
import type { z } from "zod";
import { said } from "./messages/said.ts";
import { configurationOperations } from "./operator/configuration.ts";
import { exportOperations } from "./operator/exports.ts";
import { jobOperations } from "./operator/jobs.ts";
import { answerTo, type Line, type Operation } from "./operator/operation.ts";
import { searchOperations } from "./operator/search.ts";
import { Refusal } from "./refusal.ts";
import type { Services } from "./services.ts";

const OPERATIONS = {
  ...configurationOperations,
  ...exportOperations,
  ...jobOperations,
  ...searchOperations,
};

type Operations = typeof OPERATIONS;
type Parts<Name extends keyof Operations> =
  Operations[Name] extends Operation<infer Shape, infer Event, infer Result>
    ? { input: z.input<Shape>; event: Event; result: Result }
    : never;

/**
 * Answers the requests of commands. @param failed what to answer to an error that is no refusal; if it throws, the answer breaks
 * off with this error
 */
export function createOperator(
  services: Services,
  failed: (error: unknown) => Line,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const name = new URL(request.url).pathname.slice(1);
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name as keyof Operations] : undefined;
    if (operation === undefined || request.method !== "POST") return new Response(null, { status: 404 });
    return answerTo(operation as Operation<z.ZodType, unknown, unknown>, services, request, failed);
  };
}

export type CallOptions<Event> = {
  /** Is called with each event. */
  told?(event: Event): void | Promise<void>;
  /** Asks the operation to stop. */
  signal?: AbortSignal;
  content?: ReadableStream<Uint8Array>;
};

/** Asks for an operation, and returns its result. Throws a Refusal if it was refused. */
export type Call = <Name extends keyof Operations>(
  name: Name,
  input: Parts<Name>["input"],
  options?: CallOptions<Parts<Name>["event"]>,
) => Promise<Parts<Name>["result"]>;

/** @param brokeOff throws what to tell if the answer broke off */
export function callThrough(
  ask: (request: Request, signal?: AbortSignal) => Promise<Response>,
  brokeOff: (cause: unknown) => never,
): Call {
  const answered = async (name: string, options: CallOptions<unknown>, body: BodyInit) => {
    const { told, signal } = options;
    const init = { method: "POST", body, duplex: "half", signal } as RequestInit;
    const request = new Request(new URL(name, "http://localhost"), init);
    const answer = await ask(request, signal).catch((cause: unknown) => {
      signal?.throwIfAborted();
      return brokeOff(cause);
    });
    if (answer.status === 404) throw new Refusal(said("cli.door.other_version"));
    for await (const line of linesOf(answer.body!, signal, brokeOff)) {
      if ("event" in line) await told?.(line.event);
      else if ("result" in line) return line.result;
      else throw new Refusal(line.told, line.exit);
    }
    signal?.throwIfAborted();
    return brokeOff(new Error("the answer has no end"));
  };
  const call = async (name: string, input: object, options: CallOptions<unknown> = {}) => {
    const line = `${JSON.stringify(input)}\n`;
    const { content } = options;
    if (!content) return answered(name, options, line);
    // the reason why the command cannot read its file says more than what then becomes of the request
    let unread: { cause: unknown } | undefined;
    const body = withContent(line, content, (cause) => {
      unread = { cause };
    });
    return answered(name, options, body).catch((error) => {
      throw unread ? unread.cause : error;
    });
  };
  return call as Call;
}

async function* linesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  brokeOff: (cause: unknown) => never,
): AsyncGenerator<Line> {
  let begun: string[] = [];
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        signal?.throwIfAborted();
        return brokeOff(cause);
      });
      if (done) return;
      const [rest = "", ...others] = value.split("\n");
      begun.push(rest);
      for (const other of others) {
        yield JSON.parse(begun.join(""));
        begun = [other];
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @param unread is called with the reason why the content cannot be read */
function withContent(
  line: string,
  content: ReadableStream<Uint8Array>,
  unread: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(line)),
    async pull(controller) {
      const { done, value } = await reader.read().catch((cause) => {
        unread(cause);
        throw cause;
      });
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
