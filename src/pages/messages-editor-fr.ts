/** The editor in the pages for staff, in French. */
import type { EditorMessages } from "./messages-editor-en.ts";

export const EDITOR_FR: EditorMessages = {
  "editor.lookUp": "Rechercher",
  "editor.lookUp.title": "Rechercher dans",
  "editor.lookUp.words": "Nom à rechercher",
  "editor.lookUp.searching": "Recherche en cours …",
  "editor.lookUp.nothing": "Le fichier d’autorité ne connaît pas ce nom.",
  "editor.lookUp.failed":
    "Le fichier d’autorité n’est pas joignable pour le moment. Réessayez plus tard, ou saisissez l’identifiant vous-même.",
  "editor.lookUp.taken": "Repris :",
  "editor.cancel": "Annuler",
  "editor.draft": "Ce navigateur a gardé des modifications que vous n’avez pas enregistrées, du",
  "editor.draft.take": "Les reprendre",
  "editor.draft.discard": "Les supprimer",
  "editor.missing": "Il manque encore pour publier :",
  "editor.suggested": "Vouliez-vous dire",
};
