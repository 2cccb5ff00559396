/** What is said of backups and of the parts of the service. */
export const HEALTH_SENTENCES = {
  // backups
  "Backups are off: BACKUP_ENABLED=false": {
    de: "Sicherungen sind ausgeschaltet (BACKUP_ENABLED=false).",
    fr: "Les sauvegardes sont désactivées (BACKUP_ENABLED=false).",
  },
  "The backup {file} no longer exists": {
    de: "Die Sicherung {file} gibt es nicht mehr.",
    fr: "La sauvegarde {file} n’existe plus.",
  },
  "{~why}. No backup was made": {
    de: "{why}. Es wurde keine Sicherung gemacht.",
    fr: "{why}. Aucune sauvegarde n’a été faite.",
  },
  "The backup cannot be written to {place}: {~why}. No incomplete file is left there": {
    de: "Die Sicherung kann nicht nach {place} geschrieben werden: {why}. Unvollständige Dateien bleiben dort nicht zurück.",
    fr: "La sauvegarde ne peut pas être écrite dans {place} : {why}. Aucun fichier incomplet n’y reste.",
  },
  "{file} is incomplete or was changed: its SHA-256 does not match {sum}. Use another backup; nothing was changed":
    {
      de: "{file} ist unvollständig oder wurde verändert: Die Prüfsumme stimmt nicht. Verwenden Sie eine andere Sicherung.",
      fr: "{file} est incomplet ou a été modifié : la somme de contrôle ne correspond pas. Utilisez une autre sauvegarde.",
    },
  "{file} is incomplete or damaged ({~why}). Use another backup; nothing was changed": {
    de: "{file} ist unvollständig oder beschädigt ({why}). Verwenden Sie eine andere Sicherung.",
    fr: "{file} est incomplet ou endommagé ({why}). Utilisez une autre sauvegarde.",
  },
  "The backup is damaged: {table} has {n} of {all} rows. Use another one; nothing was changed": {
    de: "Die Sicherung ist beschädigt: {table} hat {n} von {all} Zeilen. Verwenden Sie eine andere.",
    fr: "La sauvegarde est endommagée : {table} a {n} lignes sur {all}. Utilisez-en une autre.",
  },
  "The rows of {table} differ from the backup's checksum. Use another backup; nothing was changed": {
    de: "Die Zeilen von {table} passen nicht zur Prüfsumme. Verwenden Sie eine andere Sicherung.",
    fr: "Les lignes de {table} ne correspondent pas à la somme de contrôle. Utilisez une autre sauvegarde.",
  },
  "The backup is incomplete: its end is missing. Use another one; nothing was changed": {
    de: "Die Sicherung ist unvollständig: Ihr Ende fehlt. Verwenden Sie eine andere.",
    fr: "La sauvegarde est incomplète : sa fin manque. Utilisez-en une autre.",
  },

  // parts of the service, on the first page
  "the disk is full": { de: "der Datenträger ist voll", fr: "le disque est plein" },
  "the quota of this user is used up": { de: "das Kontingent ist aufgebraucht", fr: "le quota est épuisé" },
  "the disk is read-only": {
    de: "der Datenträger ist schreibgeschützt",
    fr: "le disque est en lecture seule",
  },
  "permission denied": { de: "die Berechtigung fehlt", fr: "permission refusée" },
  "the disk does not read or write (input/output error)": {
    de: "der Datenträger liest oder schreibt nicht (Ein-/Ausgabefehler)",
    fr: "le disque ne lit ou n’écrit pas (erreur d’entrée/sortie)",
  },
  "the directory is gone": { de: "das Verzeichnis fehlt", fr: "le répertoire a disparu" },
  "the file would be too large for this disk": {
    de: "die Datei wäre zu groß für diesen Datenträger",
    fr: "le fichier serait trop grand pour ce disque",
  },
  "refuses connections": { de: "nimmt keine Verbindungen an", fr: "refuse les connexions" },
  "its host name is unknown": {
    de: "der Name des Servers ist unbekannt",
    fr: "le nom du serveur est inconnu",
  },
  "cannot be reached": { de: "ist nicht erreichbar", fr: "est injoignable" },
  "the connection was lost": { de: "die Verbindung ging verloren", fr: "la connexion a été perdue" },
  "the connection is closed": { de: "die Verbindung ist geschlossen", fr: "la connexion est fermée" },
  "refuses the credentials": { de: "lehnt die Zugangsdaten ab", fr: "refuse les identifiants" },
  "there is no such database": {
    de: "diese Datenbank gibt es nicht",
    fr: "cette base de données n’existe pas",
  },
  "tables are missing: run the migration": {
    de: "Tabellen fehlen: Die Migration ist auszuführen.",
    fr: "des tables manquent : la migration est à exécuter",
  },
  "has no connection to spare": { de: "hat keine Verbindung frei", fr: "n’a plus de connexion libre" },
  "is read-only": { de: "ist schreibgeschützt", fr: "est en lecture seule" },
  "no space is left": { de: "der Speicherplatz ist erschöpft", fr: "il n’y a plus d’espace" },
  "is shutting down": { de: "wird beendet", fr: "est en cours d’arrêt" },
  "is starting": { de: "startet gerade", fr: "est en cours de démarrage" },
  "the bucket does not exist": { de: "den Bucket gibt es nicht", fr: "le bucket n’existe pas" },
  "the bucket is in another region": {
    de: "der Bucket liegt in einer anderen Region",
    fr: "le bucket est dans une autre région",
  },
  "its certificate is not trusted": {
    de: "dem Zertifikat wird nicht vertraut",
    fr: "son certificat n’est pas reconnu",
  },
  "the directory cannot be written": {
    de: "in das Verzeichnis kann nicht geschrieben werden",
    fr: "le répertoire ne peut pas être écrit",
  },
  "the directory is missing": { de: "das Verzeichnis fehlt", fr: "le répertoire manque" },
  "no answer in time": { de: "keine Antwort in der vorgesehenen Zeit", fr: "pas de réponse à temps" },
  "no answer within {n} ms": { de: "keine Antwort innerhalb von {n} ms", fr: "pas de réponse en {n} ms" },
  "failed; the log says why": {
    de: "fehlgeschlagen; das Protokoll des Dienstes nennt den Grund",
    fr: "a échoué ; le journal du service dit pourquoi",
  },
  "failed ({code})": { de: "fehlgeschlagen ({code})", fr: "a échoué ({code})" },
  "The database cannot be reached at the moment": {
    de: "Die Datenbank ist im Moment nicht erreichbar.",
    fr: "La base de données est injoignable pour le moment.",
  },
  "The disk of the service is full or read-only at the moment": {
    de: "Die Festplatte des Dienstes ist im Moment voll oder schreibgeschützt.",
    fr: "Le disque du service est plein ou en lecture seule pour le moment.",
  },
  "The database cannot work at the moment. {~why}": {
    de: "Die Datenbank kann im Moment nicht arbeiten. {why}",
    fr: "La base de données ne peut pas travailler pour le moment. {why}",
  },
  "Its disk is full": { de: "Ihr Datenträger ist voll.", fr: "Son disque est plein." },
  "The log of the service says why": {
    de: "Das Protokoll des Dienstes nennt den Grund.",
    fr: "Le journal du service en donne la raison.",
  },
  "waits for the database": { de: "wartet auf die Datenbank", fr: "attend la base de données" },
  "no worker has been seen yet": { de: "noch nie gesehen", fr: "jamais vu jusqu’ici" },
  "the worker was last seen {n} seconds ago": {
    de: "zuletzt vor {n} Sekunden gesehen",
    fr: "vu pour la dernière fois il y a {n} secondes",
  },
  "the clock was set back, and no worker has been seen since": {
    de: "die Uhr wurde zurückgestellt; seither nicht gesehen",
    fr: "l’horloge a été reculée ; pas vu depuis",
  },
};
