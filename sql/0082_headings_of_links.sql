-- Why: the label of a link is the heading of a list. Native readers found verbs there that nobody writes as a heading ("Cedió", "Droeg
-- over"), and a singular above several. A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('created', 'de', 'hat geschaffen', 'Werke'),
      ('depicts', 'de', 'stellt dar', 'dargestellt'),
      ('depicts', 'nl', 'beeldt af', 'voorstelling van'),
      ('exhibited', 'de', 'zeigte', 'ausgestellte Objekte'),
      ('exhibited', 'fr', 'a présenté', 'objets exposés'),
      ('exhibited', 'it', 'ha esposto', 'oggetti esposti'),
      ('exhibited', 'es', 'expuso', 'objetos expuestos'),
      ('exhibited', 'nl', 'stelde tentoon', 'tentoongestelde objecten'),
      ('handed over', 'en', 'handed over', 'source of'),
      ('handed over', 'de', 'überließ', 'übergebene Objekte'),
      ('handed over', 'fr', 'a cédé', 'objets cédés'),
      ('handed over', 'it', 'ha ceduto', 'oggetti ceduti'),
      ('handed over', 'es', 'cedió', 'fuente de ingreso de'),
      ('handed over', 'nl', 'droeg over', 'overgedragen objecten'),
      ('owns', 'fr', 'possède', 'propriétaire de'),
      ('owns', 'it', 'possiede', 'beni di proprietà'),
      ('owns', 'es', 'posee', 'bienes en propiedad'),
      ('keeps', 'de', 'verwahrt', 'verwahrte Objekte'),
      ('keeps', 'fr', 'conserve', 'objets conservés'),
      ('keeps', 'it', 'conserva', 'oggetti conservati'),
      ('keeps', 'es', 'conserva', 'objetos conservados'),
      ('keeps', 'nl', 'bewaart', 'bewaarde objecten'),
      ('stored at', 'nl', 'heeft als standplaats', 'standplaats'),
      ('stores', 'en', 'stores', 'stored here'),
      ('stores', 'de', 'beherbergt', 'hier gelagert'),
      ('stores', 'fr', 'abrite', 'rangé ici'),
      ('stores', 'it', 'ospita', 'collocato qui'),
      ('stores', 'es', 'alberga', 'almacenado aquí'),
      ('subject of procedure', 'en', 'subject of procedure', 'procedures'),
      ('subject of procedure', 'de', 'Gegenstand des Vorgangs', 'Vorgänge'),
      ('subject of procedure', 'fr', 'objet de la procédure', 'procédures'),
      ('subject of procedure', 'it', 'oggetto della procedura', 'procedure'),
      ('subject of procedure', 'es', 'objeto del procedimiento', 'procedimientos'),
      ('subject of procedure', 'nl', 'onderwerp van procedure', 'procedures'),
      ('participated in', 'fr', 'a participé à', 'participation à'),
      ('participated in', 'it', 'ha partecipato a', 'partecipazione a'),
      ('participated in', 'es', 'participó en', 'participación en'),
      ('participated in', 'nl', 'nam deel aan', 'deelname aan'),
      ('has participant', 'en', 'has participant', 'participants'),
      ('has participant', 'fr', 'a pour participant', 'participants'),
      ('has participant', 'it', 'ha come partecipante', 'partecipanti'),
      ('has participant', 'es', 'tiene como participante', 'participantes'),
      ('has participant', 'nl', 'heeft als deelnemer', 'deelnemers'),
      ('took place at', 'de', 'fand statt in', 'Ort'),
      ('took place at', 'es', 'tuvo lugar en', 'lugar'),
      ('took place at', 'nl', 'vond plaats in', 'plaats'),
      ('has member', 'en', 'has member', 'members'),
      ('has member', 'fr', 'a pour membre', 'membres'),
      ('has member', 'it', 'ha come membro', 'membri'),
      ('has member', 'es', 'tiene como miembro', 'miembros'),
      ('has member', 'nl', 'heeft als lid', 'leden'),
      ('parent of', 'es', 'progenitor de', 'padre o madre de'),
      ('contains place', 'en', 'contains place', 'places within'),
      ('contains place', 'de', 'umfasst den Ort', 'zugehörige Orte'),
      ('contains place', 'fr', 'comprend le lieu', 'lieux compris'),
      ('contains place', 'it', 'comprende il luogo', 'luoghi compresi'),
      ('contains place', 'es', 'comprende el lugar', 'lugares que comprende'),
      ('contains place', 'nl', 'omvat de plaats', 'omvat de plaatsen'),
      ('exemplified by', 'fr', 'a pour exemplaire', 'exemplaires'),
      ('exemplified by', 'it', 'ha come esemplare', 'esemplari'),
      ('exemplified by', 'es', 'tiene como ejemplar', 'ejemplares'),
      ('exemplified by', 'nl', 'heeft als exemplaar', 'exemplaren'),
      ('related to', 'de', 'steht in Beziehung zu', 'in Beziehung zu')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}')
$$;

update relation_types set label = in_better_words(label), inverse_label = in_better_words(inverse_label)
where label <> in_better_words(label) or inverse_label <> in_better_words(inverse_label);

drop function in_better_words(jsonb);
