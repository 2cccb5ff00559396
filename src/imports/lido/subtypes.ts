/** Finds the subtype of a LIDO record in this catalogue. */
import type { Element } from "slimdom";
import { fold } from "../../text.ts";
import type { LidoContext } from "./context.ts";
import { at, concept, ownName } from "./xml.ts";

/** Words for the subtypes of the default schema. */
const WORDS: Readonly<Record<string, string>> = {
  painting:
    "paintings|paintings visual works|Gemälde|Malerei|peinture|tableau|dipinto|pittura|pintura|cuadro|schilderij",
  drawing: "drawings|drawings visual works|Zeichnung|Handzeichnung|dessin|disegno|dibujo|tekening",
  print:
    "prints|prints visual works|Druckgraphik|Druckgrafik|Radierung|Kupferstich|Holzschnitt|Lithographie|estampe|gravure|stampa|incisione|estampa|grabado|prent|ets",
  photograph: "photographs|Fotografie|Photographie|Foto|photo|fotografia|fotografía",
  sculpture:
    "sculptures|sculpture visual works|Skulptur|Plastik|statue|scultura|statua|escultura|estatua|sculptuur|beeld",
  textile: "textiles|Textil|Textilien|textile visual works|tessuto|tejido|textiel",
  furniture: "Möbel|display cabinets|Schrank|meuble|mobile|mueble|meubel",
  coin: "coins|Münze|monnaie|moneta|moneda|munt",
  ceramic: "ceramics|Keramik|céramique|ceramica|cerámica|keramiek",
  book: "books|Buch|livre|libro|boek",
  manuscript: "manuscripts|Handschrift|Manuskript|manuscrit|manoscritto|manuscrito",
};

const BY_WORD = new Map(
  Object.entries(WORDS).flatMap(([name, words]) =>
    words.split("|").map((word) => [plain(word), name] as const),
  ),
);

/** Makes `paintings (visual works)` and `Paintings visual works` equal. */
function plain(word: string): string {
  return fold(word).replace(/[()]/g, "").trim();
}

export function subtypeOf({ schema }: LidoContext, group: Element): string | undefined {
  const subtypes = schema.subtypes.get("object") ?? new Map();
  const concepts = [
    ...at(group, "objectClassificationWrap/classificationWrap/classification"),
    ...at(group, "objectClassificationWrap/objectWorkTypeWrap/objectWorkType"),
  ].map(concept);
  const own = concepts
    .map(({ uris }) => ownName(uris, "subtypes/object"))
    .find((name) => name && subtypes.has(name));
  if (own) return own;
  const labels = new Map(
    [...subtypes.values()].flatMap(({ name, label }) =>
      [name, ...Object.values(label as Record<string, string>)].map((word) => [plain(word), name] as const),
    ),
  );
  const words = concepts.flatMap(({ terms }) => terms.map(({ value }) => plain(value)));
  const known = words.map((word) => labels.get(word) ?? BY_WORD.get(word));
  return known.find((name) => name !== undefined && subtypes.has(name));
}
