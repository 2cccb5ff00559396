/** Subjects and related works of an object (LIDO 1.1, `objectRelationWrap`). */
import type { Kind } from "../../records/kinds.ts";
import { entriesOf } from "../../records/record.ts";
import type { Labels } from "../../records/schema.ts";
import { wordSet } from "../../text.ts";
import type { Xml } from "../../xml.ts";
import type { DeliveredView } from "../view.ts";
import { hasNoElement, type NamedLink, occurrence, relationRole } from "./lido-events.ts";
import { actor, objectSet, place } from "./lido-named.ts";
import { concept, conceptsBy, holder, lido, lidoWith, textsBy } from "./lido-parts.ts";
import { DEPICTED_IN, DOCUMENTED_IN, HAS_PART, IS_DOCUMENTED_IN, IS_PART_OF } from "./lido-terms.ts";

/** Relation types for the subject of an object. */
const SUBJECTS: readonly string[] = ["depicts", "about"];
/** Relation types that are written as events or with the repository. */
const ELSEWHERE = wordSet(
  "created_by made_at found_at acquired_from exhibited_in owned_by kept_by in_collection",
);

export function objectRelationWrap(view: DeliveredView, links: readonly NamedLink[]): Xml | null {
  const others = links.filter(
    (link) => !(link.outgoing && ELSEWHERE.has(link.type.name)) && !hasNoElement(link),
  );
  const isSubject = ({ type, outgoing }: NamedLink) => outgoing && SUBJECTS.includes(type.name);
  return holder(
    "objectRelationWrap",
    holder(
      "subjectWrap",
      conceptsBy(view, "subject", "subjectConcept").map((each) => subjectSet(lido("subject", each))),
      textsBy(view, "depicted_text", "displaySubject").map(subjectSet),
      others.filter(isSubject).map((link) => subject(view, link)),
    ),
    holder(
      "relatedWorksWrap",
      others.filter((link) => !isSubject(link)).map((link) => relatedWork(view, link)),
      bibliography(view),
    ),
  );
}

const subjectSet = (content: Xml): Xml => lido("subjectSet", content);

function subject(view: DeliveredView, link: NamedLink): Xml {
  const { named } = link;
  const type = relationRole(view, link).uris[0];
  const shown: Partial<Record<Kind, () => Xml | null>> = {
    entity: () => lido("subjectActor", actor(view, named)),
    place: () => lido("subjectPlace", place(view, named)),
    occurrence: () => subjectEvent(view, link),
  };
  const content = shown[named.record_type]?.() ?? objectSet(view, named, "subjectObject");
  return subjectSet(lidoWith("subject", { "lido:type": type }, content));
}

function subjectEvent(view: DeliveredView, link: NamedLink): Xml | null {
  const set = occurrence(view, link);
  return set && lido("subjectEvent", set);
}

/** Relations that LIDO knows. Their labels are headings on pages, so LIDO's own terms are written. */
const RELATED: Readonly<Record<string, { uri: string; terms: Labels }>> = {
  part_of: { uri: IS_PART_OF, terms: { en: "is part of", de: "ist Teil von" } },
  has_part: { uri: HAS_PART, terms: { en: "has part", de: "hat Teil" } },
  depicted_in: { uri: DEPICTED_IN, terms: { en: "is depicted in", de: "ist dargestellt in" } },
};

/** Any other link: the linked record as a work, and the relation. */
function relatedWork(view: DeliveredView, link: NamedLink): Xml {
  const known = RELATED[link.outgoing ? link.type.name : link.type.inverse];
  const { uris, terms } = relationRole(view, link, known?.terms);
  return lido(
    "relatedWorkSet",
    objectSet(view, link.named, "relatedWork"),
    concept("relatedWorkRelType", { uris: [...(known ? [known.uri] : []), ...uris], terms }),
  );
}

function bibliography(view: DeliveredView): Xml[] {
  const type = { uris: [DOCUMENTED_IN], terms: entriesOf(IS_DOCUMENTED_IN) };
  return textsBy(view, "bibliography", "displayRelatedWork").map((each) =>
    lido("relatedWorkSet", each, concept("relatedWorkRelType", type)),
  );
}
