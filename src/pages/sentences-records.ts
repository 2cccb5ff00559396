/** What the rules of records say. */
export const RECORD_SENTENCES = {
  // values of fields
  "{word} is required for publication": {
    de: "ist vor dem Veröffentlichen auszufüllen",
    fr: "doit être renseigné avant la publication",
    en: "is required before publishing",
  },
  "{kind} has no field {field}": {
    de: "Ein Feld {field} gibt es hier nicht.",
    fr: "Il n’y a pas de champ {field} ici.",
  },
  "more than {most} entries": {
    de: "nimmt höchstens {most} Werte auf",
    fr: "accepte au plus {most} valeurs",
  },
  "{word} is not repeatable: one entry per language": {
    de: "nimmt einen Wert je Sprache auf",
    fr: "n’accepte qu’une valeur par langue",
    en: "takes one value for each language",
  },
  "{word} is not repeatable: one entry": {
    de: "nimmt nur einen Wert auf",
    fr: "n’accepte qu’une valeur",
    en: "takes one value only",
  },
  "has {n} characters, the limit is {most}": {
    de: "hat {n} Zeichen; höchstens {most} sind möglich",
    fr: "compte {n} caractères ; {most} au plus sont possibles",
    en: "has {n} characters; at most {most} are possible",
  },
  "is empty; leave the entry out": {
    de: "ist leer: Entfernen Sie den Eintrag oder füllen Sie ihn aus",
    fr: "est vide : retirez la valeur ou remplissez-la",
    en: "is empty: remove the entry or fill it in",
  },
  '"{value}" is not a language tag (BCP 47), for example en or pt-BR': {
    de: "„{value}“ ist kein Sprachcode. Schreiben Sie zum Beispiel en, de oder pt-BR.",
    fr: "« {value} » n’est pas un code de langue. Écrivez par exemple en, de ou pt-BR.",
    en: "“{value}” is not a language code. Use for example en, de or pt-BR.",
  },
  '"{value}" is not an EDTF date, for example 1920, 1920-05, 1920~, 192X, 1900/1910': {
    de: "„{value}“ ist kein EDTF-Datum. Schreiben Sie zum Beispiel 1887, 1887~ (um), 188X oder 1880/1890.",
    fr: "« {value} » n’est pas une date EDTF. Écrivez par exemple 1887, 1887~ (vers), 188X ou 1880/1890.",
    en: "“{value}” is not a date in EDTF. Use for example 1887, 1887~ (about), 188X or 1880/1890.",
  },
  '"{value}" is not an EDTF date; did you mean {date}?': {
    de: "„{value}“ ist kein EDTF-Datum. Meinten Sie {date}?",
    fr: "« {value} » n’est pas une date EDTF. Vouliez-vous dire {date} ?",
    en: "“{value}” is not a date in EDTF. Did you mean {date}?",
  },
  '"{value}" is not an EDTF date; did you mean {date} or {other}?': {
    de: "„{value}“ ist kein EDTF-Datum. Meinten Sie {date} oder {other}?",
    fr: "« {value} » n’est pas une date EDTF. Vouliez-vous dire {date} ou {other} ?",
    en: "“{value}” is not a date in EDTF. Did you mean {date} or {other}?",
  },
  '"{value}" is not a decimal number': {
    de: "„{value}“ ist keine Zahl. Schreiben Sie Dezimalzahlen mit Punkt, zum Beispiel 12.5.",
    fr: "« {value} » n’est pas un nombre. Écrivez les décimales avec un point, par exemple 12.5.",
    en: "“{value}” is not a number. Use a point for decimals, for example 12.5.",
  },
  '"{value}" is neither true nor false': {
    de: "„{value}“ ist weder true noch false.",
    fr: "« {value} » n’est ni true ni false.",
  },
  '"{value}" is not an http or https address': {
    de: "„{value}“ ist keine Webadresse. Sie beginnt mit https:// oder http://.",
    fr: "« {value} » n’est pas une adresse web. Elle commence par https:// ou http://.",
    en: "“{value}” is not a web address. It begins with https:// or http://.",
  },
  '"{value}" is not a "latitude,longitude" in decimal degrees': {
    de: "„{value}“ ist kein Punkt. Schreiben Sie Dezimalgrade: Breite,Länge.",
    fr: "« {value} » n’est pas un point. Écrivez des degrés décimaux : latitude,longitude.",
    en: "“{value}” is not a point. Use decimal degrees: latitude,longitude.",
  },
  '"{value}" is not a record id (UUID)': {
    de: "„{value}“ ist kein Datensatz. Wählen Sie einen aus der Liste.",
    fr: "« {value} » n’est pas une notice. Choisissez-en une dans la liste.",
    en: "“{value}” is not a record. Choose one from the list.",
  },
  '"{value}" is not a term of the vocabulary {vocabulary}': {
    de: "„{value}“ ist kein Begriff des Vokabulars {vocabulary}.",
    fr: "« {value} » n’est pas un terme du vocabulaire {vocabulary}.",
    en: "“{value}” is not a term of the vocabulary {vocabulary}.",
  },
  '"{value}" is neither a valid {~authority}, for example {example}, nor an http or https address': {
    de: "„{value}“ ist weder eine gültige Kennung ({authority}, zum Beispiel {example}) noch eine Webadresse.",
    fr: "« {value} » n’est ni un identifiant valable ({authority}, par exemple {example}) ni une adresse web.",
  },
  "GND number": { de: "GND-Nummer", fr: "numéro GND" },
  "GeoNames number": { de: "GeoNames-Nummer", fr: "numéro GeoNames" },
  "TGN number": { de: "TGN-Nummer", fr: "numéro TGN" },
  "ULAN number": { de: "ULAN-Nummer", fr: "numéro ULAN" },
  "VIAF number": { de: "VIAF-Nummer", fr: "numéro VIAF" },
  "Wikidata item": { de: "Wikidata-Objekt", fr: "élément Wikidata" },
  '"{value}" is neither an http or https address nor an identifier with its scheme, for example isil:DE-1': {
    de: "„{value}“ ist weder eine Webadresse noch eine Kennung mit ihrem Schema, zum Beispiel isil:DE-1.",
    fr: "« {value} » n’est ni une adresse web ni un identifiant avec son schéma, par exemple isil:DE-1.",
  },
  "contains {code} as character {n}, which XML cannot contain": {
    de: "enthält als Zeichen {n} ein Steuerzeichen ({code}), das nicht möglich ist",
    fr: "contient, au caractère {n}, un caractère de commande ({code}) qui n’est pas possible",
  },
  "contains {code} as character {n}, which is invisible": {
    de: "enthält als Zeichen {n} ein unsichtbares Zeichen ({code})",
    fr: "contient, au caractère {n}, un caractère invisible ({code})",
  },
  "has more than {most} marks on one letter, from {code} as character {n} on": {
    de: "hat ab Zeichen {n} mehr als {most} Akzente auf einem Buchstaben",
    fr: "compte, à partir du caractère {n}, plus de {most} signes sur une lettre",
  },

  // the record itself
  '"{number}" is already the number of another {kind}': {
    de: "Die Nummer {number} ist schon vergeben.",
    fr: "Le numéro {number} est déjà utilisé.",
    en: "The number {number} is already in use.",
  },
  "Another record of this type already has this identification number": {
    de: "Diese Nummer ist schon vergeben.",
    fr: "Ce numéro est déjà utilisé.",
    en: "This number is already in use.",
  },
  "This number is already taken by another {kind}": {
    de: "Diese Nummer ist schon vergeben.",
    fr: "Ce numéro est déjà utilisé.",
    en: "This number is already in use.",
  },
  '"{value}" is not a valid {type}; choose one of: {types}': {
    de: "„{value}“ ist hier nicht möglich. Möglich sind: {types}",
    fr: "« {value} » n’est pas possible ici. Valeurs possibles : {types}",
    en: "“{value}” is not possible here; possible: {types}",
  },
  "{kind} needs a {type}, one of: {types}": {
    de: "Der Typ fehlt. Möglich sind: {types}",
    fr: "Le type manque. Valeurs possibles : {types}",
  },
  "a storage location is never public": {
    de: "Standorte sind nie öffentlich.",
    fr: "Les emplacements ne sont jamais publics.",
    en: "Storage locations are never public.",
  },
  "lat and lon go together": {
    de: "Breite und Länge gehören zusammen.",
    fr: "La latitude et la longitude vont ensemble.",
    en: "Latitude and longitude belong together.",
  },
  "is before start_date": {
    de: "Das Ende liegt vor dem Beginn.",
    fr: "La fin précède le début.",
    en: "The end is before the start.",
  },
  "is before start_date, so the loan would be due before it begins": {
    de: "Die Frist endet vor dem Beginn.",
    fr: "L’échéance précède le début.",
    en: "The due date is before the start.",
  },
  "the object is already at {place}": {
    de: "Das Objekt ist schon an diesem Standort: {place}.",
    fr: "L’objet se trouve déjà à cet emplacement : {place}.",
    en: "The object is already at this location: {place}.",
  },
  "is before the year 0001": { de: "liegt vor dem Jahr 0001", fr: "est antérieur à l’an 0001" },
  "is not public; changing it needs records:read for {kind}": {
    de: "ist nicht öffentlich; Ihre Rolle erlaubt nicht, es zu ändern",
    fr: "n’est pas public ; votre rôle ne permet pas de le modifier",
  },
  "there is no {kind} with this id": {
    de: "Diesen Datensatz gibt es nicht (mehr).",
    fr: "Cette notice n’existe pas (ou plus).",
  },
  "would make a circle: the parent is below this record": {
    de: "Der übergeordnete Datensatz liegt unter diesem: Die Hierarchie wäre ein Kreis.",
    fr: "La notice supérieure se trouve sous celle-ci : la hiérarchie formerait un cercle.",
    en: "The parent is below this record: the hierarchy would be a circle.",
  },
  "{number} {found}: read it again and repeat your change": {
    de: "{number} wurde inzwischen von jemand anderem geändert. Laden Sie die Seite neu und wiederholen Sie Ihre Änderung.",
    fr: "{number} a été modifié entre-temps par quelqu’un d’autre. Rechargez la page et refaites votre modification.",
    en: "{number} was changed by somebody else. Load the page again and repeat your change.",
  },
  "The form does not say which version of the record it changes: load the page again": {
    de: "Das Formular ist unvollständig angekommen. Laden Sie die Seite neu.",
    fr: "Le formulaire est arrivé incomplet. Rechargez la page.",
  },

  // links
  "a record has no relation to itself": {
    de: "Ein Datensatz kann nicht mit sich selbst verknüpft sein.",
    fr: "Une notice ne peut pas être liée à elle-même.",
    en: "A record cannot be linked to itself.",
  },
  "A record has no relation to itself": {
    de: "Ein Datensatz kann nicht mit sich selbst verknüpft sein.",
    fr: "Une notice ne peut pas être liée à elle-même.",
    en: "A record cannot be linked to itself.",
  },
  "would make a circle: {records}": {
    de: "Die Verknüpfung ergäbe einen Kreis: {records}",
    fr: "Ce lien formerait une boucle : {records}",
  },
  'there is no relation type "{type}"{hint}': {
    de: "Den Beziehungstyp „{type}“ gibt es nicht.",
    fr: "Le type de relation « {type} » n’existe pas.",
  },
  "{type} leads from {from}, not from {wrong} to {end}": {
    de: "Die Verknüpfung „{type}“ kann nicht zwischen diesen Arten von Datensätzen bestehen.",
    fr: "Le lien « {type} » n’est pas possible entre ces types de notices.",
  },
  "This relation already exists, from the other end": {
    de: "Diese Verknüpfung gibt es schon, vom anderen Datensatz aus.",
    fr: "Ce lien existe déjà, à partir de l’autre notice.",
  },
  "This relation with this role already exists; PATCH changes its metadata_": {
    de: "Diese Verknüpfung gibt es schon.",
    fr: "Ce lien existe déjà.",
    en: "This link exists already.",
  },
  "there is no {kind} {id}": {
    de: "Diesen Datensatz gibt es nicht (mehr).",
    fr: "Cette notice n’existe pas (ou plus).",
  },
  "{number} is on another outgoing loan without an end date: an object can only be on one loan at a time": {
    de: "{number} ist bereits in einem anderen Leihvorgang ohne Enddatum. Ein Objekt kann nur einmal zur gleichen Zeit verliehen sein.",
    fr: "{number} figure déjà dans un autre prêt sans date de fin. Un objet ne peut être prêté qu’une fois à la fois.",
  },

  // the trash
  "{number} {facts}; {advice}, or delete it with ?force=true": {
    de: "{number} ist mit anderen Datensätzen verknüpft oder hat untergeordnete. Lösen Sie diese, oder bestätigen Sie im Formular, dass der Datensatz dennoch gelöscht werden soll.",
    fr: "{number} est liée à d’autres notices ou en a sous elle. Détachez-les, ou confirmez dans le formulaire que la notice doit quand même être supprimée.",
    en: "{number} {facts}; {advice}, or tick the box to delete it even so.",
  },
  "{number} is below it in the trash: delete that first, or restore it": {
    de: "{number} liegt im Papierkorb darunter: Löschen Sie diesen Datensatz zuerst endgültig, oder stellen Sie ihn wieder her.",
    fr: "{number} se trouve sous elle dans la corbeille : supprimez-la d’abord définitivement, ou restaurez-la.",
  },

  // changes of many records
  "somebody else has changed it": {
    de: "wurde inzwischen von jemand anderem geändert",
    fr: "a été modifiée entre-temps par quelqu’un d’autre",
    en: "was changed by somebody else",
  },
  "is linked with other records": {
    de: "ist mit anderen Datensätzen verknüpft",
    fr: "est liée à d’autres notices",
    en: "is linked to other records",
  },
  "there is no {kind} {id} any more": {
    de: "Den Datensatz, zu dem die Verknüpfung führt, gibt es nicht mehr.",
    fr: "La notice à laquelle mène le lien n’existe plus.",
  },
  "the database refuses it ({code})": {
    de: "Die Datenbank lehnt es ab ({code}).",
    fr: "La base de données le refuse ({code}).",
  },
  "More than {most} records were ticked": {
    de: "Es sind mehr als {most} Datensätze angekreuzt.",
    fr: "Plus de {most} notices sont cochées.",
  },
};
