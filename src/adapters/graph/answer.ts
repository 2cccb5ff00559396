/** The answer to a query, part by part: so many are not held whole as people read slowly. */
import type { GraphAnswer } from "../../services.ts";
import { timedOut } from "./limits.ts";

/**
 * Begins at once, so that what is wrong with a query is thrown and not met within its answer.
 *
 * @param parts its `finally` is reached at the end of the answer, when nobody reads on, and after `seconds`
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
