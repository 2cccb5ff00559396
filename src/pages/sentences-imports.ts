/** What imports and their undoing say. */
export const IMPORT_SENTENCES = {
  // what is said of all rows
  "Dry run": { de: "Probelauf", fr: "Essai à blanc", en: "Test run" },
  "Import {id}": { de: "Import mit der Kennung {id}", fr: "Import d’identifiant {id}" },
  "Continuing import {id}": { de: "Import {id} wird fortgesetzt", fr: "Reprise de l’import {id}" },
  "{n} rows": { de: "{n} Zeilen", fr: "{n} lignes" },
  "{n} row": { de: "{n} Zeile", fr: "{n} ligne" },
  "{n} records": { de: "{n} Datensätze", fr: "{n} notices" },
  "{n} record": { de: "{n} Datensatz", fr: "{n} notice" },
  "Columns that the mapping does not use: {columns}": {
    de: "Nicht zugeordnete Spalten: {columns}",
    fr: "Colonnes non associées : {columns}",
    en: "Columns that are not imported: {columns}",
  },
  "The numbers in the file are ignored: the idno strategy auto gives each record a new number": {
    de: "Die Nummern der Datei werden nicht übernommen: Jeder Datensatz erhält eine neue.",
    fr: "Les numéros du fichier ne sont pas repris : chaque notice en reçoit un nouveau.",
  },
  'Without numbers and without a key, rows find their records only if exactly this file was imported before. Any other file creates new records, even for existing ones. Map a column to __idno__, or say "key": true in the mapping where a field tells the records apart':
    {
      de: "Keine Spalte enthält die Nummer, und keine ordnet die Zeilen den Datensätzen zu. Nur wenn genau diese Datei schon importiert wurde, werden ihre Datensätze erkannt; sonst entstehen neue, auch für vorhandene. Ordnen Sie eine Spalte der Nummer zu, oder wählen Sie die Spalte, über die Zeilen zugeordnet werden.",
      fr: "Aucune colonne ne contient le numéro, et aucune n’associe les lignes aux notices. Seules les notices d’un fichier identique déjà importé sont reconnues ; tout autre fichier crée de nouvelles notices, même pour des notices existantes. Associez une colonne au numéro, ou choisissez la colonne par laquelle associer les lignes.",
      en: "No column is the number, and none matches rows to records. Records are found again only if exactly this file was imported before; any other file creates new ones, even for existing records. Choose the number for one column, or the column by which rows are matched.",
    },
  "The file cannot be read to the end: {~why}": {
    de: "Die Datei lässt sich nicht bis zum Ende lesen: {why}",
    fr: "Le fichier ne peut pas être lu jusqu’à la fin : {why}",
  },
  "The rows before that are imported, as import {id}": {
    de: "Die Zeilen davor sind importiert.",
    fr: "Les lignes précédentes sont importées.",
    en: "The rows before that are imported.",
  },
  "{~why}. The rows before that are imported, as {id}: retry the job when they have it again, or undo the import":
    {
      de: "{why}. Die Zeilen davor sind importiert. Wiederholen Sie die Aufgabe, sobald die Berechtigung wieder besteht, oder machen Sie den Import rückgängig.",
      fr: "{why}. Les lignes précédentes sont importées. Relancez la tâche quand l’autorisation est rétablie, ou annulez l’import.",
    },
  "{~why}. What was undone so far stays undone: retry the job when they have it again": {
    de: "{why}. Was bis dahin rückgängig gemacht wurde, bleibt es. Wiederholen Sie die Aufgabe, sobald die Berechtigung wieder besteht.",
    fr: "{why}. Ce qui a été annulé jusque-là le reste. Relancez la tâche quand l’autorisation est rétablie.",
  },
  "This run has ended: the same import was started again and continues there": {
    de: "Derselbe Import wurde noch einmal gestartet und läuft dort weiter.",
    fr: "Le même import a été relancé et continue de son côté.",
  },
  "This import was undone, so it does not continue": {
    de: "Dieser Import wurde rückgängig gemacht und läuft deshalb nicht weiter.",
    fr: "Cet import a été annulé et ne continue donc pas.",
  },
  "This import is running elsewhere at the moment: wait until it ends, then repeat it": {
    de: "Dieser Import läuft gerade. Warten Sie, bis er beendet ist, und wiederholen Sie dies dann.",
    fr: "Cet import est en cours. Attendez qu’il se termine, puis recommencez.",
  },

  // rows
  "has no identification number in the column mapped to __idno__": {
    de: "hat keine Inventarnummer",
    fr: "n’a pas de numéro d’inventaire",
    en: "has no identification number",
  },
  'column "{column}": {~why}': { de: "Spalte „{column}“: {why}", fr: "Colonne « {column} » : {why}" },
  "{~why}; a transform can replace it": { de: "{why}", fr: "{why}", en: "{why}" },
  "takes too much work for one row: its text is too long for its transforms": {
    de: "ist zu lang, um umgeformt zu werden",
    fr: "est trop long pour être transformé",
  },
  "has no value for anything in the mapping": {
    de: "hat in keiner der zugeordneten Spalten einen Wert",
    fr: "n’a de valeur dans aucune des colonnes associées",
  },
  "is longer than {n} characters": { de: "ist länger als {n} Zeichen", fr: "dépasse {n} caractères" },
  "has {n} {cells}, the header has {header}": {
    de: "Die Zeile und die Kopfzeile haben nicht gleich viele Zellen ({n} und {header}).",
    fr: "La ligne et l’en-tête n’ont pas le même nombre de cellules ({n} et {header}).",
  },
  "it may be the rest of the broken row in line {line}": {
    de: "Sie ist vielleicht der Rest der beschädigten Zeile {line}.",
    fr: "C’est peut-être le reste de la ligne endommagée {line}.",
  },
  "has {n} cells, more than {most}; check the delimiter": {
    de: "Die Zeile hat {n} Zellen; höchstens {most} sind möglich. Stimmt das Trennzeichen?",
    fr: "La ligne a {n} cellules ; {most} au plus sont possibles. Le séparateur est-il juste ?",
  },
  "the row is longer than 1 MiB of text; a quote that is never closed may be the cause": {
    de: "Die Zeile ist länger als 1 MiB. Vielleicht wird ein Anführungszeichen nie geschlossen.",
    fr: "La ligne dépasse 1 Mio. Un guillemet n’est peut-être jamais fermé.",
  },
  "the quote that opens cell {n} is never closed": {
    de: "Das Anführungszeichen am Anfang der Zelle {n} wird nie geschlossen.",
    fr: "Le guillemet qui ouvre la cellule {n} n’est jamais fermé.",
  },
  "cell {n} goes on after its closing quote; a quote inside a quoted cell is written twice": {
    de: "Die Zelle {n} geht nach dem schließenden Anführungszeichen weiter. Verdoppeln Sie ein Anführungszeichen, das zum Text gehört.",
    fr: "La cellule {n} continue après le guillemet fermant. Doublez un guillemet qui fait partie du texte.",
  },
  "mend this row and delete this cell": {
    de: "Zeile verbessern und diese Zelle löschen",
    fr: "corriger cette ligne et supprimer cette cellule",
  },
  '"{value}" is not a valid {what}; the valid ones are {values}': {
    de: "„{value}“ ist hier nicht möglich. Möglich sind: {values}",
    fr: "« {value} » n’est pas possible ici. Valeurs possibles : {values}",
  },
  '"{value}" is not a decimal degree between -{low} and {most}': {
    de: "„{value}“ ist kein Dezimalgrad zwischen -{low} und {most}.",
    fr: "« {value} » n’est pas un degré décimal entre -{low} et {most}.",
  },
  '"{value}" is not a day such as 2026-01-31': {
    de: "„{value}“ ist kein Tag der Form 2026-01-31.",
    fr: "« {value} » n’est pas un jour de la forme 2026-01-31.",
  },
  '"{value}" is not understood as a date': {
    de: "„{value}“ wird nicht als Datum verstanden.",
    fr: "« {value} » n’est pas compris comme une date.",
  },
  "has only one of latitude and longitude": {
    de: "hat nur eines von Breite und Länge",
    fr: "n’a que l’une des deux, latitude ou longitude",
  },
  "gives {n} values, more than {most}": {
    de: "ergibt {n} Werte; höchstens {most} sind möglich",
    fr: "donne {n} valeurs ; {most} au plus sont possibles",
  },
  "gives {n} characters, more than {most}": {
    de: "ergibt {n} Zeichen; höchstens {most} sind möglich",
    fr: "donne {n} caractères ; {most} au plus sont possibles",
  },
  "gives {n} values ({values}) where there can be one": {
    de: "ergibt {n} Werte ({values}); nur einer ist möglich",
    fr: "donne {n} valeurs ({values}) ; une seule est possible",
  },
  'there is no {kind} "{value}", which it names': {
    de: "„{value}“ gibt es nicht.",
    fr: "« {value} » n’existe pas.",
    en: "“{value}” does not exist",
  },
  'there is no {kind} "{value}" to be its parent': {
    de: "Den übergeordneten Datensatz „{value}“ gibt es nicht.",
    fr: "La notice supérieure « {value} » n’existe pas.",
    en: "the parent “{value}” does not exist",
  },
  'there is no {kind} "{value}" to link': {
    de: "Den Datensatz „{value}“ gibt es nicht.",
    fr: "La notice « {value} » n’existe pas.",
  },
  "there is no {kind} {~which} to link": {
    de: "Den Datensatz {which} gibt es nicht.",
    fr: "La notice {which} n’existe pas.",
  },
  "of this key": { de: "mit diesen Angaben", fr: "avec ces données" },
  '"{value}" may be any of {count} {kinds} ({names} and {n} more)': {
    de: "„{value}“ ist nicht eindeutig. Gemeint sein können: {names} und {n} weitere",
    fr: "« {value} » n’est pas univoque. Il peut s’agir de : {names}, et {n} de plus",
  },
  '"{value}" may be any of {count} {kinds} ({names})': {
    de: "„{value}“ ist nicht eindeutig. Gemeint sein können: {names}",
    fr: "« {value} » n’est pas univoque. Il peut s’agir de : {names}",
  },
  'give the identification number instead, or decide with "if_several" or "authority" in the mapping': {
    de: "Schreiben Sie stattdessen die Nummer des Datensatzes.",
    fr: "Écrivez plutôt le numéro de la notice.",
    en: "give its number instead",
  },
  '{~why}; give its number, or another "key" before {field}': {
    de: "{why}; schreiben Sie die Nummer, oder ordnen Sie die Zeilen über eine andere Spalte zu.",
    fr: "{why} ; écrivez le numéro, ou associez les lignes par une autre colonne.",
  },
  "no {kind} can be made of {value}: {~why}": {
    de: "Aus {value} lässt sich kein Datensatz machen: {why}",
    fr: "Aucune notice ne peut être créée pour {value} : {why}",
  },
  "{who} may not create {kinds}": {
    de: "Ihre Rolle erlaubt nicht, solche Datensätze anzulegen",
    fr: "votre rôle ne permet pas de créer de telles notices",
  },
  "the row is imported without it; correct its record, because importing a row again that has no number and no key creates a second record":
    {
      de: "Die Zeile wird ohne diese Angabe importiert. Verbessern Sie ihren Datensatz: Noch einmal importiert, ergäbe die Zeile einen zweiten, denn sie hat weder Nummer noch Schlüssel.",
      fr: "La ligne est importée sans cette donnée. Corrigez sa notice : importée de nouveau, la ligne en créerait une seconde, car elle n’a ni numéro ni clé.",
    },
  "the row is imported without it; correct this and import the row again{how}": {
    de: "Die Zeile wird ohne diese Angabe importiert. Verbessern Sie sie und importieren Sie die Zeile noch einmal.",
    fr: "La ligne est importée sans cette donnée. Corrigez-la et importez la ligne de nouveau.",
  },

  // undoing
  "is in the trash": { de: "liegt im Papierkorb", fr: "est dans la corbeille" },
  "{~deed} since by {~who} ({day})": {
    de: "seither {deed} von {who} ({day})",
    fr: "{deed} depuis par {who} ({day})",
  },
  "somebody at the command line": {
    de: "jemandem an der Kommandozeile",
    fr: "quelqu’un en ligne de commande",
  },
  edited: { de: "bearbeitet", fr: "modifiée" },
  "link added": { de: "verknüpft", fr: "liée" },
  "published or unpublished": { de: "veröffentlicht oder zurückgezogen", fr: "publiée ou retirée" },
  "restored from the trash": { de: "aus dem Papierkorb geholt", fr: "sortie de la corbeille" },
  "restored to an older version": {
    de: "auf eine frühere Version gesetzt",
    fr: "ramenée à une version antérieure",
  },
  "link changed": { de: "in einer Verknüpfung geändert", fr: "modifiée dans un de ses liens" },
  "link removed": {
    de: "von einem anderen Datensatz gelöst",
    fr: "détachée d’une autre notice",
  },
  "file added": { de: "um eine Datei ergänzt", fr: "complétée par un fichier" },
  "file changed": {
    de: "in einer ihrer Dateien geändert",
    fr: "modifiée dans un de ses fichiers",
  },
  "file removed": { de: "um eine Datei verringert", fr: "privée d’un fichier" },
  "file restored": { de: "um eine entfernte Datei ergänzt", fr: "complétée par un fichier restauré" },
  "cannot be undone: {~why}": {
    de: "lässt sich nicht zurücksetzen: {why}",
    fr: "ne peut pas être rétablie : {why}",
  },
  "another record has the number {number} now": {
    de: "Die Nummer {number} hat jetzt ein anderer Datensatz.",
    fr: "le numéro {number} appartient maintenant à une autre notice.",
  },
  "{who} may not delete it": {
    de: "Ihre Rolle erlaubt nicht, ihn zu löschen",
    fr: "votre rôle ne permet pas de la supprimer",
  },
  "{number} is linked to it or lies below it, and stays": {
    de: "{number} ist damit verknüpft oder liegt darunter und bleibt",
    fr: "{number} y est liée ou se trouve dessous, et reste",
  },
};
