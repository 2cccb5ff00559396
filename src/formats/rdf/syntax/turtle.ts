/** Turtle (https://www.w3.org/TR/turtle/) for people: the record first, then its parts. */
import { DataFactory, Writer } from "n3";
import type { Graph, Literal, Statement } from "../graph.ts";
import { type ClassName, iriOf, PREFIXES, type Predicate, prefixed } from "../patterns/names.ts";

/** Has a prefix of its own, because most concepts are from there. */
const AAT = "http://vocab.getty.edu/aat/";

const { literal, namedNode, quad } = DataFactory;

export function turtle(graph: Graph): string {
  const writer = new Writer({ prefixes: { "": `${graph.about}#`, ...usedPrefixes(graph) } });
  for (const [subject, statements] of graph.described) {
    for (const [predicate, object] of together(statements)) {
      writer.addQuad(quad(namedNode(subject), namedNode(iriOf(predicate)), term(predicate, object)));
    }
  }
  let text = "";
  writer.end((error: Error | null, result: string) => {
    if (error) throw error;
    text = result;
  });
  return text;
}

function term(predicate: Predicate, object: string | Literal) {
  if (typeof object === "string") {
    return namedNode(predicate === "rdf:type" ? iriOf(object as ClassName) : object);
  }
  const { value, lang, type } = object;
  return literal(value, lang ?? (type === undefined ? undefined : namedNode(iriOf(type))));
}

/** Statements with the same predicate become neighbours. */
function together(statements: readonly Statement[]): Statement[] {
  const of = new Map<Predicate, Statement[]>();
  for (const statement of statements) of.set(statement[0], [...(of.get(statement[0]) ?? []), statement]);
  return [...of.values()].flat();
}

function usedPrefixes({ described }: Graph): Record<string, string> {
  const used = new Set<string>();
  const use = (name: string) => used.add(prefixed(name).split(":")[0]!);
  for (const [predicate, object] of [...described.values()].flat()) {
    use(predicate);
    if (typeof object !== "string") object.type && use(object.type);
    else if (predicate === "rdf:type") use(object);
    else if (object.startsWith(AAT)) used.add("aat");
  }
  return Object.fromEntries(Object.entries({ ...PREFIXES, aat: AAT }).filter(([prefix]) => used.has(prefix)));
}
