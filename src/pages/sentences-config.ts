/** What the rules of fields, vocabularies and relation types say. */
export const CONFIG_SENTENCES = {
  // every kind of configuration
  "is missing": { de: "fehlt", fr: "manque" },
  "is empty": { de: "ist leer", fr: "est vide" },
  "is not valid": { de: "ist nicht gültig", fr: "n’est pas valable" },
  "is unknown{~hint}": { de: "ist unbekannt{hint}", fr: "est inconnu{hint}" },
  '; did you mean "{name}"?': { de: ". Meinten Sie „{name}“?", fr: ". Vouliez-vous dire « {name} » ?" },
  "is the name of a built-in column; choose another name": {
    de: "ist der Name einer eingebauten Spalte; wählen Sie einen anderen",
    fr: "est le nom d’une colonne intégrée ; choisissez-en un autre",
  },
  "is a reserved word": { de: "ist ein reserviertes Wort", fr: "est un mot réservé" },
  "is not a name: a lower-case letter, then up to 62 lower-case letters, digits and _": {
    de: "beginnt mit einem Kleinbuchstaben (a–z); danach folgen nur Kleinbuchstaben, Ziffern und _",
    fr: "commence par une minuscule (a–z), suivie seulement de minuscules, de chiffres et de _",
    en: "must be a lower-case letter, then up to 62 lower-case letters, digits and _",
  },
  "must be a lower-case letter, then up to 62 lower-case letters, digits and _": {
    de: "beginnt mit einem Kleinbuchstaben (a–z); danach folgen nur Kleinbuchstaben, Ziffern und _",
    fr: "commence par une minuscule (a–z), suivie seulement de minuscules, de chiffres et de _",
  },
  "must be a lower-case letter, then up to 62 lower-case letters, digits, _ and -": {
    de: "beginnt mit einem Kleinbuchstaben (a–z); danach folgen nur Kleinbuchstaben, Ziffern, _ und -",
    fr: "commence par une minuscule (a–z), suivie seulement de minuscules, de chiffres, de _ et de -",
  },
  "has more than {most} characters": { de: "hat mehr als {most} Zeichen", fr: "dépasse {most} caractères" },
  "has 1 to {most} characters": { de: "hat 1 bis {most} Zeichen", fr: "compte de 1 à {most} caractères" },
  'has no text; give at least one, for example {"en": "Title"}': {
    de: "hat in keiner Sprache einen Text",
    fr: "n’a de texte dans aucune langue",
    en: "has no text in any language",
  },
  "{n} is not a whole number": { de: "{n} ist keine ganze Zahl", fr: "{n} n’est pas un nombre entier" },
  "{value} is too {size}: {~bound} {limit}": {
    de: "liegt außerhalb der Grenzen: {bound} {limit}",
    fr: "est hors limites : {bound} {limit}",
  },
  "at most": { de: "höchstens", fr: "au plus" },
  "at least": { de: "mindestens", fr: "au moins" },
  "more than": { de: "mehr als", fr: "plus de" },
  "has {n} entries, the limit is {most}": {
    de: "hat {n} Einträge; höchstens {most} sind möglich",
    fr: "compte {n} entrées ; {most} au plus sont possibles",
  },
  '"{value}" is not one of {values}; did you mean "{near}"?': {
    de: "„{value}“ ist hier nicht möglich. Möglich sind: {values}",
    fr: "« {value} » n’est pas possible ici. Valeurs possibles : {values}",
  },
  '"{value}" is not one of {values}': {
    de: "„{value}“ ist hier nicht möglich. Möglich sind: {values}",
    fr: "« {value} » n’est pas possible ici. Valeurs possibles : {values}",
  },
  "must be {~what}, not {~other}": {
    de: "muss {what} sein, nicht {other}",
    fr: "doit être {what}, et non {other}",
  },
  text: { de: "Text", fr: "du texte" },
  "a number": { de: "eine Zahl", fr: "un nombre" },
  "a whole number": { de: "eine ganze Zahl", fr: "un nombre entier" },
  "a list": { de: "eine Liste", fr: "une liste" },
  "an object": { de: "ein Objekt", fr: "un objet" },
  "true or false": { de: "true oder false", fr: "true ou false" },
  "cannot be removed": { de: "kann nicht entfernt werden", fr: "ne peut pas être retiré" },
  "{~what} is used by {~records}; {~advice}": {
    de: "{what} wird noch verwendet ({records}): {advice}",
    fr: "{what} est encore utilisé ({records}) : {advice}",
  },
  "{~what} is used by {~records} ({n} of them in the trash); {~advice}": {
    de: "{what} wird noch verwendet ({records}, davon im Papierkorb: {n}): {advice}",
    fr: "{what} est encore utilisé ({records}, dont dans la corbeille : {n}) : {advice}",
  },
  "This has changed since you read it: read it again and repeat your change": {
    de: "Jemand anderes hat dies inzwischen geändert. Laden Sie die Seite neu und wiederholen Sie Ihre Änderung.",
    fr: "Quelqu’un d’autre a modifié ceci entre-temps. Rechargez la page et refaites votre modification.",
  },
  "Two changes conflicted with each other; please repeat this one": {
    de: "Zwei Änderungen kamen einander in die Quere. Wiederholen Sie diese bitte.",
    fr: "Deux modifications se sont croisées. Veuillez refaire celle-ci.",
  },
  "{who} lacks the permission {~right}": {
    de: "Dafür fehlt Ihnen die Berechtigung {right}.",
    fr: "Il vous manque l’autorisation {right}.",
    en: "You do not have the permission {right}.",
  },
  "records:read for {kind}, which making {what} needs": {
    de: "zum Lesen aller Datensätze dieser Art",
    fr: "de lire toutes les notices de ce type",
  },

  // fields and subtypes
  "{kind} already has a field {name}": {
    de: "Das Feld {name} gibt es schon.",
    fr: "Le champ {name} existe déjà.",
  },
  "A field with this name already exists": {
    de: "Ein Feld mit diesem Namen gibt es schon.",
    fr: "Un champ de ce nom existe déjà.",
  },
  "{field} is the title of the records and cannot be deleted": {
    de: "Das Feld benennt die Datensätze und kann nicht gelöscht werden.",
    fr: "Ce champ nomme les notices et ne peut pas être supprimé.",
  },
  "{field} is the title of the records and must stay text": {
    de: "Das Feld benennt die Datensätze. Es bleibt Text.",
    fr: "Ce champ nomme les notices. Il reste du texte.",
  },
  "{field} is the title of the records and must stay public": {
    de: "Das Feld benennt die Datensätze. Es bleibt öffentlich.",
    fr: "Ce champ nomme les notices. Il reste public.",
  },
  "empty it there first, or hide it by making it neither public nor searchable": {
    de: "Leeren Sie es dort zuerst, oder verbergen Sie es: nicht öffentlich, ohne Gewicht in der Suche.",
    fr: "videz-le d’abord, ou masquez-le : ni public, ni recherché.",
  },
  "storage locations are never public": {
    de: "Standorte sind nie öffentlich.",
    fr: "Les emplacements ne sont jamais publics.",
  },
  "there is no vocabulary {name}": {
    de: "Das Vokabular {name} gibt es nicht.",
    fr: "Le vocabulaire {name} n’existe pas.",
  },
  "there are already {most} facets, which is the limit of the search index": {
    de: "Es gibt schon {most} Facetten; mehr sind nicht möglich.",
    fr: "Il y a déjà {most} facettes ; c’est le maximum.",
    en: "there are {most} facets already, which is the limit",
  },
  "a vocab field needs a vocabulary": {
    de: "Ein Feld mit Begriffen braucht ein Vokabular.",
    fr: "Un champ de termes a besoin d’un vocabulaire.",
    en: "a field of terms needs a vocabulary",
  },
  "a {type} field cannot have a vocabulary": {
    de: "Ein Feld dieses Typs kann kein Vokabular haben.",
    fr: "Un champ de ce type ne peut pas avoir de vocabulaire.",
  },
  "{~values} of {field} that do not fit the new definition": {
    de: "{values}, die nicht zur neuen Festlegung passen",
    fr: "{values} qui ne conviennent pas à la nouvelle définition",
  },
  "{~values} of {field} that do not fit the new definition: {records}": {
    de: "{values}, die nicht zur neuen Festlegung passen: {records}",
    fr: "{values} qui ne conviennent pas à la nouvelle définition : {records}",
  },
  "1 record has values": { de: "In einem Datensatz stehen Werte", fr: "Une notice contient des valeurs" },
  "{n} records have values": {
    de: "In {n} Datensätzen stehen Werte",
    fr: "{n} notices contiennent des valeurs",
  },
  '"{name}" is not a Dublin Core element; use one of {names}': {
    de: "„{name}“ ist kein Dublin-Core-Element. Möglich sind: {names}",
    fr: "« {name} » n’est pas un élément Dublin Core. Valeurs possibles : {names}",
  },
  "is not an http, https or urn address, for example http://vocab.getty.edu/aat/300033618": {
    de: "ist keine Adresse, wie etwa http://vocab.getty.edu/aat/300033618",
    fr: "n’est pas une adresse telle que http://vocab.getty.edu/aat/300033618",
  },
  "There is a subtype {name} already": {
    de: "Den Untertyp {name} gibt es schon.",
    fr: "Le sous-type {name} existe déjà.",
  },
  "{kind} subtype {name}": { de: "Der Untertyp {name}", fr: "Le sous-type {name}" },
  "give them another subtype first": {
    de: "Geben Sie diesen zuerst einen anderen Untertyp.",
    fr: "donnez-leur d’abord un autre sous-type.",
  },
  "{name} is the only {type}, and every record needs one": {
    de: "{name} ist der einzige Untertyp, und jeder Datensatz braucht einen.",
    fr: "{name} est le seul sous-type, et chaque notice en a besoin d’un.",
  },
  "is not a possible class of {kind}; choose one of: {classes}": {
    de: "ist als Klasse hier nicht möglich. Möglich sind: {classes}",
    fr: "n’est pas une classe possible ici. Valeurs possibles : {classes}",
  },

  // vocabularies and terms
  "A vocabulary with this name already exists": {
    de: "Ein Vokabular mit diesem Namen gibt es schon.",
    fr: "Un vocabulaire de ce nom existe déjà.",
  },
  "The vocabulary {name} is used by {fields}; give these fields another vocabulary first": {
    de: "Das Vokabular {name} wird von {fields} benutzt; geben Sie diesen Feldern zuerst ein anderes.",
    fr: "Le vocabulaire {name} est utilisé par {fields} ; donnez d’abord un autre vocabulaire à ces champs.",
  },
  "The vocabulary already has this term": {
    de: "Diesen Begriff gibt es im Vokabular schon.",
    fr: "Ce terme existe déjà dans le vocabulaire.",
  },
  'The term "{value}"': { de: "Der Begriff „{value}“", fr: "Le terme « {value} »" },
  "its value cannot be changed; change its label, or add another term": {
    de: "Der Wert kann nicht geändert werden. Ändern Sie die Bezeichnung, oder legen Sie einen weiteren Begriff an.",
    fr: "sa valeur ne peut pas être modifiée. Modifiez le libellé, ou ajoutez un autre terme.",
  },
  "give them another term first": {
    de: "Geben Sie diesen zuerst einen anderen Begriff.",
    fr: "donnez-leur d’abord un autre terme.",
  },
  'the term "{value}" would be below itself': {
    de: "Der Begriff „{value}“ läge unter sich selbst.",
    fr: "Le terme « {value} » se trouverait sous lui-même.",
  },
  "would make a circle: that term is this one or below it": {
    de: "Der Oberbegriff ist dieser Begriff selbst oder liegt unter ihm.",
    fr: "Le terme générique est ce terme ou se trouve sous lui.",
  },
  "the vocabulary {name} has no term with this id": {
    de: "Diesen Begriff gibt es im Vokabular nicht.",
    fr: "Ce terme n’existe pas dans le vocabulaire.",
  },
  "is not UTF-8": { de: "ist nicht in UTF-8 gespeichert", fr: "n’est pas enregistré en UTF-8" },
  "is not Turtle: {why}": { de: "ist keine Turtle-Datei: {why}", fr: "n’est pas du Turtle : {why}" },
  "has no skos:Concept": { de: "enthält kein skos:Concept", fr: "ne contient aucun skos:Concept" },
  "has more than {most} concepts; import it in parts": {
    de: "enthält mehr als {most} Begriffe. Importieren Sie die Datei in Teilen.",
    fr: "contient plus de {most} termes. Importez le fichier en plusieurs parties.",
  },
  "{address} has no skos:prefLabel": {
    de: "{address} hat kein skos:prefLabel",
    fr: "{address} n’a pas de skos:prefLabel",
  },
  'two concepts are called "{name}"': {
    de: "Zwei Begriffe heißen „{name}“.",
    fr: "Deux termes s’appellent « {name} ».",
  },

  // relation types
  "A relation type with this name already exists": {
    de: "Einen Beziehungstyp mit diesem Namen gibt es schon.",
    fr: "Un type de relation de ce nom existe déjà.",
  },
  "{name} is already {~taken}": { de: "{name} ist schon {taken}.", fr: "{name} est déjà {taken}." },
  "the name of a relation type": { de: "der Name eines Beziehungstyps", fr: "le nom d’un type de relation" },
  "the inverse of {type}": {
    de: "der Name von {type} vom anderen Ende",
    fr: "le nom de {type} de l’autre côté",
  },
  "names no record type": {
    de: "Wählen Sie mindestens eine Art von Datensätzen.",
    fr: "Choisissez au moins un type de notice.",
  },
  "names a record type twice": {
    de: "nennt eine Art von Datensätzen zweimal",
    fr: "nomme deux fois un type de notice",
  },
  "must be the same as from_types if the inverse is the type itself": {
    de: "Wenn der Name von beiden Enden derselbe ist, führt die Verknüpfung von denselben Arten zu denselben Arten.",
    fr: "Si le nom est le même des deux côtés, le lien part des mêmes types de notice et y mène.",
  },
  "must be false, because a symmetric type cannot be hierarchical": {
    de: "Wenn der Name von beiden Enden derselbe ist, kann die Verknüpfung nicht hierarchisch sein.",
    fr: "Si le nom est le même des deux côtés, le lien ne peut pas être hiérarchique.",
  },
  "{~relations} of this type would no longer fit its ends; remove them first": {
    de: "{relations} könnten danach nicht mehr bestehen. Entfernen Sie sie zuerst.",
    fr: "{relations} ne seraient plus possibles. Retirez-les d’abord.",
  },
  "Relations of this type make a circle: {records}; remove one of them first": {
    de: "Verknüpfungen dieses Typs bilden einen Kreis: {records}. Entfernen Sie zuerst eine davon.",
    fr: "Des liens de ce type forment une boucle : {records}. Retirez d’abord l’un d’eux.",
  },
  "There are {~relations} of the type {name}; remove them first": {
    de: "Dieser Typ wird noch verwendet ({relations}). Entfernen Sie diese zuerst.",
    fr: "Ce type est encore utilisé ({relations}). Retirez-les d’abord.",
  },
  "1 relation": { de: "1 Verknüpfung", fr: "1 lien" },
  "{n} relations": { de: "{n} Verknüpfungen", fr: "{n} liens" },
};
