/** An object as LIDO 1.1 (http://www.lido-schema.org/schema/v1.1/lido-v1.1.xsd): a pure function of what visitors may see. */
import { isLanguageTag } from "../../language-tag.ts";
import { attributionKey } from "../../records/links/attributions.ts";
import type { Named } from "../../records/public/beyond-links.ts";
import { labelsOf } from "../../records/public/loaded.ts";
import { type Entry, entriesOf } from "../../records/record.ts";
import { type Field, fieldsOf } from "../../records/schema.ts";
import { wordSet } from "../../text.ts";
import { type Attributes, element, type Xml } from "../../xml.ts";
import { pageAddress } from "../addresses.ts";
import { namesOf, valuesBy } from "../named.ts";
import { classesOf } from "../rdf/patterns/classes.ts";
import { type Concept, DIMENSIONS, KINDS_OF_TEXT, UNITS } from "../rdf/patterns/getty.ts";
import { iriOf } from "../rdf/patterns/names.ts";
import type { DeliveredView } from "../view.ts";
import { administrativeMetadata } from "./lido-administration.ts";
import { eventWrap, type NamedLink } from "./lido-events.ts";
import { readAbout } from "./lido-measures.ts";
import { identifiers } from "./lido-named.ts";
import {
  concept,
  conceptOf,
  conceptsBy,
  from,
  holder,
  lido,
  lidoWith,
  names,
  text,
  textsBy,
  uriId,
  variants,
} from "./lido-parts.ts";
import { objectRelationWrap } from "./lido-relations.ts";
import { CURRENT_REPOSITORY, HUMAN_MADE_OBJECT, INVENTORY_NUMBER } from "./lido-terms.ts";

export const LIDO_NAMESPACE = "http://www.lido-schema.org";
export const LIDO_SCHEMA = "http://www.lido-schema.org/schema/v1.1/lido-v1.1.xsd";

const DECLARED: Attributes = {
  "xmlns:lido": LIDO_NAMESPACE,
  "xmlns:gml": "http://www.opengis.net/gml",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation": `${LIDO_NAMESPACE} ${LIDO_SCHEMA}`,
};

/** All languages share one group of descriptive metadata. With a group per language, portals show each event twice. */
export function lidoOf(view: DeliveredView): Xml {
  const links = linksOf(view);
  const lang = mainLanguage(view);
  return element(
    "lido:lido",
    DECLARED,
    uriId("lidoRecID", pageAddress(view)),
    view.record.ark && uriId("objectPublishedID", view.record.ark.url),
    category(view),
    lidoWith(
      "descriptiveMetadata",
      { "xml:lang": lang },
      classification(view),
      identification(view, links),
      eventWrap(view, links),
      objectRelationWrap(view, links),
    ),
    administrativeMetadata(view, links, lang),
  );
}

