/** Reads the subjects and related works of a LIDO record. */
import type { Element } from "slimdom";
import { DOCUMENTED_IN, IS_DOCUMENTED_IN } from "../../formats/lido/lido-terms.ts";
import { UUID_PATTERN } from "../../ids.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { fold } from "../../text.ts";
import type { LidoContext } from "./context.ts";
import { actorEnd, namesIn, objectEnd, occurrenceEnd, placeEnd, relationNamed } from "./ends.ts";
import { type Link, participantsIn } from "./events.ts";
import type { Values } from "./values.ts";
import { allIn, at, attribute, concept, identifiers, keep, NOTHING, origin, saying, textOf } from "./xml.ts";

export function readSubject(known: LidoContext, set: Element, values: Values, link: Link): void {
  const subjects = at(set, "subject");
  const texts = subjects.length === 0 ? at(set, "displaySubject") : [];
  for (const text of texts) values.text(text, "depicted_text");
  for (const subject of subjects) {
    const relation =
      relationNamed([attribute(subject, "type", (type) => relationNamed([type]) !== null)]) ?? "depicts";
    for (const each of at(subject, "subjectConcept")) values.concept(each, values.byPattern("subject"));
    for (const actor of at(subject, "subjectActor/actor")) link(relation, actorEnd(known, actor));
    for (const place of at(subject, "subjectPlace/place")) link(relation, placeEnd(known, place));
    for (const event of at(subject, "subjectEvent/event"))
      link(
        relation,
        occurrenceEnd(known, event, occurrenceType(event), {
          participants: participantsIn({ known, event, values }),
        }),
      );
    for (const object of at(subject, "subjectObject/object"))
      readObject(known, object, relation, values, link);
    for (const name of [
      "subjectActor/displayActor",
      "subjectPlace/displayPlace",
      "subjectObject/displayObject",
    ]) {
      const [parent] = name.split("/");
      if (at(subject, `${parent}/${parent!.slice("subject".length).toLowerCase()}`).length > 0) continue;
      for (const display of at(subject, name)) values.text(display, "depicted_text");
    }
  }
}

function occurrenceType(event: Element): string | undefined {
  const [type] = at(event, "eventType");
  const term = type && concept(type).terms.find(({ lang }) => lang === "en" || lang === undefined);
  return term && fold(term.value);
}

/** An object as a subject: a link if its URI is that of a record, else only its name. */
function readObject(known: LidoContext, object: Element, relation: string, values: Values, link: Link): void {
  const kind = kindOf(object);
  const { locals } = identifiers(object, "objectID");
  if (kind && kind !== "object") link(relation, objectEnd(known, kind, object));
  else if (kind === "object" && locals[0]) {
    // the other object's record has its names and URIs
    const from = allIn(object);
    link(relation, { to_type: "object", value: locals[0].value, from });
  } else
    for (const name of namesIn(object, "objectName").preferred)
      values.add(values.byPattern("depicted_text"), name);
}

const OWN_ADDRESS = new RegExp(`/([a-z-]+)/${UUID_PATTERN}$`);

/** The record type in one of our own URIs: `…/collections/<id>`. */
function kindOf(object: Element): Kind | undefined {
  const ids = identifiers(object, "objectID").uris.map(({ value }) => value);
  const addresses = [...ids, ...at(object, "objectWebResource").map(textOf)];
  const plural = addresses.map((uri) => OWN_ADDRESS.exec(uri)?.[1]).find((each) => each);
  return Object.values(kinds).find((each) => each.plural === plural)?.kind;
}

const IN_WORDS = Object.values(IS_DOCUMENTED_IN);

export function readRelatedWork(known: LidoContext, work: Element, values: Values, link: Link): void {
  const [typed] = at(work, "relatedWorkRelType");
  const type = typed ? concept(typed) : NOTHING;
  const relation = relationNamed(type.uris);
  const [object] = at(work, "relatedWork/object");
  keep(relation ? type.all : saying(type, (text) => [DOCUMENTED_IN, ...IN_WORDS].includes(text)));
  if (relation && object) {
    readObject(known, object, relation, values, link);
    return;
  }
  const otherwise = type.uris.includes(DOCUMENTED_IN)
    ? values.byPattern("bibliography")
    : values.named("internal_note");
  const displays = at(work, "displayRelatedWork");
  for (const display of displays)
    values.add(values.named(origin(display)) ?? otherwise, values.entry(display));
  if (displays.length > 0) return;
  const role = type.terms.find(({ lang }) => lang === values.lang) ?? type.terms[0];
  for (const note of at(work, "relatedWork/object/objectNote")) {
    const { value, lang, from = [] } = values.entry(note);
    if (value === "") continue;
    const told = role ? { value: `${role.value}: ${value}`, from: [...from, ...role.from] } : { value, from };
    values.add(otherwise, { ...told, lang });
  }
}
