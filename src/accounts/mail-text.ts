/** Builds a mail from its paragraphs, in plain text and HTML. */
import type { OutgoingMail } from "../services.ts";

/** A paragraph that is `link` becomes one. */
export function mailOf(
  to: string,
  subject: string,
  paragraphs: readonly string[],
  link?: string,
): OutgoingMail {
  const html = paragraphs.map((text) =>
    text === link ? `<p><a href="${escaped(link)}">${escaped(link)}</a></p>` : `<p>${escaped(text)}</p>`,
  );
  return {
    to,
    subject,
    text: `${paragraphs.join("\n\n")}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${html.join("\n")}\n</body></html>\n`,
  };
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
