/** Reads a part of a workbook that is XML, as a stream of events. */
import { SaxesParser } from "saxes";
import { yieldingRunner } from "../../http/yielding.ts";
import { said } from "../../messages/said.ts";
import { refused } from "../source.ts";
import { damaged } from "./zip.ts";

/** Most characters between two tags, and of a tag. */
const LONGEST_TEXT = 1_048_576;
/** Elements inside one another: a workbook has about ten. Each open one takes memory. */
const DEEPEST = 100;
/** Most elements of a part that is kept in memory, such as the formats: Excel writes 65,490 of those, with two elements in each. */
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

/** Comes back after each piece that was read, so that what the listener made of it can be used. */
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
