/** The editor and collections care in the pages for staff, in German. */
import type { EditorMessages } from "./messages-editor-en.ts";

export const EDITOR_DE: EditorMessages = {
  "editor.lookUp": "Nachschlagen",
  "editor.lookUp.title": "Nachschlagen in",
  "editor.lookUp.words": "Name, der gesucht wird",
  "editor.lookUp.searching": "Suche läuft …",
  "editor.lookUp.nothing": "Die Normdatei kennt keinen solchen Namen.",
  "editor.lookUp.failed":
    "Die Normdatei ist gerade nicht erreichbar. Versuchen Sie es später, oder tippen Sie die Nummer selbst ein.",
  "editor.lookUp.taken": "Übernommen:",
  "editor.cancel": "Abbrechen",
  "editor.draft": "Dieser Browser hat Änderungen behalten, die Sie nicht gespeichert haben, vom",
  "editor.draft.take": "Damit weiterarbeiten",
  "editor.draft.discard": "Verwerfen",
  "editor.missing": "Zum Veröffentlichen fehlt noch:",
  "editor.suggested": "Meinten Sie",
  "care.printList": "Liste drucken",
  "care.noObjects":
    "Mit diesem Vorgang ist noch kein Objekt verknüpft. Fügen Sie sie unten als Verknüpfungen hinzu.",
  "care.gaps": "Was dieser Leihe noch fehlt",
  "care.gap.objects": "Objekte, die verliehen werden",
  "care.gap.partner":
    "Eine Leihnehmerin oder ein Leihgeber: verknüpfen Sie die beteiligte Person oder Organisation",
  "care.gap.due": "Ein Fälligkeitsdatum",
  "care.gap.checks": "Eine Zustandsprüfung der letzten zwölf Monate für: {numbers}",
  "care.proposal": "Durch diesen Vorgang wird der Sammlungsstatus dieser Objekte „{status}“: {numbers}",
  "care.propose": "Auf „{status}“ setzen",
  "care.proposed": "Der Sammlungsstatus ist geändert.",
  "care.card": "Objektkarte drucken",
  "care.label": "Etikett drucken",
  "care.labelsBelow": "Mit denen aller Standorte darunter",
  "care.back": "Zurück zum Datensatz",
  "care.print": "Drucken",
  "care.handedOver": "Übergeben: Datum, Name, Unterschrift",
  "care.received": "Erhalten: Datum, Name, Unterschrift",
  "care.objects.one": "{count} Objekt",
  "care.objects.other": "{count} Objekte",
};
