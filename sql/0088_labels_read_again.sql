-- Why: readers of six languages found labels that are wrong or mean two things, and the Spanish and Dutch names of
-- RightsStatements.org are the official ones now. A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('Occupations of people, and what they did for an object.', 'de', 'Berufe von Personen und ihr Anteil an einem Objekt.', 'Berufe von Personen und ihre Rolle bei einem Objekt.'),
      ('Occupations of people, and what they did for an object.', 'fr', 'Professions des personnes, et leur rôle dans la création d’un objet.', 'Professions des personnes, et leur rôle à l’égard d’un objet.'),
      ('Occupations of people, and what they did for an object.', 'it', 'Professioni delle persone e loro parte nella realizzazione di un oggetto.', 'Professioni delle persone e loro ruolo rispetto a un oggetto.'),
      ('What is shown or what it is about.', 'fr', 'Ce qui est représenté ou ce dont il s’agit.', 'Ce qui est représenté ou ce dont il est question.'),
      ('What is shown or what it is about, as a term: portrait, landscape.', 'fr', 'Ce qui est représenté ou ce dont il s’agit, en un terme : portrait, paysage.', 'Ce qui est représenté ou ce dont il est question, en un terme : portrait, paysage.'),
      ('It is public; for living people, record only what they have agreed to.', 'it', 'È pubblico; delle persone viventi registrare solo ciò a cui acconsentono.', 'Il testo è pubblico; delle persone viventi registrare solo ciò a cui acconsentono.'),
      ('It is public; for living people, record only what they have agreed to.', 'es', 'Es público; de las personas vivas, solo lo que aceptan.', 'El texto es público; de las personas vivas, solo lo que aceptan.'),
      ('Visitors can read this: prices and addresses belong in the internal note.', 'it', 'Il pubblico può leggerlo: prezzi e indirizzi vanno nella nota interna.', 'Il pubblico può leggere questo testo: prezzi e indirizzi vanno nella nota interna.'),
      ('For organisations, families and groups, in EDTF.', 'es', 'Para organizaciones, familias y grupos, en EDTF.', 'Para entidades, familias y grupos, en EDTF.'),
      ('Number of a file, contract or report elsewhere.', 'de', 'Zeichen einer Akte, eines Vertrags oder Berichts.', 'Zeichen einer Akte, eines Vertrags oder Berichts andernorts.'),
      ('Number of a file, contract or report elsewhere.', 'fr', 'Cote d’un dossier, d’un contrat ou d’un rapport.', 'Cote d’un dossier, d’un contrat ou d’un rapport conservé ailleurs.'),
      ('GND number or address, for example 118540238.', 'de', 'GND-Nummer oder Adresse, zum Beispiel 118540238.', 'GND-Nummer oder -Adresse, zum Beispiel 118540238.'),
      ('GND number or address.', 'de', 'GND-Nummer oder Adresse.', 'GND-Nummer oder -Adresse.'),
      ('Getty ULAN number or address, for example 500115588.', 'de', 'Getty-ULAN-Nummer oder Adresse, zum Beispiel 500115588.', 'Getty-ULAN-Nummer oder -Adresse, zum Beispiel 500115588.'),
      ('VIAF number or address.', 'de', 'VIAF-Nummer oder Adresse.', 'VIAF-Nummer oder -Adresse.'),
      ('GeoNames number or address, for example 2988507.', 'de', 'GeoNames-Nummer oder Adresse, zum Beispiel 2988507.', 'GeoNames-Nummer oder -Adresse, zum Beispiel 2988507.'),
      ('Getty TGN number or address, for example 7006952.', 'de', 'Getty-TGN-Nummer oder Adresse, zum Beispiel 7006952.', 'Getty-TGN-Nummer oder -Adresse, zum Beispiel 7006952.'),
      ('Date as written', 'es', 'Fecha tal como está escrita', 'Datación (texto libre)'),
      ('Loan collection', 'it', 'Collezione in prestito', 'Collezione per il prestito'),
      ('External', 'it', 'Esterno', 'Collocazione esterna'),
      ('Organisation', 'es', 'Organización', 'Entidad'),
      ('Site', 'de', 'Standort', 'Liegenschaft'),
      ('Country', 'de', 'Land', 'Staat'),
      ('Landform', 'fr', 'Relief', 'Forme de relief'),
      ('Natural history specimen', 'de', 'Naturkundliches Präparat', 'Naturkundliches Objekt'),
      ('specimen', 'de', 'Präparat', 'naturkundliches Objekt'),
      ('scientific instrument', 'de', 'Wissenschaftliches Instrument', 'wissenschaftliches Instrument'),
      ('printer', 'de', 'Druckerei, Drucker', 'Druckerei, Druckerin/Drucker'),
      ('river', 'fr', 'rivière', 'cours d’eau'),
      ('Indian (South Asian)', 'es', 'indio', 'indio (Asia meridional)'),
      ('Indian (South Asian)', 'it', 'indiano', 'indiano (Asia meridionale)'),
      ('Baroque', 'es', 'barroco', 'Barroco'),
      ('Neoclassicism', 'es', 'neoclasicismo', 'Neoclasicismo'),
      ('Romanticism', 'es', 'romanticismo', 'Romanticismo'),
      ('goldsmith', 'nl', 'edelsmid', 'goudsmid'),
      ('previous owner', 'nl', 'vorige eigenaar', 'eerdere eigenaar'),
      ('Occupations of people, and what they did for an object.', 'es', 'Profesiones de las personas y su parte en un objeto.', 'Profesiones de las personas y su función respecto a un objeto.'),
      ('CC BY-SA 4.0 (Attribution-ShareAlike)', 'es', 'CC BY-SA 4.0 (Atribución - Compartir Igual)', 'CC BY-SA 4.0 (Atribución-CompartirIgual)'),
      ('CC BY-ND 4.0 (Attribution-NoDerivatives)', 'es', 'CC BY-ND 4.0 (Atribución - Sin Derivadas)', 'CC BY-ND 4.0 (Atribución-SinDerivadas)'),
      ('CC BY-NC 4.0 (Attribution-NonCommercial)', 'es', 'CC BY-NC 4.0 (Atribución - No Comercial)', 'CC BY-NC 4.0 (Atribución-NoComercial)'),
      ('CC BY-NC-SA 4.0 (Attribution-NonCommercial-ShareAlike)', 'es', 'CC BY-NC-SA 4.0 (Atribución - No Comercial - Compartir Igual)', 'CC BY-NC-SA 4.0 (Atribución-NoComercial-CompartirIgual)'),
      ('CC BY-NC-ND 4.0 (Attribution-NonCommercial-NoDerivatives)', 'es', 'CC BY-NC-ND 4.0 (Atribución - No Comercial - Sin Derivadas)', 'CC BY-NC-ND 4.0 (Atribución-NoComercial-SinDerivadas)'),
      ('Persian', 'fr', 'perse', 'persan'),
      ('What the person is known for; the person’s part in a particular object goes in the link between them.', 'de', 'Wofür die Person bekannt ist; der Anteil an einem Objekt gehört zur Verknüpfung.', 'Wofür die Person bekannt ist; ihre Rolle bei einem Objekt gehört zur Verknüpfung.'),
      ('What the person is known for; the person’s part in a particular object goes in the link between them.', 'fr', 'Ce qui fait connaître la personne ; son rôle dans un objet se note dans le lien entre les deux.', 'Ce pour quoi la personne est connue ; son rôle à l’égard d’un objet se note dans le lien entre les deux.'),
      ('What the person is known for; the person’s part in a particular object goes in the link between them.', 'it', 'Per che cosa la persona è nota; la sua parte in un oggetto va nel loro collegamento.', 'Per che cosa la persona è nota; il suo ruolo rispetto a un oggetto va nel collegamento tra i due.'),
      ('What the person is known for; the person’s part in a particular object goes in the link between them.', 'es', 'Por qué se conoce a la persona; su parte en un objeto corresponde al vínculo entre ambos.', 'Por qué se conoce a la persona; su función respecto a un objeto corresponde al vínculo entre ambos.'),
      ('What the person is known for; the person’s part in a particular object goes in the link between them.', 'nl', 'Waarom de persoon bekend is; het aandeel in één object hoort bij de koppeling.', 'Waar de persoon om bekendstaat; de rol bij een object hoort bij de koppeling.'),
      ('The date in words, as people should read it.', 'es', 'La fecha en palabras, como debe leerse.', 'La datación en palabras, como debe leerse.'),
      ('The number in the accession register, where it differs from the identification number.', 'es', 'El número en el registro de entrada, si es distinto del número de identificación.', 'El número en el registro de entrada, si es distinto del número de inventario.'),
      ('In Copyright', 'es', 'Protegido por derechos de autor', 'Protegido por derecho de autor'),
      ('In Copyright - EU Orphan Work', 'es', 'Protegido por derechos de autor - Obra huérfana de la UE', 'Protegido por derecho de autor - Obra huérfana UE'),
      ('In Copyright - EU Orphan Work', 'nl', 'Auteursrechtelijk beschermd - Verweesd werk EU', 'Auteursrechtelijk beschermd - EU Verweesd Werk'),
      ('In Copyright - Educational Use Permitted', 'es', 'Protegido por derechos de autor - Uso educativo permitido', 'Protegido por derecho de autor - Uso educativo permitido'),
      ('In Copyright - Educational Use Permitted', 'nl', 'Auteursrechtelijk beschermd - Gebruik voor onderwijs toegestaan', 'Auteursrechtelijk beschermd - educatief gebruik toegestaan'),
      ('In Copyright - Non-Commercial Use Permitted', 'es', 'Protegido por derechos de autor - Uso no comercial permitido', 'Protegido por derecho de autor - Uso No Comercial permitido'),
      ('In Copyright - Non-Commercial Use Permitted', 'nl', 'Auteursrechtelijk beschermd - Niet-commercieel gebruik toegestaan', 'Auteursrechtelijk beschermd - niet-commercieel gebruik toegestaan'),
      ('In Copyright - Rights-holder(s) Unlocatable or Unidentifiable', 'es', 'Protegido por derechos de autor - Titulares no localizables o no identificables', 'Protegido por derecho de autor - Titular o titulares de derechos imposibles de localizar o de identificar'),
      ('In Copyright - Rights-holder(s) Unlocatable or Unidentifiable', 'nl', 'Auteursrechtelijk beschermd - Rechthebbenden niet te vinden of te identificeren', 'Auteursrechtelijk beschermd - rechthebbende(n) niet-lokaliseerbaar of niet-identificeerbaar'),
      ('No Copyright - Contractual Restrictions', 'es', 'Sin derechos de autor - Restricciones contractuales', 'Sin derecho de autor - Restricciones Contractuales'),
      ('No Copyright - Contractual Restrictions', 'nl', 'Geen auteursrecht - Contractuele beperkingen', 'Niet auteursrechtelijk beschermd - contractuele beperkingen'),
      ('No Copyright - Non-Commercial Use Only', 'es', 'Sin derechos de autor - Solo uso no comercial', 'Sin derecho de autor - Uso No Comercial solamente'),
      ('No Copyright - Non-Commercial Use Only', 'nl', 'Geen auteursrecht - Alleen niet-commercieel gebruik', 'Niet auteursrechtelijk beschermd - uitsluitend niet-commercieel gebruik toegestaan'),
      ('No Copyright - Other Known Legal Restrictions', 'es', 'Sin derechos de autor - Otras restricciones legales conocidas', 'Sin derecho de autor - Otras restricciones legales conocidas'),
      ('No Copyright - Other Known Legal Restrictions', 'nl', 'Geen auteursrecht - Andere bekende wettelijke beperkingen', 'Niet auteursrechtelijk beschermd - andere juridische beperkingen'),
      ('No Copyright - United States', 'es', 'Sin derechos de autor - Estados Unidos', 'Sin derecho de autor - Estados Unidos'),
      ('No Copyright - United States', 'nl', 'Geen auteursrecht - Verenigde Staten', 'Niet auteursrechtelijk beschermd - Verenigde Staten'),
      ('Copyright Not Evaluated', 'es', 'Derechos de autor no evaluados', 'Derecho de autor sin evaluar'),
      ('Copyright Not Evaluated', 'nl', 'Auteursrecht niet beoordeeld', 'Auteursrechtelijke status niet geëvalueerd'),
      ('Copyright Undetermined', 'es', 'Derechos de autor indeterminados', 'Derecho de autor sin determinar'),
      ('Copyright Undetermined', 'nl', 'Auteursrecht niet vast te stellen', 'Auteursrechtelijke bescherming niet bepaald'),
      ('No Known Copyright', 'es', 'Sin derechos de autor conocidos', 'Sin derecho de autor conocido'),
      ('No Known Copyright', 'nl', 'Geen auteursrecht bekend', 'Geen auteursrechtelijke beperkingen bekend')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}')
$$;

update vocabularies set description = in_better_words(description) where description <> in_better_words(description);
update vocabulary_terms set label = in_better_words(label) where label <> in_better_words(label);
update schema_fields set label = in_better_words(label), help = in_better_words(help)
where label <> in_better_words(label) or help <> in_better_words(help);
update record_subtypes set label = in_better_words(label) where label <> in_better_words(label);

-- the same words are right elsewhere: the date of an event, the site of an excavation, an unknown gender
update schema_fields set label = label || '{"es": "Datación"}'
where record_type = 'object' and name = 'date' and label ->> 'en' = 'Date' and label ->> 'es' = 'Fecha';
update record_subtypes set label = label || '{"it": "Sede", "es": "Sede"}'
where record_type = 'storage_location' and name = 'site' and label ->> 'it' = 'Sito' and label ->> 'es' = 'Sitio';
update vocabulary_terms set label = label || '{"it": "sconosciuta", "es": "desconocida"}'
where vocabulary = 'acquisition_method' and value = 'unknown' and label ->> 'it' = 'sconosciuto' and label ->> 'es' = 'desconocido';

drop function in_better_words(jsonb);
