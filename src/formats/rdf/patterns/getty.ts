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

const HEIGHT = aat("300055644", "height");
const WIDTH = aat("300055647", "width");
const DEPTH = aat("300072633", "depth");
const DIAMETER = aat("300055624", "diameter");
const WEIGHT = aat("300056240", "weight");
const LENGTH = aat("300055645", "length");
const THICKNESS = aat("300055646", "thickness");

/** Names of dimensions → concept. */
export const DIMENSIONS: Readonly<Record<string, Concept>> = {
  height: HEIGHT,
  höhe: HEIGHT,
  hauteur: HEIGHT,
  altezza: HEIGHT,
  altura: HEIGHT,
  alto: HEIGHT,
  hoogte: HEIGHT,
  width: WIDTH,
  breite: WIDTH,
  largeur: WIDTH,
  larghezza: WIDTH,
  anchura: WIDTH,
  ancho: WIDTH,
  depth: DEPTH,
  tiefe: DEPTH,
  profondeur: DEPTH,
  profondità: DEPTH,
  profundidad: DEPTH,
  fondo: DEPTH,
  diepte: DEPTH,
  diameter: DIAMETER,
  durchmesser: DIAMETER,
  diamètre: DIAMETER,
  diametro: DIAMETER,
  diámetro: DIAMETER,
  weight: WEIGHT,
  gewicht: WEIGHT,
  poids: WEIGHT,
  peso: WEIGHT,
  length: LENGTH,
  länge: LENGTH,
  longueur: LENGTH,
  lunghezza: LENGTH,
  longitud: LENGTH,
  largo: LENGTH,
  lengte: LENGTH,
  thickness: THICKNESS,
  dicke: THICKNESS,
  épaisseur: THICKNESS,
  spessore: THICKNESS,
  espesor: THICKNESS,
  grosor: THICKNESS,
  dikte: THICKNESS,
};

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
