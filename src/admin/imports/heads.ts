/**
 * How museums call the columns of their lists, in English, German and French: by kind of record, for each target the usual heads. A head
 * that stands with several targets means the first that no other column has taken.
 */
import type { Kind } from "../../records/kinds.ts";

const NOTES =
  "Bemerkung, Bemerkungen, Anmerkung, Anmerkungen, Notiz, Notizen, Kommentar, Notes, Note, Remarks, Remark, Comments, Comment, " +
  "Remarque, Remarques, Observations, Commentaire, Commentaires";
const DESCRIPTION = "Beschreibung, Kurzbeschreibung, Beschreibungstext, Description, Descriptif";

const RUNNING = "Nummer, Number, Numéro, Identifier, Nr., No., N°";

/** Of records of any kind. */
export const ANY_HEADS: Readonly<Record<string, string>> = { __idno__: `${RUNNING}, ID` };

/** Heads that often mean something else, the least likely last: other columns take their targets first. */
export const LAST_HEADS: Readonly<Partial<Record<Kind, string>>> = {
  object:
    "Location, Localisation, Accession no., Accession number, Acc. no., Bezeichnung, Name, Nom, Object ID, Cote, " +
    `${RUNNING}, Signatur, ID`,
};

const OBJECT_NUMBERS =
  "Inv.-Nr., Inv.Nr., Inventar-Nr., Inventarnummer, Inventarnr., Objekt-Nr., Objektnummer, Obj.-Nr., Signatur, " +
  "Inventory number, Inventory no., Inv. no., Object number, Object no., Object ID, Accession no., Accession number, Acc. no., " +
  "Museum number, N° d'inventaire, No d'inventaire, Numéro d'inventaire, N° inv., Inv., Cote";

