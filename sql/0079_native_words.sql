-- Why: native readers found labels and helps of the default configuration that nobody says, or that say another thing ("parent de"
-- is any relative). A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('What the thing is, in one noun.', 'de', 'Was das Ding ist, in einem Hauptwort.', 'Was das Objekt ist, in einem Substantiv.'),
      ('What the thing is, in one noun.', 'fr', 'Ce qu’est la chose, en un nom.', 'Ce qu’est l’objet, en un seul nom.'),
      ('Rights statements and licences; the value is their URI.', 'de', 'Rechtehinweise und Lizenzen; der Wert ist ihre URI.', 'Rechteangaben und Lizenzen; der Wert ist ihre URI.'),
      ('Rights statements and licences; the value is their URI.', 'fr', 'Déclarations de droits et licences ; la valeur est leur URI.', 'Mentions des droits et licences ; la valeur est leur URI.'),
      ('Occupations of people, and what they did for an object.', 'de', 'Berufe von Personen, und was sie an einem Objekt getan haben.', 'Berufe von Personen und ihr Anteil an einem Objekt.'),
      ('Occupations of people, and what they did for an object.', 'fr', 'Professions des personnes, et leur part dans un objet.', 'Professions des personnes, et leur rôle dans la création d’un objet.'),
      ('Kinds of place, as gazetteers name them.', 'fr', 'Types de lieux, comme les répertoires les nomment.', 'Types de lieux, tels que les nomment les répertoires géographiques.'),
      ('Empty: it grows with the people you describe.', 'de', 'Leer: Sie wächst mit den Personen, die Sie beschreiben.', 'Leer: Die Liste wächst mit den Personen, die Sie beschreiben.'),
      ('Empty: it grows with the people you describe.', 'fr', 'Vide : elle grandit avec les personnes que vous décrivez.', 'Vide : la liste s’enrichit avec les personnes que vous décrivez.'),
      ('Date as written', 'fr', 'Date telle qu’écrite', 'Date (texte libre)'),
      ('The date in words, as people should read it.', 'fr', 'La date en toutes lettres, comme on doit la lire.', 'La date telle que le public doit la lire.'),
      ('When it was made, in words or in EDTF: about 1920, 1920s, 1900–1910, before 1800, 1920~.', 'fr', 'Quand il a été fait, en mots ou en EDTF : vers 1920, années 1920, 1900–1910, avant 1800, 1920~.', 'Quand l’objet a été réalisé, en texte ou en EDTF : vers 1920, années 1920, 1900–1910, avant 1800, 1920~.'),
      ('Material and technique in words', 'fr', 'Matières et techniques en mots', 'Matières et techniques (texte libre)'),
      ('What it is, in one noun: painting, bowl, coin.', 'de', 'Was es ist, in einem Hauptwort: Gemälde, Schale, Münze.', 'Was es ist, in einem Substantiv: Gemälde, Schale, Münze.'),
      ('What it is, in one noun: painting, bowl, coin.', 'fr', 'Ce que c’est, en un nom : peinture, bol, monnaie.', 'Ce qu’est l’objet, en un seul nom : peinture, bol, monnaie.'),
      ('What a visitor sees and should know; it is public.', 'de', 'Was Besuchende sehen und wissen sollen; der Text ist öffentlich.', 'Was Besucher sehen und wissen sollen; der Text ist öffentlich.'),
      ('Creator', 'fr', 'Créateur', 'Auteur (mention)'),
      ('Only while the person or workshop has no record of its own to link to.', 'fr', 'Seulement tant que la personne ou l’atelier n’a pas sa propre fiche.', 'Seulement tant que la personne ou l’atelier n’a pas sa propre notice.'),
      ('Only while the place has no record of its own to link to.', 'fr', 'Seulement tant que le lieu n’a pas sa propre fiche.', 'Seulement tant que le lieu n’a pas sa propre notice.'),
      ('People, places and things in the picture that have no record to link to.', 'fr', 'Personnes, lieux et choses de l’image qui n’ont pas leur propre fiche.', 'Personnes, lieux et choses de l’image qui n’ont pas leur propre notice.'),
      ('One exhibition an entry; link to a record where there is one.', 'fr', 'Une exposition par entrée ; liez la fiche quand elle existe.', 'Une exposition par entrée ; liez la notice quand elle existe.'),
      ('Only what the storage location record cannot say. Never public.', 'fr', 'Seulement ce que la fiche de l’emplacement ne peut dire. Jamais public.', 'Seulement ce que la notice de l’emplacement ne peut dire. Jamais public.'),
      ('Kind, value and unit: height 62.5 cm.', 'de', 'Art, Wert und Einheit: Höhe 62.5 cm.', 'Art, Wert und Einheit: Höhe 62,5 cm.'),
      ('Kind, value and unit: height 62.5 cm.', 'fr', 'Type, valeur et unité : hauteur 62.5 cm.', 'Type, valeur et unité : hauteur 62,5 cm.'),
      ('Kind, value and unit: height 62.5 cm.', 'it', 'Tipo, valore e unità: altezza 62.5 cm.', 'Tipo, valore e unità: altezza 62,5 cm.'),
      ('Kind, value and unit: height 62.5 cm.', 'es', 'Tipo, valor y unidad: altura 62.5 cm.', 'Tipo, valor y unidad: altura 62,5 cm.'),
      ('Kind, value and unit: height 62.5 cm.', 'nl', 'Soort, waarde en eenheid: hoogte 62.5 cm.', 'Soort, waarde en eenheid: hoogte 62,5 cm.'),
      ('About the making', 'fr', 'Sur la fabrication', 'Précisions sur la fabrication'),
      ('About the acquisition', 'fr', 'Sur l’acquisition', 'Précisions sur l’acquisition'),
      ('Owners in order of time, with dates, places and gaps; it is public.', 'de', 'Eigentümer in zeitlicher Folge, mit Daten, Orten und Lücken; der Text ist öffentlich.', 'Eigentümer in zeitlicher Reihenfolge, mit Daten, Orten und Lücken; der Text ist öffentlich.'),
      ('Owners in order of time, with dates, places and gaps; it is public.', 'fr', 'Propriétaires dans l’ordre du temps, avec dates, lieux et lacunes ; ce texte est public.', 'Propriétaires dans l’ordre chronologique, avec dates, lieux et lacunes ; ce texte est public.'),
      ('As it must stand beside the object: Gift of A. Miller, 1987.', 'de', 'Wie sie beim Objekt stehen muss: Geschenk von A. Müller, 1987.', 'Wie sie beim Objekt stehen muss: Schenkung A. Müller, 1987.'),
      ('What visitors may do with the text and the pictures.', 'de', 'Was Besuchende mit Text und Bildern tun dürfen.', 'Was Besucher mit Text und Bildern tun dürfen.'),
      ('How many pieces must be counted when the object moves.', 'de', 'Wie viele Teile beim Bewegen zu zählen sind.', 'Wie viele Teile bei einem Standortwechsel zu zählen sind.'),
      ('How many pieces must be counted when the object moves.', 'fr', 'Combien de pièces il faut compter lors d’un mouvement.', 'Combien de pièces compter lors d’un déplacement.'),
      ('The name as visitors should read it: Artemisia Gentileschi.', 'de', 'Der Name, wie Besuchende ihn lesen sollen: Artemisia Gentileschi.', 'Der Name, wie Besucher ihn lesen sollen: Artemisia Gentileschi.'),
      ('It is public; of living people record only what they agree to.', 'de', 'Der Text ist öffentlich; von Lebenden nur, womit sie einverstanden sind.', 'Der Text ist öffentlich; über lebende Personen nur das, womit sie einverstanden sind.'),
      ('It is public; of living people record only what they agree to.', 'fr', 'Ce texte est public ; pour les vivants, seulement ce qu’ils acceptent.', 'Ce texte est public ; sur les personnes vivantes, seulement ce qu’elles acceptent.'),
      ('What the person is known for; the part in one object belongs to the link between them.', 'fr', 'Ce pour quoi la personne est connue ; sa part dans un objet va avec le lien.', 'Ce qui fait connaître la personne ; son rôle dans un objet se note dans le lien entre les deux.'),
      ('A whole address with https://.', 'de', 'Eine ganze Adresse mit https://.', 'Eine vollständige Adresse mit https://.'),
      ('What is done with which object, in a few words.', 'fr', 'Ce qui est fait de quel objet, en quelques mots.', 'L’opération et l’objet concerné, en quelques mots.'),
      ('Extent', 'fr', 'Étendue', 'Importance matérielle'),
      ('About how much: 3,200 prints, 14 m of files.', 'fr', 'Environ combien : 3 200 estampes, 14 m de dossiers.', 'Ordre de grandeur : 3 200 estampes, 14 m de dossiers.'),
      ('How much fits, and how much is free.', 'fr', 'Combien y tient, et combien reste libre.', 'Ce qui y tient, et la place qui reste.'),
      ('Settlement', 'de', 'Siedlung', 'Ortschaft'),
      ('Permanent collection', 'de', 'Dauerbestand', 'Ständige Sammlung'),
      ('Handling collection', 'fr', 'Collection de manipulation', 'Collection pédagogique'),
      ('created by', 'fr', 'créé par', 'auteur'),
      ('created', 'fr', 'a créé', 'auteur de'),
      ('made at', 'fr', 'fabriqué à', 'lieu de production'),
      ('made at', 'it', 'eseguito a', 'luogo di esecuzione'),
      ('depicted in', 'fr', 'représenté dans', 'figure dans'),
      ('depicted in', 'it', 'raffigurato in', 'compare in'),
      ('depicted in', 'es', 'representado en', 'aparece en'),
      ('has part', 'de', 'hat Teil', 'umfasst'),
      ('found at', 'fr', 'trouvé à', 'lieu de découverte'),
      ('found at', 'it', 'rinvenuto a', 'luogo di rinvenimento'),
      ('exhibited in', 'fr', 'exposé dans', 'exposition'),
      ('acquired from', 'fr', 'acquis de', 'acquis auprès de'),
      ('stores', 'de', 'lagert', 'beherbergt'),
      ('has participant', 'de', 'hat Beteiligte', 'Beteiligte'),
      ('took place at', 'fr', 'a eu lieu à', 'lieu'),
      ('took place at', 'it', 'si è svolto a', 'luogo'),
      ('has member', 'de', 'hat Mitglied', 'Mitglieder'),
      ('parent of', 'fr', 'parent de', 'père ou mère de'),
      ('exemplified by', 'de', 'hat Exemplar', 'Exemplare')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}') || coalesce((
    -- no line begins with a colon
    select jsonb_build_object('fr', regexp_replace(fr, ' ([:;])', U&'\00A0\\1', 'g'))
    from (values
      ('Cultures d’origine ; remplacez-les par les noms que les communautés emploient.'),
      ('Vide : les départements sont les vôtres.'),
      ('Le nom sous lequel l’objet est connu ; à défaut, une description en quelques mots.'),
      ('Ce que le public voit et doit savoir ; ce texte est public.'),
      ('Ce qui est représenté ou ce dont il s’agit, en un terme : portrait, paysage.'),
      ('Édition, état ou numéro : 3e état, 12/50.'),
      ('Telle qu’elle doit figurer près de l’objet : Don A. Meunier, 1987.'),
      ('Quand il est entré dans la collection, en EDTF : 1987-03-12, 1987.'),
      ('Montant, devise et année : EUR 12000 (2024). Jamais public.'),
      ('Le nom tel que le public doit le lire : Artemisia Gentileschi.'),
      ('Pour les personnes, en EDTF : 1853-03-30, 1606~.'),
      ('Selon la personne elle-même ou selon les sources ; à omettre si cela n’importe pas.'),
      ('Le nom en usage aujourd’hui ; une entrée par langue.'),
      ('Latitude puis longitude, en degrés décimaux (WGS 84) : 48.8606,2.3376.'),
      ('Début et fin, en EDTF : 2024-05-01/2024-09-30.'),
      ('Pour les œuvres et leurs versions ; en code : en, de, fr, la.'),
      ('Qui a la clé ; que faire en cas d’urgence.'),
      ('Ce que les termes ne disent pas : huile sur toile ; cadre : bois doré.'),
      ('Numéros anciens et autres, avec leur nature : ancien inventaire : K 17.'),
      ('Visible par le public : prix et adresses vont dans la note interne.')
    ) spaced(fr)
    where fr = said ->> 'fr'), '{}')
$$;

-- one statement for each table: each raises the version of the configuration once
update vocabularies set label = in_better_words(label), description = in_better_words(description)
where label <> in_better_words(label) or description <> in_better_words(description);
update schema_fields set label = in_better_words(label), help = in_better_words(help)
where label <> in_better_words(label) or help <> in_better_words(help);
update record_subtypes set label = in_better_words(label) where label <> in_better_words(label);
update relation_types set label = in_better_words(label), inverse_label = in_better_words(inverse_label)
where label <> in_better_words(label) or inverse_label <> in_better_words(inverse_label);
-- 0078 called techniques by the names of their objects
update vocabulary_terms t set label = t.label || better
from (values
  ('painting', '{"it": "dipinto", "nl": "schilderij"}'::jsonb, '{"it": "pittura", "nl": "schilderen"}'::jsonb),
  ('drawing', '{"nl": "tekening"}', '{"nl": "tekenen"}')
) words(value, was, better)
where t.vocabulary = 'technique' and t.value = words.value and t.label @> was;

drop function in_better_words(jsonb);
