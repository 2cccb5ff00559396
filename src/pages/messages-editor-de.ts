/** The editor in the pages for staff, in German. */
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
};
