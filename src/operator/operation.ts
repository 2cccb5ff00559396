/**
 * An operation is what a command of `svc-manage` calls in the process that has the catalogue open.
 *
 * The path of a request is the name of the operation. Its body is the input as a line of JSON, then the bytes of a file if
 * the command sends one. The answer is lines of JSON: any number of `{event}`, then `{result}`, or `{told}` if it was
 * refused. An answer without this last line broke off.
 */
import { z } from "zod";
import { readAs } from "../http/faults.ts";
import { parseJson, tooLarge } from "../http/request/body.ts";
import { type Told, toldOf } from "../messages/said.ts";
import { invalid, Problem } from "../problem.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";

/** Bytes of an input: a mapping, or a configuration file. */
const LONGEST_INPUT = 32 * 1024 * 1024;

/** `Event`: what the operation reports while it runs. */
export type Talk<Event> = {
  /** Resolves when the command can take more. Rejects if the command has ended or was interrupted. */
  emit(event: Event): Promise<void>;
  /** Aborted when the command has ended or was interrupted. */
  signal: AbortSignal;
  /** The bytes that the command sends. Can be read once. */
  content: ReadableStream<Uint8Array>;
};

export type Operation<Shape extends z.ZodType, Event, Result> = {
  shape: Shape;
  run(services: Services, input: z.output<Shape>, talk: Talk<Event>): Promise<Result>;
};

/** Events and result are sent as JSON. */
export function operation<Shape extends z.ZodType, Result, Event = never>(
  shape: Shape,
  run: (services: Services, input: z.output<Shape>, talk: Talk<Event>) => Promise<Result>,
): Operation<Shape, Event, Result> {
  return { shape, run };
}

/** For operations without input. */
export const Nothing = z.strictObject({});

/** `exit`: the exit code of the command. `problem`: the content of a Problem. `cause`: what the operator can repair. */
export type Line =
  | { event: unknown }
  | { result: unknown }
  | { told: Told; exit: number; problem?: Pick<Problem, "code" | "told" | "errors"> & { cause?: Told } };

/** @param failed makes the answer to an unexpected error. If it throws, the answer breaks off */
export function answerTo(
  { shape, run }: Operation<z.ZodType, unknown, unknown>,
  services: Services,
  request: Request,
  failed: (error: unknown) => Line,
): Response {
  const lines = new TransformStream<Line, Line>();
  const writer = lines.writable.getWriter();
  const { signal } = request;
  const leave = () => writer.abort(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", leave, { once: true });
  // `work` holds the request: if it were collected, Node would no longer abort its signal
  const work = async (): Promise<Line> => {
    try {
      const { first, rest } = await firstLine(request.body);
      const read = readAs(shape, parseJson(first));
      if ("faults" in read) throw invalid(read.faults);
      const emit = (event: unknown) => writer.write({ event });
      return { result: (await run(services, read.data, { emit, signal, content: rest })) ?? null };
    } catch (error) {
      if (error instanceof Problem) {
        const { code, told, errors, cause } = error;
        const problem = { code, told, errors, ...(cause instanceof Error ? { cause: toldOf(cause) } : {}) };
        return { told, exit: 1, problem };
      }
      if (error instanceof Refusal) return { told: error.told, exit: error.exitCode };
      signal.throwIfAborted();
      return failed(error);
    }
  };
  work()
    .then((line) => writer.write(line))
    .then(() => writer.close())
    .catch((error) => writer.abort(error).catch(() => undefined))
    .finally(() => signal.removeEventListener("abort", leave));
  const encoder = new TextEncoder();
  const bytes = new TransformStream<Line, Uint8Array>({
    transform: (line, controller) => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`)),
  });
  return new Response(lines.readable.pipeThrough(bytes));
}

/** The bytes before the first line end, and a stream of those after it. */
async function firstLine(
  body: ReadableStream<Uint8Array> | null,
): Promise<{ first: Uint8Array; rest: ReadableStream<Uint8Array> }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = (body ?? new Blob([]).stream()).getReader();
  for (;;) {
    const { value } = await reader.read();
    const end = value ? value.indexOf(10) : 0;
    const piece = (value ?? new Uint8Array()).subarray(0, end < 0 ? undefined : end);
    pieces.push(piece);
    length += piece.length;
    if (length > LONGEST_INPUT) throw tooLarge(LONGEST_INPUT);
    if (end < 0) continue;
    const behind = value?.subarray(end + 1);
    return {
      first: new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer()),
      rest: new ReadableStream({
        start: (controller) => behind && behind.length > 0 && controller.enqueue(behind),
        async pull(controller) {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      }),
    };
  }
}
