/**
 * Concepts of the Art & Architecture Thesaurus for kinds of names, texts and dimensions. Each is used in the same way
 * in Linked Art (https://linked.art/model/) or in Getty's library for it; a wrong URI is worse than none.
 */
export type Concept = { readonly iri: string; readonly label: string };

const aat = (id: string, label: string): Concept => ({ iri: `http://vocab.getty.edu/aat/${id}`, label });

export const PRIMARY_NAME = aat("300404670", "primary name");
export const ALTERNATE_NAME = aat("300264273", "alternate name");
export const OWNERS_NUMBER = aat("300404621", "owner-assigned number");
/** Getty has no concept for this. */
export const ARK: Concept = {
  iri: "http://www.wikidata.org/entity/Q2860403",
  label: "Archival Resource Key",
};

/** Pattern → concept. If several kinds of text share a pattern, by the name of the field. */
export const KINDS_OF_TEXT: Readonly<Record<string, Concept>> = {
  accession_number: aat("300312355", "accession number"),
  bibliography: aat("300026497", "bibliography statement"),
  biography: aat("300435422", "biography statement"),
  creator_text: aat("300435436", "production statement"),
  credit: aat("300026687", "credit statement"),
  description: aat("300435416", "description"),
  measurement: aat("300435430", "dimension statement"),
  edition: aat("300435435", "edition statement"),
  exhibition_history: aat("300435424", "exhibition statement"),
  material_text: aat("300435429", "material statement"),
  inscription: aat("300028702", "transcribed inscription"),
  provenance: aat("300435438", "provenance statement"),
};

/** Number of the concept → names of the dimension, that of the concept first. */
const NAMES_OF_DIMENSIONS = {
  300055644: "height höhe hauteur altezza altura alto hoogte",
  300055647: "width breite largeur larghezza anchura ancho",
  300072633: "depth tiefe profondeur profondità profundidad fondo diepte",
  300055624: "diameter durchmesser diamètre diametro diámetro",
  300056240: "weight gewicht poids peso",
  300055645: "length länge longueur lunghezza longitud largo lengte",
  300055646: "thickness dicke épaisseur spessore espesor grosor dikte",
};
/** Names of dimensions → concept. */
export const DIMENSIONS: ReadonlyMap<string, Concept> = new Map(
  Object.entries(NAMES_OF_DIMENSIONS).flatMap(([id, text]) => {
    const names = text.split(" ");
    return names.map((name) => [name, aat(id, names[0]!)]);
  }),
);

export const UNITS: Readonly<Record<string, Concept>> = {
  mm: aat("300379097", "millimeters"),
  cm: aat("300379098", "centimeters"),
  m: aat("300379099", "meters"),
  in: aat("300379100", "inches"),
  ft: aat("300379101", "feet"),
  g: aat("300379225", "grams"),
  kg: aat("300379226", "kilograms"),
  s: aat("300379239", "seconds"),
  min: aat("300379240", "minutes"),
  h: aat("300379241", "hours"),
  px: aat("300266190", "pixels"),
  b: aat("300265869", "bytes"),
  kb: aat("300265870", "kilobytes"),
  mb: aat("300265873", "megabytes"),
  gb: aat("300265874", "gigabytes"),
  tb: aat("300266477", "terabytes"),
};