export const HEADS: Readonly<Partial<Record<Kind, Readonly<Record<string, string>>>>> = {
  object: {
    __idno__: OBJECT_NUMBERS,
    title:
      "Titel, Werktitel, Bildtitel, Objekttitel, Title, Titre, Intitulé, Titre de l'œuvre, Name, Nom, Bezeichnung",
    object_name:
      "Objektbezeichnung, Objektname, Objektart, Objekttyp, Gegenstand, Sachbezeichnung, Gattung, Bezeichnung, Object name, " +
      "Simple name, Object type, Kind of object, Classification, Dénomination, Désignation, Nom de l'objet, Type d'objet",
    alternative_title:
      "Untertitel, Weiterer Titel, Alternativtitel, Subtitle, Other title, Sous-titre, Autre titre",
    description: `${DESCRIPTION}, Objektbeschreibung, Physical description, Description de l'objet`,
    date:
      "Datierung, Datum, Jahr, Entstehungszeit, Entstehungsjahr, Entstehungsdatum, Herstellungsjahr, Herstellungsdatum, " +
      "Date, Dates, Dating, Year, Date made, Production date, Date of production, Datation, Année, Date de création",
    "__relation:created_by:entity__":
      "Künstler, Künstlerin, Künstler/in, Hersteller, Herstellerin, Hersteller/in, Urheber, Urheber/in, Autor, Autor/in, " +
      "Verfasser, Verfasser/in, Fotograf, Fotograf/in, Maler, Maler/in, Produzent, Schöpfer, Artist, Maker, Makers, Creator, " +
      "Author, Photographer, Painter, Manufacturer, Producer, Artiste, Auteur, Créateur, Fabricant, Photographe, Peintre",
    "__relation:made_at:place__":
      "Herstellungsort, Entstehungsort, Produktionsort, Place made, Place of making, Place of production, Production place, " +
      "Lieu de création, Lieu de fabrication, Lieu de production",
    "__relation:found_at:place__": "Fundort, Find spot, Findspot, Place found, Lieu de découverte",
    "__relation:depicts:entity__":
      "Dargestellte Person, Dargestellte Personen, Sitter, Person depicted, Personne représentée",
    material: "Material, Materialien, Werkstoff, Materials, Matériau, Matériaux, Matière",
    technique: "Technik, Techniken, Herstellungstechnik, Technique, Techniques",
    material_text:
      "Material/Technik, Technik/Material, Material und Technik, Technik und Material, Medium, Material/technique, " +
      "Materials and techniques, Matériaux et techniques, Matière et technique",
    dimensions:
      "Maße, Masse, Maßangaben, Abmessungen, Größe, Format, Dimensions, Measurements, Size, Dimension, Taille",
    inscription: "Inschrift, Inschriften, Beschriftung, Signatur, Inscription, Inscriptions, Marks, Marques",
    style_period: "Epoche, Stil, Stilepoche, Period, Style, Époque, Période",
    culture: "Kultur, Ethnie, Culture",
    subject:
      "Schlagwort, Schlagworte, Schlagwörter, Thema, Motiv, Keywords, Keyword, Subject, Mots-clés, Mot-clé, Sujet, Thème",
    acquisition_method:
      "Erwerbungsart, Erwerbsart, Zugangsart, Art des Erwerbs, Acquisition method, Method of acquisition, Mode d'acquisition, Mode d'acq.",
    acquisition_date:
      "Eingangsdatum, Zugangsdatum, Erwerbsdatum, Erwerbungsdatum, Erwerbungsjahr, Erwerbsjahr, Eingang, Acquisition date, " +
      "Date acquired, Date received, Accession date, Date of acquisition, Date d'acquisition, Date d'entrée, Date d'acq.",
    acquisition_note: "Erwerb, Erwerbung, Zugang, Erwerbungsnotiz, Acquisition, Acquisition note",
    "__relation:acquired_from:entity__":
      "Vorbesitzer, Voreigentümer, Schenker, Schenker/in, Stifter, Stifter/in, Verkäufer, Erworben von, Donor, Vendor, " +
      "Acquired from, Previous owner, Donateur, Donatrice, Vendeur, Acquis de, Ancien propriétaire",
    provenance: "Provenienz, Herkunft, Provenance",
    credit_line: "Creditline, Credit line, Credit, Mention de crédit",
    "__relation:stored_at:storage_location__":
      "Standort, Lagerort, Aufbewahrungsort, Depot, Depotstandort, Aktueller Standort, Location, Storage location, " +
      "Current location, Store, Emplacement, Localisation, Réserve, Lieu de stockage",
    "__relation:in_collection:collection__": "Sammlung, Teilsammlung, Konvolut, Bestand, Collection, Fonds",
    department: "Abteilung, Sammlungsbereich, Department, Département",
    condition_note: "Zustand, Erhaltung, Erhaltungszustand, Condition, État, État de conservation",
    insurance_value: "Versicherungswert, Insurance value, Valeur d'assurance, Val. assur.",
    number_of_parts: "Anzahl, Anzahl Teile, Stückzahl, Quantity, Number of parts, Nombre de pièces, Quantité",
    bibliography: "Literatur, Literaturangaben, Bibliography, Literature, Bibliographie",
    exhibition_history: "Ausstellungen, Ausstellungsgeschichte, Exhibitions, Exhibition history, Expositions",
    accession_number:
      "Zugangsnummer, Eingangsnummer, Zugangs-Nr., Eingangs-Nr., Accession no., Accession number, Acc. no., N° d'entrée",
    other_numbers:
      "Alte Inventarnummer, Alte Inv.-Nr., Alte Nummer, Weitere Nummern, Old number, Other number, Other numbers, Previous number, " +
      `Ancien numéro, Autres numéros, ${OBJECT_NUMBERS}, ${ANY_HEADS.__idno__}`,
    rights: "Rechte, Lizenz, Licence, License, Rights, Droits",
    rights_holder: "Rechteinhaber, Rechteinhaber/in, Rights holder, Copyright holder, Ayant droit",
    internal_note: NOTES,
    __media__:
      "Foto, Fotos, Fotodatei, Bild, Bilder, Bilddatei, Dateiname, Photo, Photos, Image, Images, Image file, File name, Fichier, " +
      "Fichier image",
  },
  entity: {
    name: "Name, Person, Künstler, Künstler/in, Hersteller, Artist, Maker, Nom, Artiste, Auteur",
    alternative_name:
      "Andere Namen, Weitere Namen, Pseudonym, Other names, Also known as, Autres noms, Pseudonyme",
    birth_date:
      "Geburtsdatum, Geburtsjahr, Geboren, geb., Born, Birth, Birth date, Date of birth, Year of birth, Né, Date de naissance",
    death_date:
      "Todesdatum, Todesjahr, Sterbedatum, Gestorben, gest., Died, Death, Death date, Date of death, Date de décès, Mort",
    "__relation:born_at:place__": "Geburtsort, Place of birth, Birthplace, Lieu de naissance",
    "__relation:died_at:place__": "Sterbeort, Todesort, Place of death, Lieu de décès",
    nationality: "Nationalität, Nationality, Nationalité",
    role: "Beruf, Tätigkeit, Rolle, Occupation, Profession, Role, Métier",
    gnd: "GND, GND-Nummer, GND-ID",
    website: "Webseite, Website, Internet, URL, Site web",
    biography: `Biografie, Biographie, Lebenslauf, Vita, Biography, ${NOTES}, ${DESCRIPTION}`,
  },
  place: {
    name: "Ort, Ortsname, Name, Place, Place name, Lieu, Nom",
    __lat__: "Breite, Breitengrad, Latitude, Lat",
    __lon__: "Länge, Längengrad, Longitude, Long, Lon, Lng",
    "__relation:falls_within:place__": "Land, Region, Liegt in, Country, Pays, Région",
    description: `${DESCRIPTION}, ${NOTES}`,
  },
  occurrence: {
    title: "Titel, Ausstellung, Veranstaltung, Name, Title, Exhibition, Event, Titre, Exposition",
    date: "Datum, Zeitraum, Laufzeit, Dauer, Date, Dates, Période",
    "__relation:took_place_at:place__": "Ort, Place, Venue, Lieu",
    description: `${DESCRIPTION}, ${NOTES}`,
  },
  collection: {
    title: "Sammlung, Name, Titel, Bezeichnung, Collection, Title, Titre, Nom",
    extent: "Umfang, Extent, Étendue",
    description: `${DESCRIPTION}, ${NOTES}`,
  },
  storage_location: {
    name: "Standort, Lagerort, Name, Bezeichnung, Location, Emplacement, Nom",
    barcode: "Barcode, Strichcode, Code-barres",
    __parent__: "In, Liegt in, Übergeordnet, Parent",
    climate_note: "Klima, Climate, Climat",
  },
};

