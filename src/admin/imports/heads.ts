/**
 * Column names that museums use in their lists, in English, German, French, Italian, Spanish and Dutch: for each kind of record and
 * target, the usual ones. A name of several targets means the first target that no other column has taken.
 */
import type { Kind } from "../../records/kinds.ts";

const NOTES =
  "Bemerkung, Bemerkungen, Anmerkung, Anmerkungen, Notiz, Notizen, Kommentar, Notes, Note, Remarks, Remark, Comments, " +
  "Comment, " +
  "Remarque, Remarques, Observations, Commentaire, Commentaires, " +
  "Osservazioni, Annotazioni, Commento, Commenti, Observaciones, Notas, Nota, Comentario, Comentarios, Opmerking, " +
  "Opmerkingen, Notitie, Notities, Toelichting";
const DESCRIPTION =
  "Beschreibung, Kurzbeschreibung, Beschreibungstext, Description, Descriptif, " +
  "Descrizione, Notizie storico-critiche, Descripción, Beschrijving, Omschrijving";

const RUNNING = "Nummer, Number, Numéro, Identifier, Nr., No., N°, Numero, Número, Nummer, N., Núm.";

/** For all kinds of records. */
export const ANY_HEADS: Readonly<Record<string, string>> = { __idno__: `${RUNNING}, ID` };

/** Column names that often mean something else, the least likely last. Other columns take their targets first. */
export const LAST_HEADS: Readonly<Partial<Record<Kind, string>>> = {
  object:
    "Location, Localisation, Accession no., Accession number, Acc. no., Bezeichnung, Name, Nom, Nome, Nombre, Naam, " +
    "Collocazione, Ubicación, Standplaats, Locatie, Segnatura, Signatura, Object ID, Cote, " +
    `${RUNNING}, Signatur, ID`,
};

const OBJECT_NUMBERS =
  "Inv.-Nr., Inv.Nr., Inventar-Nr., Inventarnummer, Inventarnr., Objekt-Nr., Objektnummer, Obj.-Nr., Signatur, " +
  "Inventory number, Inventory no., Inv. no., Object number, Object no., Object ID, Accession no., Accession number, " +
  "Acc. no., " +
  "Museum number, N° d'inventaire, No d'inventaire, Numéro d'inventaire, N° inv., Inv., Cote, " +
  "Numero di inventario, Numero inventario, N. inventario, N. inv., Inv. n., Inventario, NCTN, Segnatura, " +
  "Número de inventario, N.º de inventario, Nº inventario, N.º inv., Núm. inventario, Signatura, Objectnummer, " +
  "Inventarisnummer, Inventarisnr., Inv.nr., Objectnr.";

