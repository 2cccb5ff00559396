/** Reads an XML part of a workbook as a stream of events. */
import { SaxesParser } from "saxes";
import { yieldingRunner } from "../../http/yielding.ts";
import { said } from "../../messages/said.ts";
import { refused } from "../source.ts";
import { damaged } from "./zip.ts";

/** Most characters of a tag, or between two tags. */
const LONGEST_TEXT = 1_048_576;
/** Most nested elements, because each open one takes memory. A workbook has about ten. */
const DEEPEST = 100;
/** Most elements of a part that is kept in memory. Excel writes at most 65,490 formats with two elements each. */
const MOST_ELEMENTS = 500_000;
/** Characters that are parsed at a time. */
const PARSED = 8_192;

export type Listener = {
  /** `name`: without a prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
};

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Yields after each piece, so that the caller can use what the listener made of it. */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  listener: Listener,
): AsyncGenerator<void, void, undefined> {
  const parser = new SaxesParser();
  let tag = 0;
  let depth = 0;
  const after = () => {
    tag = parser.position;
  };
  parser.on("error", () => {
    throw damaged(name);
  });
  parser.on("doctype", () => {
    throw refused(said("fault.workbook.doctype", { name }));
  });
  parser.on("opentag", (opened) => {
    after();
    if (++depth > DEEPEST) throw damaged(name);
    listener.open(local(opened.name), opened.attributes);
  });
  parser.on("closetag", (closed) => {
    after();
    depth -= 1;
    listener.close?.(local(closed.name));
  });
  const { text } = listener;
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const yielding = yieldingRunner();
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw damaged(name);
    }
  };
  for await (const chunk of bytes) {
    const piece = decoded(chunk);
    for (let at = 0; at < piece.length; at += PARSED) {
      await yielding(() => parser.write(piece.slice(at, at + PARSED)));
      if (parser.position - tag > LONGEST_TEXT)
        throw refused(said("fault.workbook.cell_long", { name, most: LONGEST_TEXT }));
      yield;
    }
  }
  decoded();
  parser.close();
  yield;
}

/** Reads a small part to its end. */
export async function readAll(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  listener: Listener,
): Promise<void> {
  let elements = 0;
  const open: Listener["open"] = (tag, attributes) => {
    if (++elements > MOST_ELEMENTS) throw damaged(name);
    listener.open(tag, attributes);
  };
  for await (const _ of readXml(bytes, name, { ...listener, open }));
}
