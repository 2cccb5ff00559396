/** Reads a file as a web stream. */
import { type FileHandle, open } from "node:fs/promises";

const PIECE = 64 * 1024;

/**
 * The first `most` bytes of a file, read on demand. Node's own `Readable.toWeb` does not suit: cancelling it during a
 * read can end the process (nodejs/node#64529), and a reader of only the beginning always cancels.
 */
export function bytesOf(path: string, most = Number.POSITIVE_INFINITY): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let wanted = true;
  let left = most;
  const close = async () => {
    const open = file;
    file = undefined;
    await open?.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          file ??= await open(path);
          const piece = new Uint8Array(Math.min(PIECE, left));
          const { bytesRead } = wanted ? await file.read(piece, 0, piece.length) : { bytesRead: 0 };
          left -= bytesRead;
          if (bytesRead === 0) await close();
          if (!wanted) return;
          if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead));
          else controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      async cancel() {
        wanted = false;
        await close();
      },
    },
    // do not open the file before the first read
    { highWaterMark: 0 },
  );
}
