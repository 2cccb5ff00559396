/** Dates as CIDOC CRM time-spans. */
import { expect, it } from "vitest";
import { Graph, type Literal } from "../../src/formats/rdf/graph.ts";
import { writeTimeSpan } from "../../src/formats/rdf/patterns/time-spans.ts";

/** The properties of the span, by number. */
function spanOf(dates: string[], options?: { lasted: boolean }): Record<string, string> {
  const graph = new Graph("urn:record");
  writeTimeSpan(graph, "urn:span", dates, options);
  return Object.fromEntries(
    graph.described
      .get("urn:span")!
      .filter(([predicate]) => predicate !== "rdf:type" && predicate !== "P170i_time_is_defined_by")
      .map(([predicate, object]) => [predicate.split("_")[0], (object as Literal).value]),
  );
}

it.each<[string, Record<string, string>]>([
  ["1867", { P82a: "1867-01-01T00:00:00Z", P82b: "1867-12-31T23:59:59Z" }],
  ["1904-02", { P82a: "1904-02-01T00:00:00Z", P82b: "1904-02-29T23:59:59Z" }],
  ["19XX", { P82a: "1900-01-01T00:00:00Z", P82b: "1999-12-31T23:59:59Z" }],
  ["1900/1910", { P82a: "1900-01-01T00:00:00Z", P82b: "1910-12-31T23:59:59Z" }],
  ["../1868", { P82b: "1868-12-31T23:59:59Z" }],
  ["1920/", { P82a: "1920-01-01T00:00:00Z" }],
  // astronomical years: 44 BC, 1 BC
  ["-0043", { P82a: "-0043-01-01T00:00:00Z", P82b: "-0043-12-31T23:59:59Z" }],
  ["0000", { P82a: "0000-01-01T00:00:00Z", P82b: "0000-12-31T23:59:59Z" }],
  ["-0150/-0001", { P82a: "-0150-01-01T00:00:00Z", P82b: "-0001-12-31T23:59:59Z" }],
  ["Y-170000", { P82a: "-170000-01-01T00:00:00Z", P82b: "-170000-12-31T23:59:59Z" }],
  ["Y17000", { P82a: "17000-01-01T00:00:00Z", P82b: "17000-12-31T23:59:59Z" }],
])("%s begins and ends at the right second", (date, span) => {
  expect(spanOf([date])).toEqual(span);
});

it("uncertainty and approximation are stated for the ends that are known", () => {
  expect(spanOf(["1920~"])).toMatchObject({ P79: "approximate", P80: "approximate" });
  expect(spanOf(["../1920?"])).toEqual({ P82b: "1920-12-31T23:59:59Z", P80: "uncertain" });
  expect(spanOf(["1920%"])).toMatchObject({ P79: "uncertain, approximate" });
});

it("for an event with a duration, both ends of an interval are known", () => {
  expect(spanOf(["1926-07-18/1938"], { lasted: true })).toEqual({
    P82a: "1926-07-18T00:00:00Z",
    P81a: "1926-07-18T23:59:59Z",
    P81b: "1938-01-01T00:00:00Z",
    P82b: "1938-12-31T23:59:59Z",
  });
  expect(spanOf(["2004/2004"], { lasted: true })).not.toHaveProperty("P81a");
  expect(spanOf(["1871-10-01"], { lasted: true })).not.toHaveProperty("P81a");
  expect(spanOf(["1920~/1930"], { lasted: true })).not.toHaveProperty("P81b");
  expect(spanOf(["2024-05-01/"], { lasted: true })).toEqual({
    P82a: "2024-05-01T00:00:00Z",
    P81a: "2024-05-01T23:59:59Z",
  });
});

it("several dates are one span around all, and open if one of them is open", () => {
  expect(spanOf(["1869", "1851", "1871"])).toEqual({
    P82a: "1851-01-01T00:00:00Z",
    P82b: "1871-12-31T23:59:59Z",
  });
  expect(spanOf(["1869", "1871/.."])).toEqual({ P82a: "1869-01-01T00:00:00Z" });
});
