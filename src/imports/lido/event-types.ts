/** Finds out what type of event a LIDO record describes. */
import { EVENT_TYPES, type EventName } from "../../formats/lido/lido-terms.ts";
import { fold } from "../../text.ts";
import type { ReadConcept } from "./xml.ts";

/** Further names of event types. `EVENT_TYPES` has the English and the usual German ones. */
const FURTHER: Partial<Record<EventName, string>> = {
  production:
    "Entstehung|Anfertigung|Fertigung|Herstellungsprozess|Bau|Erbauung|Druck|Guss|Aufnahme|Fabrication|Réalisation|Exécution|Making|Manufacture|Produzione|Esecuzione|Fabbricazione|Producción|Elaboración|Fabricación|Vervaardiging|Productie",
  creation: "Schöpfung|Erschaffung|Création|Konzeption|Creazione|Ideazione|Creación|Creatie",
  acquisition:
    "Erwerb|Ankauf|Schenkung|Eingang|Zugang|Accession|Inventarisierung|Acquisizione|Dono|Acquisto|Adquisición|Ingreso|Verwerving|Aankoop|Schenking",
  finding:
    "Auffindung|Gefunden|Funde|Find|Découverte|Ritrovamento|Rinvenimento|Hallazgo|Vondst|Fund (Ereignis)",
  excavation: "Grabung|Fouille|Fouilles|Scavo|Excavación|Opgraving",
  collecting: "Sammlung|Gesammelt|Collecte|Collected|Raccolta|Recolección|Verzamelen",
  exhibition: "Exposition|Ausgestellt|Mostra|Esposizione|Exposición|Tentoonstelling",
  use: "Verwendung|Gebraucht|Nutzung|Utilisation|Uso|Utilizzo|Gebruik",
  designing: "Entwurf|Design|Conception|Dessin|Progettazione|Disegno|Diseño|Ontwerp",
  publication: "Publikation|Herausgabe|Erscheinen|Verlag|Édition|Pubblicazione|Publicación|Publicatie",
  commissioning: "Auftrag|Bestellung|Commande|Commissione|Committenza|Encargo|Opdracht",
  modification: "Umarbeitung|Änderung|Bearbeitung|Überarbeitung|Modifica|Modificación|Wijziging",
  restoration: "Restauration|Konservierung|Conservation|Restauro|Restauración|Restauratie",
  provenance: "Besitz|Eigentum|Vorbesitz|Ownership|Proprietà|Provenienza|Propiedad|Procedencia|Herkomst",
  loss: "Perte|Kriegsverlust|Perdita|Pérdida|Verlies",
  destruction: "Vernichtung|Distruzione|Destrucción|Vernietiging",
};
const BY_WORD = new Map(
  [
    ...Object.entries(FURTHER),
    ...Object.entries(EVENT_TYPES).map(([name, { en, de }]) => [name, `${en}|${de}|${name}`] as const),
  ].flatMap(([name, words]) => words.split("|").map((word) => [fold(word), name as EventName] as const)),
);

const BY_URI = new Map(Object.entries(EVENT_TYPES).map(([name, { uri }]) => [uri, name as EventName]));

const plainUri = (uri: string): string => uri.replace(/^https:/, "http:");

export const typeNamed = (text: string): EventName | undefined =>
  BY_URI.get(plainUri(text)) ?? BY_WORD.get(fold(text));

/** The type that one of the URIs names, else one of the words. */
export const typeOf = ({ uris, terms }: ReadConcept): EventName | undefined =>
  [...uris, ...terms.map(({ value }) => value)].map(typeNamed).find((name) => name);

/** Whether the URI belongs to the LIDO terminology. */
export const isKnownType = (uri: string): boolean => BY_URI.has(plainUri(uri));
