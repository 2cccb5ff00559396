/** What is said of files: lists to import, pictures and other media. */
export const FILE_SENTENCES = {
  // the file
  "{file} is empty": { de: "{file} ist leer.", fr: "{file} est vide." },
  "The file is empty: it has no header row.": {
    de: "Die Datei ist leer: Es fehlt die Kopfzeile mit den Namen der Spalten.",
    fr: "Le fichier est vide : la ligne d’en-tête avec les noms des colonnes manque.",
  },
  "The header row (line {line}) is broken: {~fault}.": {
    de: "Die Kopfzeile (Zeile {line}) ist beschädigt: {fault}.",
    fr: "La ligne d’en-tête (ligne {line}) est endommagée : {fault}.",
  },
  "The header has {n} cells, more than {most}: is the delimiter right?": {
    de: "Die Kopfzeile hat {n} Zellen; höchstens {most} sind möglich. Stimmt das Trennzeichen?",
    fr: "La ligne d’en-tête a {n} cellules ; {most} au plus sont possibles. Le séparateur est-il juste ?",
  },
  'Column {column} of the header is named "{name}", as column {other} is: rename one.': {
    de: "Die Spalten {other} und {column} heißen beide „{name}“. Benennen Sie eine um.",
    fr: "Les colonnes {other} et {column} s’appellent toutes deux « {name} ». Renommez-en une.",
    en: "Columns {other} and {column} are both named “{name}”. Rename one.",
  },
  "this is not text": {
    de: "Dies ist keine Textdatei. Speichern Sie die Tabelle als CSV (UTF-8).",
    fr: "Ce n’est pas un fichier texte. Enregistrez le tableau en CSV (UTF-8).",
  },
  "This is a ZIP archive, as an Excel or OpenDocument workbook is: save the sheet as CSV UTF-8 first.": {
    de: "Dies ist eine Arbeitsmappe (Excel, OpenDocument) oder ein ZIP-Archiv. Speichern Sie die Tabelle als CSV (UTF-8).",
    fr: "C’est un classeur (Excel, OpenDocument) ou une archive ZIP. Enregistrez la feuille en CSV (UTF-8).",
  },
  "This is an old Excel or Office file: save the sheet as CSV UTF-8 first.": {
    de: "Dies ist eine alte Excel- oder Office-Datei. Speichern Sie die Tabelle als CSV (UTF-8).",
    fr: "C’est un ancien fichier Excel ou Office. Enregistrez la feuille en CSV (UTF-8).",
  },
  "This is a PNG image, not a table of text.": {
    de: "Dies ist ein PNG-Bild, keine Tabelle.",
    fr: "C’est une image PNG, pas un tableau.",
  },
  "This is a JPEG image, not a table of text.": {
    de: "Dies ist ein JPEG-Bild, keine Tabelle.",
    fr: "C’est une image JPEG, pas un tableau.",
  },
  "This is a PDF document, not a table of text.": {
    de: "Dies ist ein PDF-Dokument, keine Tabelle.",
    fr: "C’est un document PDF, pas un tableau.",
  },
  "This is a gzip archive: unpack it first.": {
    de: "Dies ist ein gzip-Archiv. Entpacken Sie es zuerst.",
    fr: "C’est une archive gzip. Décompressez-la d’abord.",
  },
  "This is UTF-32 text: save it as UTF-8 first.": {
    de: "Dies ist Text in UTF-32. Speichern Sie die Tabelle als CSV (UTF-8).",
    fr: "C’est un texte en UTF-32. Enregistrez le tableau en CSV (UTF-8).",
  },
  "This holds bytes that do not occur in text: it is not a CSV file, or it is damaged.": {
    de: "Die Datei enthält Bytes, die in Text nicht vorkommen. Sie ist keine CSV-Datei oder beschädigt.",
    fr: "Le fichier contient des octets absents des textes. Ce n’est pas un fichier CSV, ou il est endommagé.",
  },
  "The file is {encoding} except for {~place}, the byte {byte} (number {n}). Correct {it}.": {
    de: "Die Datei ist in {encoding} gespeichert, aber nicht durchgehend: {place} (Byte {byte}, Nummer {n}). Verbessern Sie diese Stelle.",
    fr: "Le fichier est en {encoding}, mais pas partout : {place} (octet {byte}, numéro {n}). Corrigez cet endroit.",
  },
  "The file is not {encoding} text: {~place}, the byte {byte} (number {n}). Correct it, or name the file's encoding.":
    {
      de: "Die Datei ist nicht in {encoding} gespeichert: {place} (Byte {byte}, Nummer {n}). Speichern Sie die Tabelle als CSV (UTF-8).",
      fr: "Le fichier n’est pas en {encoding} : {place} (octet {byte}, numéro {n}). Enregistrez le tableau en CSV (UTF-8).",
    },
  "line {line}, column {column}": {
    de: "Zeile {line}, Zeichen {column}",
    fr: "ligne {line}, caractère {column}",
  },
  "{n} places, the first in {~place}": {
    de: "an {n} Stellen, zuerst {place}",
    fr: "à {n} endroits, d’abord {place}",
  },
  "The file is not UTF-8; it is read as windows-1252, which is a guess. Look at its accents: where all are wrong, name the encoding (macintosh, say)":
    {
      de: "Die Datei ist nicht UTF-8; sie wird als Windows-1252 gelesen. Prüfen Sie Umlaute und Akzente: Sind alle falsch, speichern Sie die Tabelle als CSV (UTF-8).",
      fr: "Le fichier n’est pas en UTF-8 ; il est lu en Windows-1252. Vérifiez les accents : s’ils sont tous faux, enregistrez le tableau en CSV (UTF-8).",
      en: "The file is not UTF-8; it is read as Windows-1252. Look at its accents: if all are wrong, save the table as CSV (UTF-8).",
    },
  "The mapping is empty: it maps no column.": {
    de: "Noch ist keine Spalte einem Feld zugeordnet. Wählen Sie mindestens eines.",
    fr: "Aucune colonne n’est encore associée à un champ. Choisissez-en au moins un.",
    en: "No column has a meaning yet. Choose at least one.",
  },
  "storage locations are never public: import them without publishing": {
    de: "Standorte sind nie öffentlich: Importieren Sie sie, ohne zu veröffentlichen.",
    fr: "Les emplacements ne sont jamais publics : importez-les sans les publier.",
  },
  '{kinds} have no field "{field}"{hint}': {
    de: "Das Feld „{field}“ gibt es hier nicht.",
    fr: "Le champ « {field} » n’existe pas ici.",
  },
  "the upsert strategy link needs a column that is mapped to __idno__, or a key": {
    de: "Um Verknüpfungen zu ergänzen, muss eine Spalte der Nummer zugeordnet sein.",
    fr: "Pour ajouter des liens, une colonne doit être associée au numéro.",
    en: "To add links, one column must be the number.",
  },
  "is not written by the upsert strategy link, which writes links only": {
    de: "wird nicht übernommen, weil nur Verknüpfungen ergänzt werden. Importieren Sie diese Spalte nicht.",
    fr: "n’est pas repris, car seuls des liens sont ajoutés. N’importez pas cette colonne.",
    en: "is not imported, because only links are added. Do not import this column.",
  },

  // pictures and files
  "The request body is larger than {size}": {
    de: "Die Datei ist größer als {size}.",
    fr: "Le fichier dépasse {size}.",
    en: "The file is larger than {size}.",
  },
  "The file is empty": { de: "Die Datei ist leer.", fr: "Le fichier est vide." },
  "{~what}The content must be one of these types: {types}": {
    de: "Dieser Dateityp ist nicht möglich. {what}Möglich sind: {types}",
    fr: "Ce type de fichier n’est pas possible. {what}Types possibles : {types}",
  },
  "This is an SVG drawing, which can contain scripts; send it as PNG or PDF. ": {
    de: "Eine SVG-Zeichnung kann Skripte enthalten: Speichern Sie sie als PNG oder PDF. ",
    fr: "Un dessin SVG peut contenir des scripts : enregistrez-le en PNG ou en PDF. ",
  },
  "This is an HTML page, which can contain scripts. ": {
    de: "Eine HTML-Seite kann Skripte enthalten. ",
    fr: "Une page HTML peut contenir des scripts. ",
  },
  "This is an HEIC picture, which is not supported; save it as JPEG, TIFF or AVIF. ": {
    de: "Dies ist ein HEIC-Bild: Speichern Sie es als JPEG, TIFF oder AVIF. ",
    fr: "C’est une image HEIC : enregistrez-la en JPEG, TIFF ou AVIF. ",
  },
  "This is a JPEG 2000 picture, which is not supported; save it as TIFF, JPEG or PNG. ": {
    de: "Dies ist ein JPEG-2000-Bild: Speichern Sie es als TIFF, JPEG oder PNG. ",
    fr: "C’est une image JPEG 2000 : enregistrez-la en TIFF, JPEG ou PNG. ",
  },
  "The file is broken: its parts are not where it says. Save it again and upload that": {
    de: "Die Datei ist beschädigt. Speichern Sie sie noch einmal und laden Sie diese hoch.",
    fr: "Le fichier est endommagé. Enregistrez-le de nouveau et envoyez-le.",
  },
  "{number} already has this file, but you may not see it": {
    de: "{number} hat diese Datei schon, aber Sie dürfen sie nicht sehen.",
    fr: "{number} a déjà ce fichier, mais vous ne pouvez pas le voir.",
  },
  "{number} already has this file: {file}, at {address}": {
    de: "{number} hat diese Datei schon: {file}",
    fr: "{number} a déjà ce fichier : {file}",
    en: "{number} already has this file: {file}",
  },
  "An object has one primary medium: make another one the primary instead": {
    de: "Ein Objekt hat genau ein Hauptbild. Wählen Sie stattdessen ein anderes Bild als Hauptbild.",
    fr: "Un objet a exactement une image principale. Choisissez plutôt une autre image comme image principale.",
  },
  "The file is broken, or not a supported picture: JPEG, PNG, TIFF, WebP, GIF and AVIF are supported": {
    de: "Die Datei ist beschädigt oder kein mögliches Bild. Möglich sind JPEG, PNG, TIFF, WebP, GIF und AVIF.",
    fr: "Le fichier est endommagé, ou n’est pas une image possible : JPEG, PNG, TIFF, WebP, GIF et AVIF sont possibles.",
  },
  "The picture is incomplete: upload it again, or save it again and upload that": {
    de: "Das Bild ist unvollständig. Laden Sie es noch einmal hoch, oder speichern Sie es neu und laden Sie diese Datei hoch.",
    fr: "L’image est incomplète. Envoyez-la de nouveau, ou enregistrez-la à nouveau et envoyez ce fichier.",
  },
  "HEIC pictures (HEVC) are not supported: save the picture as JPEG, TIFF or AVIF": {
    de: "Dies ist ein HEIC-Bild: Speichern Sie es als JPEG, TIFF oder AVIF.",
    fr: "C’est une image HEIC : enregistrez-la en JPEG, TIFF ou AVIF.",
  },
  "Pictures with 32-bit, signed or floating-point values are not supported: save them with 8 or 16 bits per channel":
    {
      de: "Das Bild hat Werte mit 32 Bit, Vorzeichen oder Kommastellen. Speichern Sie es mit 8 oder 16 Bit je Kanal.",
      fr: "L’image a des valeurs de 32 bits, signées ou à virgule. Enregistrez-la avec 8 ou 16 bits par canal.",
    },
  "Pictures with more than 200 million pixels must not be progressive JPEG, interlaced PNG, WebP, GIF or AVIF, or have an EXIF orientation: save it upright as TIFF, or as plain JPEG or PNG":
    {
      de: "Das Bild hat mehr als 200 Millionen Pixel. Speichern Sie es aufrecht als TIFF, oder als JPEG (nicht progressiv) oder PNG (ohne Interlacing).",
      fr: "L’image compte plus de 200 millions de pixels. Enregistrez-la à l’endroit en TIFF, ou en JPEG (non progressif) ou PNG (non entrelacé).",
    },
  "The picture has {n} pixels, but MEDIA_MAX_PIXELS allows {most}: make it smaller": {
    de: "Das Bild hat {n} Pixel; höchstens {most} sind möglich. Verkleinern Sie es.",
    fr: "L’image compte {n} pixels ; {most} au plus sont possibles. Réduisez-la.",
    en: "The picture has {n} pixels; at most {most} are possible. Make it smaller.",
  },
  "The picture cannot be decoded completely: upload it again, or save it again and upload that": {
    de: "Das Bild lässt sich nicht vollständig lesen. Laden Sie es noch einmal hoch, oder speichern Sie es neu und laden Sie diese Datei hoch.",
    fr: "L’image ne peut pas être lue en entier. Envoyez-la de nouveau, ou enregistrez-la à nouveau et envoyez ce fichier.",
  },
  "The service crashed {n} times while reading this picture: upload a smaller one, or save it again and upload that":
    {
      de: "Beim Lesen dieses Bildes ist der Dienst {n}-mal abgestürzt. Laden Sie ein kleineres hoch, oder speichern Sie es neu und laden Sie diese Datei hoch.",
      fr: "Le service s’est arrêté {n} fois en lisant cette image. Envoyez-en une plus petite, ou enregistrez-la à nouveau et envoyez ce fichier.",
    },
};
