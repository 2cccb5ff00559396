/** The editor and collections care in the pages for staff, in French. */
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
  "care.printList": "Imprimer la liste",
  "care.noObjects": "Aucun objet n’est encore lié à cette procédure. Ajoutez-les ci-dessous comme liens.",
  "care.gaps": "Ce qui manque encore à ce prêt",
  "care.gap.objects": "Des objets prêtés",
  "care.gap.partner": "Un emprunteur ou un prêteur : liez la personne ou l’organisation qui y participe",
  "care.gap.due": "Une date d’échéance",
  "care.gap.checks": "Un constat d’état des douze derniers mois pour : {numbers}",
  "care.proposal":
    "Par cette procédure, le statut de collection de ces objets devient « {status} » : {numbers}",
  "care.propose": "Passer à « {status} »",
  "care.proposed": "Le statut de collection est modifié.",
  "care.card": "Imprimer la fiche de l’objet",
  "care.label": "Imprimer l’étiquette",
  "care.labelsBelow": "Avec celles de tous les emplacements inférieurs",
  "care.back": "Retour à la notice",
  "care.print": "Imprimer",
  "care.handedOver": "Remis : date, nom, signature",
  "care.received": "Reçu : date, nom, signature",
  "care.objects.one": "{count} objet",
  "care.objects.other": "{count} objets",
};