export const HEADS: Readonly<Partial<Record<Kind, Readonly<Record<string, string>>>>> = {
  object: {
    __idno__: OBJECT_NUMBERS,
    title:
      "Titel, Werktitel, Bildtitel, Objekttitel, Title, Titre, Intitulé, Titre de l'œuvre, Name, Nom, Bezeichnung, " +
      "Titolo, Titolo dell'opera, Soggetto/Titolo, Nome, Título, Título de la obra, Nombre, Titel van het werk, Benaming, Naam",
    object_name:
      "Objektbezeichnung, Objektname, Objektart, Objekttyp, Gegenstand, Sachbezeichnung, Gattung, Bezeichnung, Object name, " +
      "Simple name, Object type, Kind of object, Classification, Dénomination, Désignation, Nom de l'objet, Type d'objet, " +
      "Definizione, Definizione oggetto, Definizione dell'oggetto, Oggetto, Tipologia, OGTD, Objeto, Denominación, " +
      "Nombre del objeto, Tipo de objeto, Clasificación genérica, Objectnaam, Objectsoort, Soort object, Objectcategorie, " +
      "Voorwerp",
    alternative_title:
      "Untertitel, Weiterer Titel, Alternativtitel, Subtitle, Other title, Sous-titre, Autre titre, " +
      "Sottotitolo, Altro titolo, Titolo alternativo, Subtítulo, Otro título, Título alternativo, Ondertitel, " +
      "Andere titel, Alternatieve titel",
    description:
      `${DESCRIPTION}, Objektbeschreibung, Physical description, Description de l'objet, ` +
      "Descrizione dell'oggetto, Dati analitici, Descripción del objeto, Fysieke beschrijving, Objectbeschrijving",
    date:
      "Datierung, Datum, Jahr, Entstehungszeit, Entstehungsjahr, Entstehungsdatum, Herstellungsjahr, Herstellungsdatum, " +
      "Date, Dates, Dating, Year, Date made, Production date, Date of production, Datation, Année, Date de création, " +
      "Data, Datazione, Cronologia, Anno, Epoca di esecuzione, Data di esecuzione, Fecha, Datación, Año, " +
      "Fecha de creación, Fecha de realización, Datering, Jaar, Vervaardigingsdatum, Datum vervaardiging, " +
      "Datum van vervaardiging",
    "__relation:created_by:entity__":
      "Künstler, Künstlerin, Künstler/in, Hersteller, Herstellerin, Hersteller/in, Urheber, Urheber/in, Autor, Autor/in, " +
      "Verfasser, Verfasser/in, Fotograf, Fotograf/in, Maler, Maler/in, Produzent, Schöpfer, Artist, Maker, Makers, Creator, " +
      "Author, Photographer, Painter, Manufacturer, Producer, Artiste, Auteur, Créateur, Fabricant, Photographe, Peintre, " +
      "Artista, Fotografo, Pittore, Scultore, Esecutore, Produttore, Fabbricante, Autora, Autor/a, Fotógrafo, Fotógrafa, " +
      "Pintor, Fabricante, Creador, Autoría, Autore, Kunstenaar, Vervaardiger, Fotograaf, Schilder, Producent",
    "__relation:made_at:place__":
      "Herstellungsort, Entstehungsort, Produktionsort, Place made, Place of making, Place of production, Production place, " +
      "Lieu de création, Lieu de fabrication, Lieu de production, " +
      "Luogo di esecuzione, Luogo di produzione, Luogo di fabbricazione, Lugar de producción, Lugar de creación, " +
      "Lugar de fabricación, Lugar de realización, Vervaardigingsplaats, Plaats vervaardiging, Plaats van vervaardiging",
    "__relation:found_at:place__":
      "Fundort, Find spot, Findspot, Place found, Lieu de découverte, " +
      "Luogo di ritrovamento, Luogo di rinvenimento, Luogo di reperimento, Lugar de procedencia, Lugar de hallazgo, " +
      "Yacimiento, Vindplaats",
    "__relation:depicts:entity__":
      "Dargestellte Person, Dargestellte Personen, Sitter, Person depicted, Personne représentée, " +
      "Persona raffigurata, Personaggio raffigurato, Persona representada, Retratado, Voorgestelde persoon, " +
      "Geportretteerde, Afgebeelde persoon",
    material:
      "Material, Materialien, Werkstoff, Materials, Matériau, Matériaux, Matière, " +
      "Materia, Materiale, Materiali, Materias, Materiales, Materiaal",
    technique:
      "Technik, Techniken, Herstellungstechnik, Technique, Techniques, " +
      "Tecnica, Tecniche, Tecnica di esecuzione, Técnica, Técnicas, Techniek, Technieken",
    material_text:
      "Material/Technik, Technik/Material, Material und Technik, Technik und Material, Medium, Material/technique, " +
      "Materials and techniques, Matériaux et techniques, Matière et technique, " +
      "Materia e tecnica, Materiali e tecniche, MTC, Materia/Técnica, Materia y técnica, Material y técnica, " +
      "Materiaal/techniek, Materiaal en techniek, Drager",
    dimensions:
      "Maße, Masse, Maßangaben, Abmessungen, Größe, Format, Dimensions, Measurements, Size, Dimension, Taille, " +
      "Misure, Dimensioni, Dimensiones, Medidas, Tamaño, Afmeting, Afmetingen, Maten, Formaat",
    inscription:
      "Inschrift, Inschriften, Beschriftung, Signatur, Inscription, Inscriptions, Marks, Marques, " +
      "Iscrizione, Iscrizioni, Firma, Stemmi e marchi, Inscripción, Inscripciones, Marcas, Firmas/Marcas, Opschrift, " +
      "Opschriften, Signatuur, Merken",
    style_period:
      "Epoche, Stil, Stilepoche, Period, Style, Époque, Période, " +
      "Stile, Periodo, Epoca, Stile/Periodo, Estilo, Período, Época, Contexto cultural, Stijl, Periode, Stijlperiode",
    culture: "Kultur, Ethnie, Culture, Ambito culturale, Cultura, Etnia, Cultuur",
    subject:
      "Schlagwort, Schlagworte, Schlagwörter, Bildthema, Thema, Motiv, Keywords, Keyword, Subject, Mots-clés, Mot-clé, Sujet, Thème, " +
      "Parola chiave, Parole chiave, Tema, Identificazione del soggetto, Iconografia, Palabra clave, Palabras clave, " +
      "Materia temática, Iconografía, Descriptores, Trefwoord, Trefwoorden, Onderwerp, Voorstelling",
    acquisition_method:
      "Erwerbungsart, Erwerbsart, Zugangsart, Art des Erwerbs, Acquisition method, Method of acquisition, " +
      "Mode d'acquisition, Mode d'acq., " +
      "Modalità di acquisizione, Tipo di acquisizione, Tipo acquisizione, Forma de ingreso, Forma de adquisición, " +
      "Tipo de ingreso, Verwervingsmethode, Wijze van verwerving, Verwervingswijze",
    acquisition_date:
      "Eingangsdatum, Zugangsdatum, Erwerbsdatum, Erwerbungsdatum, Erwerbungsjahr, Erwerbsjahr, Eingang, Acquisition date, " +
      "Date acquired, Date received, Accession date, Date of acquisition, Date d'acquisition, Date d'entrée, Date d'acq., " +
      "Data di acquisizione, Data acquisizione, Data di ingresso, Anno di acquisizione, Fecha de ingreso, " +
      "Fecha de adquisición, Año de ingreso, Verwervingsdatum, Datum verwerving, Datum van verwerving, Jaar van verwerving",
    acquisition_note:
      "Erwerb, Erwerbung, Zugang, Erwerbungsnotiz, Acquisition, Acquisition note, " +
      "Acquisizione, Note di acquisizione, Ingreso, Adquisición, Verwerving",
    "__relation:acquired_from:entity__":
      "Vorbesitzer, Voreigentümer, Schenker, Schenker/in, Stifter, Stifter/in, Verkäufer, Erworben von, Donor, Vendor, " +
      "Acquired from, Previous owner, Donateur, Donatrice, Vendeur, Acquis de, Ancien propriétaire, " +
      "Donatore, Venditore, Fonte di acquisizione, Precedente proprietario, Acquisito da, Donante, Vendedor, " +
      "Fuente de ingreso, Antiguo propietario, Verkoper, Verworven van, Vorige eigenaar",
    provenance:
      "Provenienz, Herkunft, Provenance, " +
      "Provenienza, Storia della proprietà, Procedencia, Historia del objeto, Historial, Herkomst",
    credit_line:
      "Creditline, Credit line, Credit, Mention de crédit, " +
      "Crediti, Linea di credito, Línea de crédito, Créditos, Verwervingsregel",
    "__relation:stored_at:storage_location__":
      "Standort, Lagerort, Aufbewahrungsort, Depot, Depotstandort, Aktueller Standort, Location, Storage location, " +
      "Current location, Store, Emplacement, Localisation, Réserve, Lieu de stockage, " +
      "Collocazione, Collocazione attuale, Collocazione specifica, Ubicazione, Deposito, Ubicación, Ubicación actual, " +
      "Localización, Almacén, Standplaats, Huidige standplaats, Vaste standplaats, Locatie, Bewaarplaats",
    "__relation:in_collection:collection__":
      "Sammlung, Teilsammlung, Konvolut, Bestand, Collection, Fonds, " +
      "Collezione, Raccolta, Fondo, Colección, Fondos, Collectie, Deelcollectie",
    department:
      "Abteilung, Sammlungsbereich, Department, Département, " +
      "Dipartimento, Sezione, Departamento, Sección, Afdeling",
    condition_note:
      "Zustand, Erhaltung, Erhaltungszustand, Condition, État, État de conservation, " +
      "Stato di conservazione, Conservazione, Estado de conservación, Conservación, Estado, Conditie, Toestand, Staat",
    insurance_value:
      "Versicherungswert, Insurance value, Valeur d'assurance, Val. assur., " +
      "Valore assicurativo, Stima, Valor de seguro, Valoración, Tasación, Verzekeringswaarde",
    number_of_parts:
      "Anzahl, Anzahl Teile, Stückzahl, Quantity, Number of parts, Nombre de pièces, Quantité, " +
      "Numero di parti, Quantità, Numero pezzi, Número de partes, Cantidad, Número de piezas, Aantal, Aantal onderdelen, " +
      "Aantal delen",
    bibliography:
      "Literatur, Literaturangaben, Bibliography, Literature, Bibliographie, " +
      "Bibliografia, Bibliografía, Literatuur, Bibliografie",
    exhibition_history:
      "Ausstellungen, Ausstellungsgeschichte, Exhibitions, Exhibition history, Expositions, " +
      "Mostre, Esposizioni, Exposiciones, Tentoonstellingen, Tentoonstellingsgeschiedenis",
    accession_number:
      "Zugangsnummer, Eingangsnummer, Zugangs-Nr., Eingangs-Nr., Accession no., Accession number, Acc. no., N° d'entrée, " +
      "Numero di ingresso, Numero d'ingresso, Número de registro, Número de entrada, N.º de registro, Nº registro, " +
      "Aanwinstnummer, Verwervingsnummer",
    other_numbers:
      "Alte Inventarnummer, Alte Inv.-Nr., Alte Nummer, Weitere Nummern, Old number, Other number, Other numbers, " +
      "Previous number, " +
      `Ancien numéro, Autres numéros, ${OBJECT_NUMBERS}, ${ANY_HEADS.__idno__}`,
    rights:
      "Rechte, Lizenz, Licence, License, Rights, Droits, " +
      "Diritti, Licenza, Derechos, Licencia, Rechten, Licentie",
    rights_holder:
      "Rechteinhaber, Rechteinhaber/in, Rights holder, Copyright holder, Ayant droit, " +
      "Titolare dei diritti, Detentore dei diritti, Titular de los derechos, Rechthebbende",
    internal_note:
      `${NOTES}, Bemerkung intern, Bemerkungen intern, Interne Bemerkung, Interne Bemerkungen, Interne Notiz, Interne Notizen, ` +
      "Notiz intern, Internal note, Internal notes, Internal remarks, Note interne, Notes internes, Remarque interne, " +
      "Remarques internes, Nota interna, Annotazione interna, Annotazioni interne, Notas internas, Observaciones internas, " +
      "Opmerking intern, Opmerkingen intern, Interne opmerking, Interne opmerkingen, Interne notitie",
    __media__:
      "Foto, Fotos, Fotodatei, Bild, Bilder, Bilddatei, Dateiname, Photo, Photos, Image, Images, Image file, File name, Fichier, " +
      "Fichier image, " +
      "Fotografia, Immagine, Immagini, File immagine, Nome file, Fotografía, Imagen, Imágenes, Archivo de imagen, " +
      "Nombre de archivo, Afbeelding, Afbeeldingen, Bestandsnaam, Fotobestand",
  },
  entity: {
    name:
      "Name, Person, Künstler, Künstler/in, Hersteller, Artist, Maker, Nom, Artiste, Auteur, " +
      "Nome, Persona, Artista, Autore, Nombre, Autor, Autora, Naam, Persoon, Kunstenaar, Vervaardiger",
    alternative_name:
      "Andere Namen, Weitere Namen, Pseudonym, Other names, Also known as, Autres noms, Pseudonyme, " +
      "Altri nomi, Altro nome, Pseudonimo, Otros nombres, Otro nombre, Seudónimo, Andere namen, Pseudoniem",
    birth_date:
      "Geburtsdatum, Geburtsjahr, Geboren, geb., Born, Birth, Birth date, Date of birth, Year of birth, Né, " +
      "Date de naissance, " +
      "Data di nascita, Nascita, Anno di nascita, Nato, Fecha de nacimiento, Nacimiento, Año de nacimiento, Nacido, " +
      "Geboortedatum, Geboortejaar, Geboren op",
    death_date:
      "Todesdatum, Todesjahr, Sterbedatum, Gestorben, gest., Died, Death, Death date, Date of death, Date de décès, Mort, " +
      "Data di morte, Morte, Anno di morte, Morto, Fecha de fallecimiento, Fecha de muerte, Fallecimiento, Año de muerte, " +
      "Sterfdatum, Overlijdensdatum, Sterfjaar, Overleden",
    "__relation:born_at:place__":
      "Geburtsort, Place of birth, Birthplace, Lieu de naissance, " +
      "Luogo di nascita, Lugar de nacimiento, Geboorteplaats",
    "__relation:died_at:place__":
      "Sterbeort, Todesort, Place of death, Lieu de décès, " +
      "Luogo di morte, Lugar de fallecimiento, Lugar de muerte, Sterfplaats, Plaats van overlijden",
    nationality: "Nationalität, Nationality, Nationalité, Nazionalità, Nacionalidad, Nationaliteit",
    role:
      "Beruf, Tätigkeit, Rolle, Occupation, Profession, Role, Métier, " +
      "Professione, Ruolo, Qualifica, Profesión, Ocupación, Función, Beroep, Rol",
    gnd: "GND, GND-Nummer, GND-ID",
    website: "Webseite, Website, Internet, URL, Site web, Sito web, Sitio web, Página web",
    biography: `Biografie, Biographie, Lebenslauf, Vita, Biography, ${NOTES}, ${DESCRIPTION}`,
  },
  place: {
    name:
      "Ort, Ortsname, Name, Place, Place name, Lieu, Nom, " +
      "Luogo, Nome, Località, Toponimo, Lugar, Nombre, Localidad, Topónimo, Plaats, Plaatsnaam, Naam",
    __lat__: "Breite, Breitengrad, Latitude, Lat, Latitudine, Latitud, Breedtegraad",
    __lon__: "Länge, Längengrad, Longitude, Long, Lon, Lng, Longitudine, Longitud, Lengtegraad",
    "__relation:falls_within:place__":
      "Land, Region, Liegt in, Country, Pays, Région, Stato, Paese, Regione, Provincia, País, Región",
    description: `${DESCRIPTION}, ${NOTES}`,
  },
  occurrence: {
    title:
      "Titel, Ausstellung, Veranstaltung, Name, Title, Exhibition, Event, Titre, Exposition, " +
      "Titolo, Mostra, Evento, Título, Exposición, Acontecimiento, Tentoonstelling, Gebeurtenis",
    date:
      "Datum, Zeitraum, Laufzeit, Dauer, Date, Dates, Période, " +
      "Data, Periodo, Fecha, Fechas, Período, Looptijd, Periode",
    "__relation:took_place_at:place__": "Ort, Place, Venue, Lieu, Luogo, Sede, Lugar, Plaats, Locatie",
    description: `${DESCRIPTION}, ${NOTES}`,
  },
  collection: {
    title:
      "Sammlung, Name, Titel, Bezeichnung, Collection, Title, Titre, Nom, " +
      "Collezione, Titolo, Nome, Raccolta, Colección, Título, Nombre, Collectie, Naam",
    extent: "Umfang, Extent, Étendue, Consistenza, Volumen, Extensión, Omvang",
    description: `${DESCRIPTION}, ${NOTES}`,
  },
  storage_location: {
    name:
      "Standort, Lagerort, Name, Bezeichnung, Location, Emplacement, Nom, " +
      "Collocazione, Ubicazione, Nome, Ubicación, Nombre, Standplaats, Locatie, Naam",
    barcode: "Barcode, Strichcode, Code-barres, Codice a barre, Código de barras, Streepjescode",
    __parent__:
      "In, Liegt in, Übergeordnet, Parent, Parte di, Contenuto in, Dentro de, Onderdeel van, Ligt in",
    climate_note: "Klima, Climate, Climat, Clima, Klimaat",
  },
};

