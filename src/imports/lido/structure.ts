/**
 * Checks the structure of a LIDO record: which elements an element may and must have, how often and in which order. A record is
 * valid if LIDO 1.0 or 1.1 allows it. Taken from the XML Schemas of LIDO (http://www.lido-schema.org/schema/), CC BY 4.0.
 */
import type { Element } from "slimdom";
import { type Said, said } from "../../messages/said.ts";
import { LIDO } from "./xml.ts";

/** Parents and their children. `+`: at least one, `*`: any number, `?`: at most one, otherwise exactly one. */
const STRUCTURE = `
lido = lidoRecID+ objectPublishedID* category? applicationProfile? descriptiveMetadata+ administrativeMetadata+
administrativeMetadata = rightsWorkWrap? recordWrap resourceWrap?
resourceWrap = resourceSet*
resourceSet = resourceID* resourceRepresentation* resourceType? resourceRelType* resourcePerspective* resourceDescription* resourceDateTaken? resourceSource* rightsResource*
rightsResource recordRights rightsWorkSet objectDescriptionRights = rightsType* rightsDate? rightsHolder* creditLine*
rightsHolder resourceSource recordSource repositoryName = legalBodyID* legalBodyName* legalBodyWeblink*
legalBodyName objectName namePlaceSet nameActorSet eventName titleSet = appellationValue+ sourceAppellation*
rightsDate date vitalDatesActor = earliestDate? latestDate?
rightsType resourcePerspective resourceRelType resourceType objectType recordType relatedWorkRelType placeClassification relatedEventRelType termMaterialsTech eventMethod periodName culture roleActor nationalityActor roleInEvent eventType subjectConcept classification objectWorkType category = conceptID* term*
resourceDateTaken eventDate subjectDate = displayDate* date?
resourceRepresentation = linkResource resourceMeasurementsSet*
resourceMeasurementsSet measurementsSet = measurementType+ measurementUnit+ measurementValue
recordWrap = recordID+ recordType recordSource+ recordRights* recordInfoSet* collection*
collection relatedWork subjectObject thingPresent = displayObject* object?
object = objectWebResource* objectID* objectType* objectName* objectNote*
recordInfoSet = recordInfoID* recordInfoLink* recordMetadataDate*
rightsWorkWrap = rightsWorkSet*
descriptiveMetadata = objectClassificationWrap objectIdentificationWrap eventWrap? objectRelationWrap?
objectRelationWrap = subjectWrap? relatedWorksWrap?
relatedWorksWrap = relatedWorkSet*
relatedWorkSet = displayRelatedWork* relatedWork? relatedWorkRelType? sourceRelatedWorkSet*
subjectWrap = subjectSet*
subjectSet = displaySubject* subject?
subject = extentSubject* subjectConcept* subjectActor* subjectDate* subjectEvent* subjectPlace* subjectObject*
subjectPlace eventPlace = displayPlace* place?
place partOfPlace vitalPlaceActor repositoryLocation = placeID* namePlaceSet* gml* partOfPlace* placeClassification*
subjectEvent relatedEvent eventSet = displayEvent* event?
event = eventID* eventType roleInEvent* eventName* eventActor* culture* eventDate? periodName* eventPlace* eventMethod* eventMaterialsTech* eventObjectMeasurements* thingPresent* relatedEventSet* eventDescriptionSet*
eventDescriptionSet inscriptionDescription = descriptiveNoteID* descriptiveNoteValue* sourceDescriptiveNote*
relatedEventSet = relatedEvent? relatedEventRelType?
eventObjectMeasurements objectMeasurementsSet = displayObjectMeasurements* objectMeasurements?
objectMeasurements = measurementsSet* extentMeasurements* qualifierMeasurements* formatMeasurements* shapeMeasurements* scaleMeasurements*
eventMaterialsTech objectMaterialsTechSet = displayMaterialsTech* materialsTech*
materialsTech = termMaterialsTech* extentMaterialsTech* sourceMaterialsTech*
eventActor = displayActorInRole* actorInRole?
actorInRole = actor roleActor* attributionQualifierActor* extentActor* sourceActorInRole*
actor = actorID* nameActorSet+ nationalityActor* vitalDatesActor* vitalPlaceActor* genderActor*
subjectActor = displayActor* actor?
eventWrap = eventSet*
objectIdentificationWrap = titleWrap inscriptionsWrap? repositoryWrap? displayStateEditionWrap? objectDescriptionWrap? objectMeasurementsWrap? objectMaterialsTechWrap?
objectMaterialsTechWrap = objectMaterialsTechSet*
objectMeasurementsWrap = objectMeasurementsSet*
objectDescriptionWrap = objectDescriptionSet*
objectDescriptionSet = descriptiveNoteID* descriptiveNoteValue* sourceDescriptiveNote* objectDescriptionRights*
displayStateEditionWrap = displayState* displayEdition* sourceStateEdition*
repositoryWrap = repositorySet*
repositorySet = displayRepository* repositoryName? workID* repositoryLocation? sourceRepositorySet*
inscriptionsWrap = inscriptions*
inscriptions = inscriptionTranscription* inscriptionDescription*
titleWrap = titleSet+
objectClassificationWrap = objectWorkTypeWrap classificationWrap?
classificationWrap = classification*
objectWorkTypeWrap = objectWorkType+
measurementUnit measurementType scaleMeasurements shapeMeasurements formatMeasurements qualifierMeasurements extentMeasurements extentMaterialsTech extentActor attributionQualifierActor genderActor extentSubject = conceptID* term*`;

