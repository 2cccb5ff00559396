/** Parses forms with a file (RFC 7578) as they arrive. Passes the file on in chunks and never holds it in memory. */

import { type MultipartError, make, type PartInfo } from "multipasta";
import { utf8Text } from "../../bytes.ts";
import { said } from "../../messages/said.ts";
import { invalidAt, Problem } from "../../problem.ts";
import { readDisposition } from "../answer/disposition.ts";
import { chunksOf, demandContentType, demandPlain, tooLarge } from "./body.ts";

const TYPE = "multipart/form-data";
/** The most bytes of everything except the files. */
const LARGEST_FIELDS = 1024 * 1024;
/** The most parts besides the files. */
const MOST_PARTS = 50;

export type FormFile = {
  /** Called before the first chunk of each file, with the fields that came before it. */
  begin(filename: string, fields: ReadonlyMap<string, string>): void | Promise<void>;
  take(bytes: Uint8Array): Promise<void>;
};

/**
 * Returns the fields by name. The part named `file` is the file; it is required.
 *
 * @param limit the most bytes of the file, or of all files together
 * @param mostFiles the most parts named `file`
 */
export async function readForm(
  request: Request,
  limit: number,
  file: FormFile,
  mostFiles = 1,
): Promise<ReadonlyMap<string, string>> {
  const type = request.headers.get("Content-Type") ?? "";
  demandContentType(type, [TYPE]);
  demandPlain(request);
  const most = limit + LARGEST_FIELDS;
  if (Number(request.headers.get("Content-Length") ?? 0) > most) throw tooLarge(limit);
  if (!request.body) throw new Problem("malformed", said("problem.form.empty"));
  const mostParts = MOST_PARTS + mostFiles - 1;
  const fields = new Map<string, string>();
  /** What the parser found in the last chunk. */
  let found: (() => void | Promise<void>)[] = [];
  let fault: Problem | null = null;
  let files = 0;
  let size = 0;
  const refuse = (problem: Problem) => {
    fault ??= problem;
  };
  const parser = make({
    headers: { "content-type": type },
    maxParts: mostParts,
    maxTotalSize: most,
    maxFieldSize: LARGEST_FIELDS,
    isFile: (info) => partOf(info).name === "file",
    onField(info, value) {
      const { name } = partOf(info);
      if (name === "") refuse(NAMELESS());
      if (fields.has(name)) refuse(invalidAt(`/${name}`, said("fault.twice")));
      const text = utf8Text(value);
      if (text === null) refuse(invalidAt(`/${name}`, said("fault.text.not_utf8")));
      else fields.set(name, text);
    },
    onFile(info) {
      const { filename } = partOf(info);
      files += 1;
      if (files > mostFiles && mostFiles === 1) refuse(invalidAt("/file", said("fault.twice")));
      found.push(() => file.begin(filename, fields));
      return (chunk) => {
        if (chunk === null || chunk.byteLength === 0) return;
        size += chunk.byteLength;
        if (size > limit) refuse(tooLarge(limit));
        else found.push(() => file.take(chunk));
      };
    },
    onError: (error) => refuse(problemOf(error, limit, mostParts)),
    onDone: () => undefined,
  });
  const step = async (work: () => void) => {
    found = [];
    try {
      work();
    } catch (cause) {
      refuse(new Problem("malformed", said("problem.form.unreadable"), { cause }));
    }
    for (const pass of found) {
      if (fault) break;
      await pass();
    }
    if (fault) throw fault;
  };
  // without a boundary, the parser has already failed
  await step(() => undefined);
  for await (const chunk of chunksOf(request.body)) await step(() => parser.write(chunk));
  await step(() => parser.end());
  if (files === 0) throw invalidAt("/file", said("fault.form.no_file"));
  return fields;
}

/** Read here, because the parser supports only Latin-1 in file names and treats a header with other characters as empty. */
const partOf = ({ headers }: PartInfo) => readDisposition(String(headers["content-disposition"] ?? ""));

const NAMELESS = () => new Problem("malformed", said("problem.form.nameless_part"));

function problemOf(error: MultipartError, limit: number, mostParts: number): Problem {
  if (error._tag === "ReachedLimit") {
    if (error.limit === "MaxParts")
      return new Problem("too_large", said("problem.form.too_many_parts", { most: mostParts }));
    return tooLarge(error.limit === "MaxTotalSize" ? limit : LARGEST_FIELDS);
  }
  const keys = {
    InvalidBoundary: "problem.form.no_boundary",
    BadHeaders: "problem.form.bad_headers",
    InvalidDisposition: "problem.form.nameless_part",
    EndNotReached: "problem.form.broken_off",
  } as const;
  return new Problem("malformed", said(keys[error._tag]));
}
