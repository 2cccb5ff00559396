/** Checks a query without fully parsing it (https://www.w3.org/TR/sparql11-query/#sparqlGrammar). */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";

/** SELECT and ASK return a result, CONSTRUCT and DESCRIBE a graph. `hasDataset`: the query names graphs (FROM). */
type QueryFacts = { answers: "result" | "graph"; hasDataset: boolean };

/** What may contain a keyword without being one: literals, IRIs, comments, variables, prefixed names and so on. */
const NOT_KEYWORDS = new RegExp(
  [
    String.raw`\\.`,
    String.raw`'''(?:'{0,2}(?:[^'\\]|\\.))*'''`,
    String.raw`"""(?:"{0,2}(?:[^"\\]|\\.))*"""`,
    String.raw`'(?:[^'\\\n\r]|\\.)*'`,
    String.raw`"(?:[^"\\\n\r]|\\.)*"`,
    String.raw`<[^<>"{}|^\x60\\\x00-\x20]*>`,
    String.raw`#[^\n\r]*`,
    String.raw`[?$][\p{L}\p{M}\d_·]+`,
    String.raw`@[a-zA-Z]+(?:-[a-zA-Z\d]+)*`,
    String.raw`(?:[\p{L}_][\p{L}\p{M}\d_.-]*)?:(?:[\p{L}\p{M}\d_:%.-]|\\.)*`,
  ].join("|"),
  "gsu",
);

const FORM = /\b(SELECT|ASK|CONSTRUCT|DESCRIBE)\b/i;
const UPDATE = /^\s*(?:(?:BASE|PREFIX)\s+)*(INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH)\b/i;

/** Throws 400 for anything but a query, and for SERVICE, which would make the store send requests to other servers. */
export function factsOf(text: string): QueryFacts {
  const keywords = text.replace(NOT_KEYWORDS, " ");
  // check both, because only some stores decode escapes first (§19.2)
  const unescaped = decoded(text).replace(NOT_KEYWORDS, " ");
  const update = (UPDATE.exec(keywords) ?? UPDATE.exec(unescaped))?.[1];
  if (update !== undefined) {
    throw new Problem("malformed", said("problem.sparql.update", { keyword: update.toUpperCase() }));
  }
  if (/SERVICE/i.test(keywords) || /SERVICE/i.test(unescaped)) {
    throw new Problem("malformed", said("problem.sparql.service"));
  }
  const form = (FORM.exec(keywords) ?? FORM.exec(unescaped))?.[1]?.toUpperCase();
  if (form === undefined) throw new Problem("malformed", said("problem.sparql.form"));
  return {
    answers: form === "CONSTRUCT" || form === "DESCRIBE" ? "graph" : "result",
    hasDataset: /\bFROM\b/i.test(keywords),
  };
}

function decoded(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})|\\U([0-9a-f]{8})/gi, (whole, short?: string, long?: string) => {
    const point = Number.parseInt(short ?? long!, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