/** Words in columns of object names, by the subtype that they mean; beside the labels of the subtypes. */
export const NAMES_OF_TYPES: Readonly<Record<string, string>> = {
  painting: "Gemälde, Ölgemälde, Ölbild, Tafelbild, Oil painting, Tableau, Peinture, Huile sur toile",
  drawing:
    "Zeichnung, Handzeichnung, Skizze, Aquarell, Sketch, Watercolour, Watercolor, Dessin, Esquisse, Aquarelle",
  print:
    "Grafik, Graphik, Druckgrafik, Druckgraphik, Radierung, Holzschnitt, Kupferstich, Lithografie, Lithographie, Plakat, Etching, " +
    "Woodcut, Engraving, Lithograph, Poster, Estampe, Gravure, Eau-forte, Affiche",
  photograph:
    "Foto, Fotografie, Photographie, Fotoabzug, Negativ, Diapositiv, Photo, Negative, Photographie, Négatif",
  sculpture: "Skulptur, Plastik, Statue, Statuette, Büste, Bust, Sculpture, Buste",
  textile:
    "Textil, Kleid, Tracht, Kostüm, Teppich, Fahne, Dress, Costume, Carpet, Flag, Robe, Tapis, Drapeau",
  furniture:
    "Möbel, Stuhl, Tisch, Schrank, Truhe, Kommode, Chair, Table, Cupboard, Chest, Chaise, Armoire, Coffre, Meuble",
  coin: "Münze, Medaille, Medal, Monnaie, Médaille",
  ceramic: "Keramik, Kachel, Fliese, Céramique, Carreau",
  book: "Buch, Livre",
  manuscript: "Handschrift, Urkunde, Brief, Letter, Charter, Lettre, Manuscrit",
  audiovisual: "Film, Tonband, Schallplatte, Video, Disque, Vidéo",
};

export const listed = (names: string): string[] => names.split(", ");