/** Words in columns of object names, by the subtype that they mean. Labels of subtypes count, too. */
export const NAMES_OF_TYPES: Readonly<Record<string, string>> = {
  painting:
    "Gemälde, Ölgemälde, Ölbild, Tafelbild, Oil painting, Tableau, Peinture, Huile sur toile, " +
    "Dipinto, Pittura, Quadro, Olio su tela, Pintura, Cuadro, Óleo, Óleo sobre lienzo, Schilderij, Olieverfschilderij",
  drawing:
    "Zeichnung, Handzeichnung, Skizze, Aquarell, Sketch, Watercolour, Watercolor, Dessin, Esquisse, Aquarelle, " +
    "Disegno, Schizzo, Acquerello, Dibujo, Boceto, Acuarela, Tekening, Schets, Aquarel",
  print:
    "Grafik, Graphik, Druckgrafik, Druckgraphik, Radierung, Holzschnitt, Kupferstich, Lithografie, Lithographie, Plakat, " +
    "Etching, " +
    "Woodcut, Engraving, Lithograph, Poster, Estampe, Gravure, Eau-forte, Affiche, " +
    "Stampa, Incisione, Acquaforte, Xilografia, Litografia, Manifesto, Estampa, Grabado, Aguafuerte, Xilografía, " +
    "Litografía, Cartel, Prent, Ets, Houtsnede, Litho",
  photograph:
    "Foto, Fotografie, Photographie, Fotoabzug, Negativ, Diapositiv, Photo, Negative, Photographie, Négatif, " +
    "Fotografia, Negativo, Diapositiva, Fotografía, Dia, Negatief",
  sculpture:
    "Skulptur, Plastik, Statue, Statuette, Büste, Bust, Sculpture, Buste, " +
    "Scultura, Statua, Statuetta, Busto, Escultura, Estatua, Talla, Beeld, Sculptuur, Beeldje, Standbeeld",
  textile:
    "Textil, Kleid, Tracht, Kostüm, Teppich, Fahne, Dress, Costume, Carpet, Flag, Robe, Tapis, Drapeau, " +
    "Tessuto, Abito, Tappeto, Bandiera, Arazzo, Tejido, Vestido, Traje, Alfombra, Bandera, Tapiz, Textiel, Jurk, Kostuum, " +
    "Tapijt, Vlag, Wandtapijt",
  furniture:
    "Möbel, Stuhl, Tisch, Schrank, Truhe, Kommode, Chair, Table, Cupboard, Chest, Chaise, Armoire, Coffre, Meuble, " +
    "Mobile, Sedia, Tavolo, Armadio, Cassapanca, Cassettone, Mueble, Silla, Mesa, Armario, Arca, Cómoda, Meubel, Stoel, " +
    "Tafel, Kast, Kist",
  coin: "Münze, Medaille, Medal, Monnaie, Médaille, Moneta, Medaglia, Moneda, Medalla, Munt, Penning",
  ceramic:
    "Keramik, Kachel, Fliese, Céramique, Carreau, " +
    "Ceramica, Maiolica, Piastrella, Cerámica, Azulejo, Keramiek, Tegel, Aardewerk",
  book: "Buch, Livre, Libro, Boek",
  manuscript:
    "Handschrift, Urkunde, Brief, Letter, Charter, Lettre, Manuscrit, " +
    "Manoscritto, Codice, Lettera, Pergamena, Manuscrito, Códice, Carta, Manuscript, Oorkonde",
  audiovisual:
    "Film, Tonband, Schallplatte, Video, Disque, Vidéo, " +
    "Pellicola, Disco, Nastro, Película, Grabación, Opname, Grammofoonplaat",
};

export const listed = (names: string): string[] => names.split(", ");