type Child = { name: string; atLeast: number; atMost: number };

/** The allowed children of each element, in order. */
export const CHILDREN: ReadonlyMap<string, readonly Child[]> = new Map(
  STRUCTURE.trim()
    .split("\n")
    .flatMap((line) => {
      const [parents, children] = line.split(" = ");
      const read = children!.split(" ").map((child) => ({
        name: child.replace(/[?*+]$/, ""),
        atLeast: /[?*]$/.test(child) ? 0 : 1,
        atMost: /[*+]$/.test(child) ? Number.POSITIVE_INFINITY : 1,
      }));
      return parents!.split(" ").map((parent) => [parent, read] as const);
    }),
);

/** The parts of concepts may have any order, because LIDO 1.1 mixes them with those of SKOS. */
const isConcept = (children: readonly Child[]): boolean => children[0]?.name === "conceptID";

const MOST_FAULTS = 10;

/** What makes the record invalid, in the order of its elements. */
export function structureFaults(record: Element): Said[] {
  const faults: Said[] = [];
  const open = [record];
  for (let next = open.pop(); next && faults.length < MOST_FAULTS; next = open.pop()) {
    const element = next;
    const own = element.children.filter(({ namespaceURI }) => namespaceURI === LIDO);
    faults.push(
      ...faultsOf(
        element.localName,
        own.map(({ localName }) => localName),
      ),
    );
    const isGroup = /^(descriptive|administrative)Metadata$/.test(element.localName);
    if (isGroup && !element.getAttribute("xml:lang"))
      faults.push(said("job.report.lido.no_language", { element: element.localName }));
    open.push(...own.toReversed());
  }
  return faults.slice(0, MOST_FAULTS);
}

function faultsOf(element: string, names: readonly string[]): Said[] {
  const allowed = CHILDREN.get(element) ?? [];
  const places = names.map((name) => allowed.findIndex((child) => child.name === name));
  const unknown = new Set(names.filter((_, at) => places[at] === -1));
  const known = places.filter((place) => place !== -1);
  const disordered = isConcept(allowed) ? -1 : known.findIndex((place, at) => place < (known[at - 1] ?? 0));
  return [
    ...[...unknown].map((child) => said("job.report.lido.unknown", { element, child })),
    ...allowed.flatMap(({ name: child, atLeast, atMost }) => {
      const count = names.filter((name) => name === child).length;
      if (count < atLeast) return [said("job.report.lido.lacks", { element, child })];
      return count > atMost ? [said("job.report.lido.repeated", { element, child })] : [];
    }),
    ...(disordered === -1
      ? []
      : [said("job.report.lido.order", { element, child: allowed[known[disordered]!]!.name })]),
  ];
}
