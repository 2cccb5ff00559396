import { describe, expect, test } from "vitest";
import { readForm } from "../../src/http/request/multipart.ts";
import type { Problem } from "../../src/problem.ts";

/** Reads a form with one file, whose part begins with this header; answers the name of the file and its content. */
async function sent(disposition: string, cut = 1_000): Promise<{ filename: string; text: string }> {
  const body = `--b\r\nContent-Disposition: ${disposition}\r\n\r\nnumber\r\n--b--\r\n`;
  const bytes = new TextEncoder().encode(body);
  const request = new Request("http://museum.example/", {
    method: "POST",
    headers: { "Content-Type": "multipart/form-data; boundary=b" },
    body: new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += cut) controller.enqueue(bytes.slice(at, at + cut));
        controller.close();
      },
    }),
    duplex: "half",
  } as RequestInit);
  const found = { filename: "", text: "" };
  await readForm(request, 1_000, {
    begin(filename) {
      found.filename = filename;
    },
    async take(chunk) {
      found.text += new TextDecoder().decode(chunk);
    },
  });
  return found;
}

describe("a file sent in a form", () => {
  test.each([
    ["Łódź.csv", 'filename="Łódź.csv"'],
    ["œuvre.csv", 'filename="œuvre.csv"'],
    ["日本.csv", 'filename="日本.csv"'],
    ["😀.csv", "filename=😀.csv"],
    ["café; 2.csv", 'filename="café; 2.csv"'],
    ['a "b".csv', 'filename="a \\"b\\".csv"'],
    ["Łódź.csv", "filename=\"x.csv\"; filename*=UTF-8''%C5%81%C3%B3d%C5%BA.csv"],
    ["日本.csv", "filename*=utf-8'ja'%E6%97%A5%E6%9C%AC.csv"],
    ["Łódź.csv", "filename=\"Łódź.csv\"; filename*=koi8-r''%EC.csv"],
    ["", ""],
  ])("may be called %s", async (filename, parameter) => {
    const disposition = `form-data; name="file"${parameter && `; ${parameter}`}`;
    for (const cut of [1, 7, 1_000])
      expect(await sent(disposition, cut)).toEqual({ filename, text: "number" });
  });

  test("is refused when its part has no name, whatever the file is called", async () => {
    for (const disposition of ["form-data", 'form-data; filename="Łódź.csv"']) {
      const refusal = await sent(disposition).catch((error: Problem) => error);
      expect(refusal).toMatchObject({ message: "The form cannot be read: a part has no name" });
    }
  });
});