/** Sorted, so that the order does not depend on when links were made. */
function linksOf({ around, record, named }: DeliveredView): NamedLink[] {
  const links = record.links.flatMap(({ relation_type, outgoing, metadata, other }) => {
    const type = around.schema.relationTypes.get(relation_type);
    const found = named.get(other.id);
    return type && found ? [{ type, outgoing, metadata, named: found }] : [];
  });
  const place = ({ type, named: { record_type, idno }, metadata }: NamedLink) =>
    `${type.name} ${record_type} ${idno} ${attributionKey(metadata)}`;
  return links.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** The language of the first title that has one, else `und` (undetermined, BCP 47). */
function mainLanguage({ record: { row } }: DeliveredView): string {
  const entries = [...(row.metadata.title ?? []), ...Object.values(row.metadata).flat()];
  return entries.find(({ lang = "" }) => isLanguageTag(lang))?.lang ?? "und";
}

function category({ around, record: { row } }: DeliveredView): Xml {
  const [name] = classesOf(around.schema, row.record_type, row.subtype);
  const isMade = name === "E22_Human-Made_Object";
  const label = name!.slice(name!.indexOf("_") + 1).replaceAll("_", " ");
  return concept("category", {
    uris: [...(isMade ? [HUMAN_MADE_OBJECT] : []), iriOf(name!)],
    terms: [{ value: label, lang: "en" }],
  });
}

function classification(view: DeliveredView): Xml {
  const { row } = view.record;
  const subtype = view.around.schema.subtypes.get("object")?.get(row.subtype);
  const kind = {
    uris: [`${view.around.baseUrl}/v1/subtypes/object/${row.subtype}`],
    terms: subtype ? entriesOf(subtype.label) : [{ value: row.subtype }],
  };
  const types = conceptsBy(view, "object_name", "objectWorkType");
  const classes = valuesBy(view, row, "style", "type").flatMap(({ field, entries }) =>
    entries.map((entry) =>
      concept("classification", conceptOf(view, field, entry), { "lido:type": field.name }),
    ),
  );
  return lido(
    "objectClassificationWrap",
    lido("objectWorkTypeWrap", types.length > 0 ? types : concept("objectWorkType", kind)),
    lido("classificationWrap", concept("classification", kind, { "lido:type": "object type" }), classes),
  );
}

function identification(view: DeliveredView, links: readonly NamedLink[]): Xml {
  const { row } = view.record;
  const called = (pattern: string) =>
    valuesBy(view, row, pattern).flatMap(({ field, entries }) =>
      entries.map((entry) => ({ ...entry, field: field.name })),
    );
  const titles = called("title");
  return lido(
    "objectIdentificationWrap",
    lido(
      "titleWrap",
      names("titleSet", titles.length > 0 ? titles : [{ value: row.idno }], called("alternative_title")),
    ),
    inscriptions(view),
    repositories(view, links),
    holder("displayStateEditionWrap", textsBy(view, "edition", "displayEdition")),
    descriptions(view),
    measurements(view),
  );
}

function inscriptions(view: DeliveredView): Xml | null {
  return holder(
    "inscriptionsWrap",
    textsBy(view, "inscription", "inscriptionTranscription").map((each) => lido("inscriptions", each)),
  );
}

function repositories(view: DeliveredView, links: readonly NamedLink[]): Xml {
  const { row } = view.record;
  const keepers = links.filter(({ type, outgoing }) => outgoing && type.name === "kept_by");
  const numbers = [
    lidoWith("workID", { "lido:type": INVENTORY_NUMBER, ...from("idno") }, row.idno),
    ...valuesBy(view, row, "identifier").flatMap(({ field, entries }) =>
      entries.map(({ value }) => workId(value, from(field))),
    ),
  ];
  const bodies = keepers.length > 0 ? keepers.map(({ named }) => keeper(view, named)) : [museum(view)];
  return lido(
    "repositoryWrap",
    bodies.map((name, index) =>
      lidoWith(
        "repositorySet",
        { "lido:type": CURRENT_REPOSITORY },
        index === 0 ? textsBy(view, "department", "displayRepository") : null,
        name,
        index === 0 ? numbers : null,
      ),
    ),
  );
}

/** `old inventory: K 17` is a number of another type. */
function workId(value: string, attributes: Attributes): Xml {
  const [, type = INVENTORY_NUMBER, number = value] = /^([^:\s][^:]{0,80}): (\S.*)$/s.exec(value) ?? [];
  return lidoWith("workID", { "lido:type": type, ...attributes }, number);
}

const museum = (view: DeliveredView): Xml =>
  lido(
    "repositoryName",
    names("legalBodyName", view.museum.names),
    lido("legalBodyWeblink", view.museum.homepage),
  );

const keeper = (view: DeliveredView, named: Named): Xml =>
  lido("repositoryName", identifiers(view, "legalBodyID", named), names("legalBodyName", namesOf(named)));

/** Patterns of fields with an element of their own. Other public fields become descriptions. */
const PLACED = wordSet(
  "title alternative_title object_name style type inscription edition identifier department measurement",
  "production_timespan production_timespan_text creator_text material technique culture",
  "place_of_production_text acquisition_date material_text production_note acquisition_note",
  "acquisition_method subject depicted_text bibliography right rights_holder credit",
);

function descriptions(view: DeliveredView): Xml | null {
  const { row } = view.record;
  const fields = [...fieldsOf(view.around.schema, row.record_type).values()].filter(
    ({ name, mapping }) => row.metadata[name]?.length && !PLACED.has(String(mapping.pattern)),
  );
  return holder(
    "objectDescriptionWrap",
    fields.flatMap((field) =>
      variants(wordsOf(view, field)).map((group) =>
        lidoWith(
          "objectDescriptionSet",
          { "lido:type": kindOfText(view, field) },
          group.map((entry) => text("descriptiveNoteValue", entry, from(field))),
        ),
      ),
    ),
  );
}

/** The values of a field. A field of type relation has the names of its records. */
function wordsOf({ record: { row, named } }: DeliveredView, { name, field_type }: Field): readonly Entry[] {
  const entries = row.metadata[name] ?? [];
  if (field_type !== "relation") return entries;
  return entries.flatMap(({ value }) => {
    const other = named.get(value.toLowerCase());
    return other ? labelsOf(other.names, other.idno).slice(0, 1) : [];
  });
}

function kindOfText({ around }: DeliveredView, { record_type, name, mapping }: Field): string {
  const known = KINDS_OF_TEXT[String(mapping.pattern)] ?? KINDS_OF_TEXT[name];
  return known?.iri ?? `${around.baseUrl}/v1/schemas/${record_type}/${name}`;
}

function measurements(view: DeliveredView): Xml | null {
  return holder(
    "objectMeasurementsWrap",
    valuesBy(view, view.record.row, "measurement").flatMap(({ field, entries }) =>
      entries.map((entry) =>
        lido(
          "objectMeasurementsSet",
          text("displayObjectMeasurements", entry, from(field)),
          measurementsSet(entry.value),
        ),
      ),
    ),
  );
}

function measurementsSet(value: string): Xml | null {
  const read = readAbout(value);
  if (!read) return null;
  const of = (known: Concept | undefined, word: string) => ({
    uris: known ? [known.iri] : [],
    terms: [{ value: word }],
  });
  return lido(
    "objectMeasurements",
    lido(
      "measurementsSet",
      concept("measurementType", of(DIMENSIONS.get(read.kind.toLowerCase()), read.kind)),
      concept("measurementUnit", of(UNITS[read.unit?.toLowerCase() ?? ""], read.unit ?? "")),
      lido("measurementValue", read.value),
    ),
    read.about === "" ? null : concept("qualifierMeasurements", { uris: [], terms: [{ value: read.about }] }),
  );
}
