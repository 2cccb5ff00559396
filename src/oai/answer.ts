/** The envelope of all OAI-PMH answers (§3.2). */
import { element, type Xml } from "../xml.ts";

export type Answer = {
  /** The source of its ETag, which does not depend on the time of the answer. */
  tag: string;
  /** The time of the answer. */
  date: string;
  /** Inside the element of the verb. */
  content: AsyncIterable<string>;
};

export async function* once(...content: readonly Xml[]): AsyncIterable<string> {
  for (const { text } of content) yield text;
}

const ROOT = [
  'xmlns="http://www.openarchives.org/OAI/2.0/"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"',
].join(" ");

type Request = { baseUrl: string; args: Readonly<Record<string, string>> };

const beginning = (date: string, { baseUrl, args }: Request): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH ${ROOT}>` +
  element("responseDate", {}, date).text +
  element("request", args, `${baseUrl}/oai`).text;

const END = "</OAI-PMH>\n";

/** The complete answer as a stream. */
export async function* document(
  request: Request,
  verb: string,
  { date, content }: Answer,
): AsyncGenerator<string> {
  yield `${beginning(date, request)}<${verb}>\n`;
  for await (const piece of content) yield `${piece}\n`;
  yield `</${verb}>${END}`;
}

export async function* faultDocument(request: Request, date: string, error: Xml): AsyncGenerator<string> {
  yield beginning(date, request) + error.text + END;
}
