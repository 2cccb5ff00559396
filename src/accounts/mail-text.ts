/** Builds a mail from its paragraphs, in plain text and HTML. */
import { type Said, say, type Told } from "../messages/said.ts";
import type { Translate } from "../messages/translate.ts";
import type { OutgoingMail } from "../services.ts";

/** A paragraph that equals `link` becomes a link. */
export function mailOf(
  t: Translate,
  to: string,
  subject: Said,
  paragraphs: readonly Told[],
  link?: string,
): OutgoingMail {
  const texts = paragraphs.map((told) => say(t, told));
  const html = texts.map((text) =>
    text === link ? `<p><a href="${escaped(link)}">${escaped(link)}</a></p>` : `<p>${escaped(text)}</p>`,
  );
  return {
    to,
    subject: say(t, subject),
    text: `${texts.join("\n\n")}\n`,
    html: `<!doctype html>\n<html lang="${t.language}"><body>\n${html.join("\n")}\n</body></html>\n`,
  };
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
