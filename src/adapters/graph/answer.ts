/** Streams the answer to a query in parts, so that answers for slow readers are not kept in memory. */
import type { GraphAnswer } from "../../services.ts";
import { timedOut } from "./limits.ts";

/**
 * Waits for the first part, so that an error in the query is thrown instead of breaking off the answer.
 *
 * @param parts is ended at the end of the answer, when nobody reads on, and after `seconds`
 */
export async function answerOf(parts: AsyncGenerator<Uint8Array>, seconds: number): Promise<GraphAnswer> {
  const first = await parts.next();
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  let late: ReturnType<typeof setTimeout> | undefined;
  const stop = async () => {
    clearTimeout(late);
    await parts.return(undefined);
    end();
  };
  const content = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (first.done) return;
        controller.enqueue(first.value);
        late = setTimeout(() => {
          controller.error(timedOut(seconds));
          void stop();
        }, seconds * 1_000);
      },
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        await stop();
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
  return { content, over };
}
