/** What every adapter of the port `files` must do. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Files } from "../../src/services.ts";

export type OpenedFiles = { files: Files; close(): Promise<void> };

/** Bytes whose values show their positions. */
export function numbered(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = index * 7 + (index >> 8);
  return bytes;
}

export function streamOf(bytes: Uint8Array, piece = 65_536): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + piece));
      at += piece;
    },
  });
}

export const bytesOf = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());

export function filesExpectations(name: string, open: () => Promise<OpenedFiles>): void {
  describe(`files: ${name}`, () => {
    let opened: OpenedFiles;
    let files: Files;

    beforeAll(async () => {
      opened = await open();
      files = opened.files;
    });
    afterAll(() => opened.close());

    const read = async (key: string, range?: { first: number; last: number }) => {
      const found = await files.get(key, range);
      return found && (await bytesOf(found.content));
    };
    const listed = async (prefix: string): Promise<string[]> => {
      const keys: string[] = [];
      for await (const { key } of files.list(prefix)) keys.push(key);
      return keys.sort();
    };

    it("returns what was stored, byte for byte", async () => {
      const bytes = numbered(300_001);
      expect(await files.put("objects/a1/original.jpg", streamOf(bytes))).toEqual({ bytes: 300_001 });
      const found = await files.get("objects/a1/original.jpg");
      expect(found!.file).toMatchObject({ key: "objects/a1/original.jpg", bytes: 300_001 });
      expect(Math.abs(found!.file.modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
      expect(Buffer.compare(await bytesOf(found!.content), bytes)).toBe(0);
      expect(await files.stat("objects/a1/original.jpg")).toMatchObject({ bytes: 300_001 });
    });

    it("returns a range of a file, including its first and last byte", async () => {
      const bytes = numbered(100_000);
      await files.put("parts/b.bin", streamOf(bytes));
      for (const [first, last] of [
        [0, 0],
        [99_999, 99_999],
        [65_530, 65_540],
        [0, 99_999],
      ] as const) {
        const part = await read("parts/b.bin", { first, last });
        expect([first, last, Buffer.compare(part!, bytes.slice(first, last + 1))]).toEqual([first, last, 0]);
      }
    });

    it("stores an empty file", async () => {
      await files.put("empty/c.txt", streamOf(new Uint8Array()));
      expect(await read("empty/c.txt")).toEqual(new Uint8Array());
    });

    it("replaces a file completely or not at all", async () => {
      await files.put("whole/d.bin", streamOf(numbered(10)));
      await files.put("whole/d.bin", streamOf(numbered(20)));
      const broken = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(numbered(200_000));
        },
        pull() {
          throw new Error("the line broke");
        },
      });
      await expect(files.put("whole/d.bin", broken)).rejects.toThrow("the line broke");
      expect(await read("whole/d.bin")).toEqual(numbered(20));
      const never = new ReadableStream<Uint8Array>({
        pull() {
          throw new Error("the line broke");
        },
      });
      await expect(files.put("whole/e.bin", never)).rejects.toThrow("the line broke");
      expect(await listed("whole/")).toEqual(["whole/d.bin"]);
    });

    it("returns nothing for a file that does not exist", async () => {
      expect(await files.get("objects/none.jpg")).toBeNull();
      expect(await files.stat("objects/none.jpg")).toBeNull();
      expect(await files.get("objects/a1")).toBeNull();
      expect(await files.stat("objects")).toBeNull();
      await files.remove("objects/none.jpg");
    });

    it("removes a file, and lists keys with a common prefix", async () => {
      for (const key of ["list/1/a", "list/1/b", "list/10/c", "list/2/d"]) {
        await files.put(key, streamOf(numbered(3)));
      }
      expect(await listed("list/1")).toEqual(["list/1/a", "list/1/b", "list/10/c"]);
      expect(await listed("list/1/")).toEqual(["list/1/a", "list/1/b"]);
      await files.remove("list/1/a");
      expect(await listed("list/1/")).toEqual(["list/1/b"]);
      expect(await listed("nothing/")).toEqual([]);
    });

    it("refuses keys that lead elsewhere", async () => {
      const keys = [
        "",
        "/a",
        "a/",
        "a//b",
        "../a",
        "a/../b",
        "a/./b",
        ".hidden",
        "a/.b",
        "a\\b",
        "a\0b",
        "a b",
        "ä",
      ];
      for (const key of [...keys, "a".repeat(501)]) {
        await expect((async () => files.stat(key))(), key).rejects.toThrow("is not the key of a file");
        await expect((async () => files.put(key, streamOf(numbered(1))))(), key).rejects.toThrow(
          "is not the key",
        );
      }
    });

    it("lets a reader finish while the file is replaced or removed", async () => {
      const bytes = numbered(2_000_000);
      await files.put("reader/f.bin", streamOf(bytes));
      const found = await files.get("reader/f.bin");
      await files.remove("reader/f.bin");
      // comparing two million numbers one by one would take seconds
      expect(Buffer.compare(await bytesOf(found!.content), bytes)).toBe(0);
    });

    it("stops reading when the reader stops", async () => {
      await files.put("given-up/g.bin", streamOf(numbered(2_000_000)));
      for (let times = 0; times < 50; times++) {
        const found = await files.get("given-up/g.bin");
        await found!.content.cancel();
      }
      expect(await read("given-up/g.bin")).toHaveLength(2_000_000);
    });
  });
}
