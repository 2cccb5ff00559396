/** What is said of settings, and of the configuration as a file. */
export const SETTINGS_SENTENCES = {
  // settings
  "is not a record that can be public": {
    de: "ist kein Datensatz, der öffentlich sein kann",
    fr: "n’est pas une notice qui peut être publique",
  },
  "there is no record with the number {number}": {
    de: "Es gibt keinen Datensatz mit der Nummer {number}.",
    fr: "Aucune notice ne porte le numéro {number}.",
  },
  "has a contrast of {contrast} with the {~scheme} background {ground}; text needs {enough}. Choose a {~shade} colour":
    {
      de: "hat auf {scheme} Grund ({ground}) einen Kontrast von {contrast}; Text braucht {enough}. Wählen Sie eine {shade} Farbe.",
      fr: "a un contraste de {contrast} sur fond {scheme} ({ground}) ; un texte demande {enough}. Choisissez une couleur {shade}.",
    },
  light: { de: "hellem", fr: "clair" },
  dark: { de: "dunklem", fr: "sombre" },
  darker: { de: "dunklere", fr: "plus foncée" },
  lighter: { de: "hellere", fr: "plus claire" },
  "A logo is a PNG, JPEG or WebP picture": {
    de: "Ein Logo ist ein Bild in PNG, JPEG oder WebP.",
    fr: "Un logo est une image PNG, JPEG ou WebP.",
  },
  "The file is broken, or not a PNG, JPEG or WebP picture": {
    de: "Die Datei ist beschädigt oder kein Bild in PNG, JPEG oder WebP.",
    fr: "Le fichier est endommagé, ou n’est pas une image PNG, JPEG ou WebP.",
  },
  "This is an SVG drawing, which can contain scripts: export it as PNG, at least 200 pixels high": {
    de: "Eine SVG-Zeichnung kann Skripte enthalten: Speichern Sie sie als PNG, mindestens 200 Pixel hoch.",
    fr: "Un dessin SVG peut contenir des scripts : enregistrez-le en PNG, haut d’au moins 200 pixels.",
  },
  "The picture has more than 4 million pixels: make it smaller": {
    de: "Das Bild hat mehr als 4 Millionen Pixel. Verkleinern Sie es.",
    fr: "L’image compte plus de 4 millions de pixels. Réduisez-la.",
  },
  "is not an http or https address": {
    de: "ist keine Webadresse. Sie beginnt mit https:// oder http://.",
    fr: "n’est pas une adresse web. Elle commence par https:// ou http://.",
  },
  "is not an http or https address, mailto: address or path of this service": {
    de: "ist weder eine Webadresse noch eine mailto:-Adresse noch ein Pfad dieses Dienstes",
    fr: "n’est ni une adresse web, ni une adresse mailto:, ni un chemin de ce service",
  },
  "is not an http or https address that contains {placeholder}": {
    de: "ist keine Webadresse, die {placeholder} enthält",
    fr: "n’est pas une adresse web qui contient {placeholder}",
  },
  "is not a colour of the form #14575e": {
    de: "ist keine Farbe der Form #14575e",
    fr: "n’est pas une couleur de la forme #14575e",
  },
  "is already the set of all records of that type": {
    de: "heißt schon die Menge aller Datensätze einer Art",
    fr: "est déjà l’ensemble de toutes les notices d’un type",
  },
  "may only contain type, <type>_type, collection_status and meta_<field>": {
    de: "enthält andere Parameter als type, <type>_type, collection_status und meta_<Feld>",
    fr: "contient d’autres paramètres que type, <type>_type, collection_status et meta_<champ>",
  },
  "has more than {most} links": { de: "hat mehr als {most} Links", fr: "a plus de {most} liens" },
  "has more than {most} records": { de: "hat mehr als {most} Datensätze", fr: "a plus de {most} notices" },
  "has more than {most} sets": { de: "hat mehr als {most} Mengen", fr: "a plus de {most} ensembles" },
  "names a record twice": { de: "nennt einen Datensatz zweimal", fr: "nomme deux fois une notice" },
  "names a set twice": { de: "nennt eine Menge zweimal", fr: "nomme deux fois un ensemble" },

  // the configuration as a file
  "is not JSON: {why}": { de: "ist keine JSON-Datei: {why}", fr: "n’est pas du JSON : {why}" },
  "The role admin cannot be deleted": {
    de: "Die Rolle admin kann nicht gelöscht werden.",
    fr: "Le rôle admin ne peut pas être supprimé.",
  },
  '"{value}" is listed twice': {
    de: "„{value}“ steht zweimal darin.",
    fr: "« {value} » y figure deux fois.",
  },
  '"{value}" is below "{other}", which is not a term': {
    de: "„{value}“ liegt unter „{other}“, das kein Begriff ist.",
    fr: "« {value} » se trouve sous « {other} », qui n’est pas un terme.",
  },
  "{n} added": { de: "neu: {n}", fr: "ajoutés : {n}" },
  "{n} changed": { de: "geändert: {n}", fr: "modifiés : {n}" },
  "terms of {name}": { de: "Begriffe von {name}", fr: "termes de {name}" },
  'term "{value}" of {name}': { de: "Begriff „{value}“ von {name}", fr: "terme « {value} » de {name}" },
  "vocabulary {name}": { de: "Vokabular {name}", fr: "vocabulaire {name}" },
  "field {name}": { de: "Feld {name}", fr: "champ {name}" },
  "subtype {name}": { de: "Untertyp {name}", fr: "sous-type {name}" },
  "relation type {name}": { de: "Beziehungstyp {name}", fr: "type de relation {name}" },
  "role {name}": { de: "Rolle {name}", fr: "rôle {name}" },
  settings: { de: "Einstellungen", fr: "réglages" },
};
