/** What is said of accounts, roles, keys and jobs. */
export const SYSTEM_SENTENCES = {
  // accounts and roles
  "An account with this address already exists": {
    de: "Ein Konto mit dieser Adresse gibt es schon.",
    fr: "Un compte avec cette adresse existe déjà.",
  },
  '"{address}" is not an e-mail address, for example jo@museum.example': {
    de: "„{address}“ ist keine E-Mail-Adresse.",
    fr: "« {address} » n’est pas une adresse électronique.",
  },
  "is not an e-mail address, for example jo@museum.example": {
    de: "ist keine E-Mail-Adresse",
    fr: "n’est pas une adresse électronique",
    en: "is not an e-mail address",
  },
  "is not the name of a role; GET /v1/roles lists them": {
    de: "ist keine Rolle",
    fr: "n’est pas un rôle",
    en: "is not a role",
  },
  "A role with this name already exists": {
    de: "Eine Rolle mit diesem Namen gibt es schon.",
    fr: "Un rôle de ce nom existe déjà.",
  },
  "needs read, because a write answers with the record": {
    de: "Wer schreiben darf, muss auch lesen dürfen.",
    fr: "Qui peut écrire doit aussi pouvoir lire.",
    en: "whoever may write must also be allowed to read",
  },
  "You cannot create the role {role}": {
    de: "Sie können die Rolle {role} nicht anlegen",
    fr: "Vous ne pouvez pas créer le rôle {role}",
  },
  "You cannot change the role {role} like this": {
    de: "Sie können die Rolle {role} nicht so ändern",
    fr: "Vous ne pouvez pas modifier ainsi le rôle {role}",
  },
  "You cannot change the role {role}": {
    de: "Sie können die Rolle {role} nicht ändern",
    fr: "Vous ne pouvez pas modifier le rôle {role}",
  },
  "You cannot give the role {role}": {
    de: "Sie können die Rolle {role} nicht vergeben",
    fr: "Vous ne pouvez pas donner le rôle {role}",
  },
  "You cannot change {account}": {
    de: "Sie können {account} nicht ändern",
    fr: "Vous ne pouvez pas modifier {account}",
  },
  "only a superuser can create, change or delete superusers": {
    de: "Nur ein superuser kann andere superuser anlegen, ändern oder löschen.",
    fr: "seul un superuser peut créer, modifier ou supprimer un superuser.",
  },
  "it has permissions that you do not have: {rights}": {
    de: "Dazu gehören Berechtigungen, die Sie nicht haben: {rights}",
    fr: "cela comprend des autorisations que vous n’avez pas : {rights}",
  },
  "it has permissions that you do not have: {rights} and {n} more": {
    de: "Dazu gehören Berechtigungen, die Sie nicht haben: {rights} und {n} weitere",
    fr: "cela comprend des autorisations que vous n’avez pas : {rights}, et {n} de plus",
  },
  "The role superuser permits everything and cannot be changed": {
    de: "Die Rolle superuser erlaubt alles und kann nicht geändert werden.",
    fr: "Le rôle superuser permet tout et ne peut pas être modifié.",
  },
  "create another role": { de: "Legen Sie eine andere Rolle an.", fr: "Créez un autre rôle." },
  "The role {role} cannot be deleted": {
    de: "Die Rolle {role} kann nicht gelöscht werden.",
    fr: "Le rôle {role} ne peut pas être supprimé.",
  },
  "The role {role} is used by {~accounts}; give them another role first (GET /v1/users?role={same})": {
    de: "Die Rolle {role} wird noch verwendet ({accounts}). Geben Sie diesen Konten zuerst eine andere.",
    fr: "Le rôle {role} est encore utilisé ({accounts}). Donnez d’abord un autre rôle à ces comptes.",
    en: "The role {role} is used by {accounts}; give them another role first",
  },
  "1 account": { de: "1 Konto", fr: "1 compte" },
  "{n} accounts": { de: "{n} Konten", fr: "{n} comptes" },
  "The role {role} is used by {~accounts}": {
    de: "Die Rolle {role} wird noch verwendet ({accounts}).",
    fr: "Le rôle {role} est encore utilisé ({accounts}).",
  },
  "Change your own password with POST /v1/auth/password": {
    de: "Ihr eigenes Passwort ändern Sie unter „Mein Konto“.",
    fr: "Changez votre propre mot de passe dans « Mon compte ».",
    en: "Change your own password under “My account”",
  },
  "{account} has changed records, and their history must still name the account; disable it instead": {
    de: "{account} hat Datensätze geändert, und deren Verlauf nennt das Konto. Sperren Sie es stattdessen.",
    fr: "{account} a modifié des notices, et leur historique nomme ce compte. Désactivez-le plutôt.",
  },
  "{account} is the last superuser who can sign in; make somebody else a superuser first": {
    de: "{account} ist der letzte superuser, der sich anmelden kann. Geben Sie die Rolle zuerst jemand anderem.",
    fr: "{account} est le dernier superuser qui peut se connecter. Donnez d’abord ce rôle à quelqu’un d’autre.",
  },
  "contains NUL or an unpaired surrogate, so it is not Unicode text": {
    de: "enthält ein unsichtbares Zeichen, das nicht möglich ist",
    fr: "contient un caractère invisible qui n’est pas possible",
  },
  "contains a NUL or half of a surrogate pair": {
    de: "enthält ein unsichtbares Zeichen, das nicht möglich ist",
    fr: "contient un caractère invisible qui n’est pas possible",
  },
  "contains a line break, a mark that changes the direction, another control character or half of a surrogate pair":
    {
      de: "enthält einen Zeilenumbruch oder ein unsichtbares Zeichen",
      fr: "contient un saut de ligne ou un caractère invisible",
    },

  // passwords and keys
  "is the same as the current password": {
    de: "ist dasselbe wie das bisherige",
    fr: "est identique à l’actuel",
  },
  "is not the password of this account": {
    de: "ist nicht das Passwort dieses Kontos",
    fr: "n’est pas le mot de passe de ce compte",
  },
  "is shorter than {n} characters": {
    de: "ist kürzer als {n} Zeichen",
    fr: "compte moins de {n} caractères",
  },
  "contains the first part of the e-mail address": {
    de: "enthält den ersten Teil der E-Mail-Adresse",
    fr: "contient la première partie de l’adresse électronique",
  },
  "only repeats a few characters": {
    de: "wiederholt nur wenige Zeichen",
    fr: "ne fait que répéter quelques caractères",
  },
  "is a very common password": {
    de: "ist ein sehr häufiges Passwort",
    fr: "est un mot de passe très courant",
  },
  "The account already has {n} keys: revoke an unused one": {
    de: "Sie haben schon {n} Schlüssel. Widerrufen Sie zuerst einen unbenutzten.",
    fr: "Vous avez déjà {n} clés. Révoquez d’abord une clé inutilisée.",
  },
  "The role of the account has just changed; check it and try again": {
    de: "Die Rolle des Kontos hat sich eben geändert. Prüfen Sie sie und versuchen Sie es noch einmal.",
    fr: "Le rôle du compte vient de changer. Vérifiez-le et réessayez.",
  },
  'the account does not have "{right}", only: {rights}': {
    de: "Ihr Konto hat die Berechtigung „{right}“ nicht.",
    fr: "Votre compte n’a pas l’autorisation « {right} ».",
  },
  "is in the past": { de: "liegt in der Vergangenheit", fr: "est dans le passé" },

  // what people keep: mappings, views, choices
  "There are {n} kept already: delete some first": {
    de: "Es sind schon {n} gespeichert. Löschen Sie zuerst einige.",
    fr: "Il y en a déjà {n} d’enregistrées. Supprimez-en d’abord quelques-unes.",
  },
  "There are {n} views already: delete some of them first": {
    de: "Es gibt schon {n} Ansichten. Löschen Sie zuerst einige.",
    fr: "Il y a déjà {n} vues. Supprimez-en d’abord quelques-unes.",
  },

  // jobs
  "The {what} that started this is no longer valid": {
    de: "Das Konto oder der Schlüssel, von dem dies ausging, ist nicht mehr gültig.",
    fr: "Le compte ou la clé à l’origine de cette tâche n’est plus valable.",
  },
  "The job is already {state}: there is nothing to cancel": {
    de: "Die Aufgabe ist schon beendet.",
    fr: "La tâche est déjà terminée.",
  },
  "The job is {state}: only a failed or cancelled job can be retried": {
    de: "Nur eine fehlgeschlagene oder abgebrochene Aufgabe lässt sich wiederholen.",
    fr: "Seule une tâche échouée ou annulée peut être relancée.",
  },
  "Another job for the same task is already waiting or running": {
    de: "Dieselbe Aufgabe wartet oder läuft schon.",
    fr: "Une tâche identique attend ou est déjà en cours.",
  },
  "Only shown to callers who may read records of the type {kinds}": {
    de: "Nur für Personen sichtbar, die solche Datensätze lesen dürfen.",
    fr: "Visible seulement pour les personnes qui peuvent lire de telles notices.",
    en: "Only shown to people who may read such records",
  },
  "The service stopped during this import. POST /v1/jobs/{id}/retry (or svc-manage jobs retry {same}) continues it.":
    {
      de: "Der Dienst wurde während dieses Imports beendet. „Noch einmal versuchen“ setzt ihn fort.",
      fr: "Le service s’est arrêté pendant cet import. « Réessayer » le reprend.",
      en: "The service stopped during this import. “Try again” continues it.",
    },
  "Its process died during attempt {n}, the last one": {
    de: "Der Dienst wurde beim letzten Versuch (Nummer {n}) beendet.",
    fr: "Le service s’est arrêté pendant le dernier essai (numéro {n}).",
  },
  "It was stopped because {~why}": {
    de: "Die Aufgabe wurde angehalten: {why}",
    fr: "La tâche a été arrêtée : {why}",
  },
  "it reported nothing for too long": {
    de: "Sie hat zu lange nichts gemeldet.",
    fr: "elle n’a rien signalé pendant trop longtemps.",
  },
  "it was stopped": { de: "Die Aufgabe wurde angehalten.", fr: "La tâche a été arrêtée." },
  "Something went wrong{code}; the log has details under the id of this job": {
    de: "Etwas ist schiefgegangen{code}. Einzelheiten stehen im Protokoll des Dienstes, unter der Nummer dieser Aufgabe.",
    fr: "Une erreur s’est produite{code}. Le journal du service donne les détails, sous le numéro de cette tâche.",
  },
  "Dumps are turned off (DUMPS_ENABLED=false)": {
    de: "Die Dateien der öffentlichen Daten sind ausgeschaltet (DUMPS_ENABLED=false).",
    fr: "Les fichiers des données publiques sont désactivés (DUMPS_ENABLED=false).",
  },
  "ARK_ENABLED is false: no ARKs are minted here": {
    de: "ARKs sind ausgeschaltet (ARK_ENABLED=false).",
    fr: "Les ARK sont désactivés (ARK_ENABLED=false).",
  },
  '"{what}" is not enabled, so there is nothing to rebuild': {
    de: "„{what}“ ist ausgeschaltet; es gibt nichts neu aufzubauen.",
    fr: "« {what} » est désactivé ; il n’y a rien à reconstruire.",
  },
  "The triple store is off": {
    de: "Der Linked-Data-Speicher ist ausgeschaltet.",
    fr: "L’entrepôt de données liées est désactivé.",
  },
};
