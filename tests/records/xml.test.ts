/** Writing XML: well-formed whatever the values are, and read back unchanged. */
import { SaxesParser } from "saxes";
import { expect, it } from "vitest";
import { document, element, wrap } from "../../src/xml.ts";

const HOSTILE = "]]> &amp; &lt;script>\t\"quoted\" 'single'\r\nline\rend <!-- <![CDATA[ 𝄞 \u0085 é";

/** The texts and attributes of a document, as an XML parser reads them. */
function read(xml: string): { text: string; attributes: string[] } {
  const found = { text: "", attributes: [] as string[] };
  const parser = new SaxesParser();
  parser.on("error", (fault) => {
    throw fault;
  });
  parser.on("text", (text) => (found.text += text));
  parser.on("opentag", ({ attributes }) => found.attributes.push(...Object.values(attributes).map(String)));
  parser.write(xml).close();
  // without the line breaks around the content
  return { ...found, text: found.text.slice(1, -1) };
}

it("keeps values unchanged in texts and attributes", () => {
  const xml = document(element("a", { b: HOSTILE }, element("c", {}, HOSTILE)));
  expect(read(xml)).toEqual({ text: HOSTILE, attributes: [HOSTILE] });
});

it("drops characters that XML cannot contain", () => {
  const xml = document(
    element("a", { b: "x\u0000\uFFFEy" }, "\u0001\u0008\u000B\u001F\uD800 and \uDC00\uFFFF"),
  );
  expect(read(xml)).toEqual({ text: " and ", attributes: ["xy"] });
});

it("leaves out attributes without a value and wrappers without content", () => {
  const xml = element("a", { b: null, c: undefined, d: "" }, null, wrap("e", null, [undefined, []]), "f");
  expect(xml.text).toBe('<a d="">f</a>');
  expect(wrap("e", element("g"))?.text).toBe("<e><g/></e>");
});
