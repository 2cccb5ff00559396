/** Finds out what kind of event a LIDO record describes. */
import { EVENT_TYPES, type EventName } from "../../formats/lido/lido-terms.ts";
import { fold } from "../../text.ts";
import type { ReadConcept } from "./xml.ts";

/** German and French names of event types. `EVENT_TYPES` has the English and the usual German ones. */
const WORDS: Readonly<Record<string, EventName>> = Object.fromEntries(
  (
    [
      [
        "production",
        "Entstehung|Anfertigung|Fertigung|Herstellungsprozess|Bau|Erbauung|Druck|Guss|Aufnahme|Fabrication|Réalisation|Exécution|Making|Manufacture",
      ],
      ["creation", "Schöpfung|Erschaffung|Création|Konzeption"],
      ["acquisition", "Erwerb|Ankauf|Schenkung|Eingang|Zugang|Accession|Inventarisierung"],
      ["finding", "Auffindung|Gefunden|Funde|Find|Découverte|Fund (Ereignis)"],
      ["excavation", "Grabung|Fouille|Fouilles"],
      ["collecting", "Sammlung|Gesammelt|Collecte|Collected"],
      ["exhibition", "Exposition|Ausgestellt"],
      ["use", "Verwendung|Gebraucht|Nutzung|Utilisation"],
      ["designing", "Entwurf|Design|Conception|Dessin"],
      ["publication", "Publikation|Herausgabe|Erscheinen|Verlag|Édition"],
      ["commissioning", "Auftrag|Bestellung|Commande"],
      ["modification", "Umarbeitung|Änderung|Bearbeitung|Überarbeitung"],
      ["restoration", "Restauration|Konservierung|Conservation"],
      ["provenance", "Besitz|Eigentum|Vorbesitz|Ownership"],
      ["loss", "Perte|Kriegsverlust"],
      ["destruction", "Vernichtung"],
    ] as const
  ).flatMap(([name, words]) => words.split("|").map((word) => [fold(word), name])),
);
for (const [name, { en, de }] of Object.entries(EVENT_TYPES))
  Object.assign(WORDS, { [fold(en)]: name, [fold(de)]: name, [fold(name)]: name });

const BY_URI = new Map(Object.entries(EVENT_TYPES).map(([name, { uri }]) => [uri, name as EventName]));

const plainUri = (uri: string): string => uri.replace(/^https:/, "http:");

export const typeNamed = (text: string): EventName | undefined =>
  BY_URI.get(plainUri(text)) ?? WORDS[fold(text)];

/** The type that one of the addresses names, else one of the words. */
export const typeOf = ({ uris, terms }: ReadConcept): EventName | undefined =>
  [...uris, ...terms.map(({ value }) => value)].map(typeNamed).find((name) => name);

/** Whether an address is one of the LIDO terminology. */
export const isKnownType = (uri: string): boolean => BY_URI.has(plainUri(uri));
