/**
 * Concepts of the LIDO Terminology (http://terminology.lido-schema.org), each taken from published records or
 * mappings of museums and aggregators; a wrong URI is worse than none.
 */
const term = (number: string): string => `http://terminology.lido-schema.org/lido${number}`;

/** Types of identifiers. */
export const URI = term("00099");
export const LOCAL = term("00100");
export const INVENTORY_NUMBER = term("00113");

export const PREFERRED = term("00169");
export const ALTERNATE = term("00170");

export const HUMAN_MADE_OBJECT = term("00096");
export const ITEM_LEVEL = term("00141");
export const CURRENT_REPOSITORY = term("00475");
export const FORMER_REPOSITORY = term("01019");

export const PERSON = term("00163");
export const CORPORATE_BODY = term("00413");

export const MATERIAL = term("00132");
export const TECHNIQUE = term("00131");

/** For dates: exact or estimated. */
export const EXACT = term("00528");
export const ESTIMATED = term("00529");

export const PROVIDED_IMAGE = term("00464");
export const THUMBNAIL = term("00451");

/** The type of a right that is a statement or licence. */
export const SPECIFIC_RIGHTS = term("00921");

export const HAS_PART = term("00573");
export const IS_PART_OF = term("00574");
export const DOCUMENTED_IN = term("00617");
export const IS_DOCUMENTED_IN = { en: "is documented in", de: "ist dokumentiert in" };
export const DEPICTED_IN = term("00998");

type EventType = { uri: string; en: string; de: string };
const event = (number: string, en: string, de: string): EventType => ({ uri: term(number), en, de });

/** Our name of an event → its type in LIDO. */
export const EVENT_TYPES = {
  acquisition: event("00001", "Acquisition", "Erwerbung"),
  finding: event("00002", "Finding", "Fund"),
  event: event("00003", "Event", "Ereignis"),
  custody: event("00005", "Transfer of custody", "Besitzwechsel"),
  modification: event("00006", "Modification", "Veränderung"),
  production: event("00007", "Production", "Herstellung"),
  loss: event("00009", "Loss", "Verlust"),
  collecting: event("00010", "Collecting", "Sammeltätigkeit"),
  use: event("00011", "Use", "Gebrauch"),
  creation: event("00012", "Creation", "Geistige Schöpfung"),
  destruction: event("00026", "Destruction", "Zerstörung"),
  performance: event("00030", "Performance", "Aufführung"),
  planning: event("00032", "Planning", "Planung"),
  excavation: event("00033", "Excavation", "Ausgrabung"),
  restoration: event("00034", "Restoration", "Restaurierung"),
  move: event("00223", "Move", "Standortwechsel"),
  designing: event("00224", "Designing", "Entwurf"),
  exhibition: event("00225", "Exhibition", "Ausstellung"),
  commissioning: event("00226", "Commissioning", "Beauftragung"),
  provenance: event("00227", "Provenance", "Provenienz"),
  publication: event("00228", "Publication", "Veröffentlichung"),
} as const;

export type EventName = keyof typeof EVENT_TYPES;
