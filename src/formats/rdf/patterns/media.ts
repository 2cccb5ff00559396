/** Adds the files of an object. For a picture, the content and the file are two nodes. */

import type { PublicMedium } from "../../../records/public/loaded.ts";
import { rightsIri } from "../../../vocabularies/rights.ts";
import { fileIri, imageServiceIri, manifestIri } from "../../iris.ts";
import { text } from "../graph.ts";
import type { About } from "./about.ts";

const IIIF_IMAGE = "http://iiif.io/api/image";
const IIIF_PRESENTATION = "http://iiif.io/api/presentation";

/** Adds all files, and the IIIF manifest if there are pictures. */
export function writeMedia(about: About): void {
  const { graph, around, record } = about;
  for (const medium of record.media) writeMedium(about, medium);
  if (!record.media.some(({ category }) => category === "image")) return;
  const address = manifestIri(around.baseUrl, record.row.id);
  const manifest = graph.node(address, "dig:D1_Digital_Object", "E73_Information_Object");
  graph.add(graph.about, "P129i_is_subject_of", manifest);
  graph.add(manifest, "dc:format", text("application/ld+json"));
  graph.add(manifest, "dcterms:conformsTo", IIIF_PRESENTATION);
  graph.add(manifest, "la:access_point", manifest);
}

function writeMedium(about: About, medium: PublicMedium): void {
  const { graph } = about;
  const file = fileNode(about, medium);
  if (medium.category !== "image") {
    graph.add(graph.about, "P129i_is_subject_of", file);
    describe(about, file, medium);
    return;
  }
  const picture = graph.part(`picture-${medium.id}`, "E36_Visual_Item");
  graph.add(graph.about, "P138i_has_representation", picture);
  describe(about, picture, medium);
  graph.add(picture, "P165i_is_incorporated_in", file);
  const service = graph.node(imageServiceIri(about.around.baseUrl, medium.storage_key), "la:DigitalService");
  graph.add(file, "la:digitally_available_via", service);
  graph.add(service, "dcterms:conformsTo", IIIF_IMAGE);
  graph.add(service, "la:access_point", service);
}

function fileNode({ graph }: About, { id, mime_type }: PublicMedium): string {
  const file = graph.node(fileIri(graph.about, id), "dig:D1_Digital_Object", "E73_Information_Object");
  graph.add(file, "dc:format", text(mime_type));
  graph.add(file, "la:access_point", file);
  return file;
}

function describe({ graph }: About, node: string, medium: PublicMedium): void {
  for (const { value, lang } of medium.caption) graph.add(node, "rdfs:label", text(value, lang));
  for (const { value, lang } of medium.alt_text) graph.add(node, "P3_has_note", text(value, lang));
  const right = medium.license_uri === null ? null : rightsIri(medium.license_uri);
  if (right) {
    graph.add(node, "P104_is_subject_to", graph.node(right, "E30_Right"));
    graph.add(right, "rdfs:label", text(medium.license_uri!));
  }
  if (medium.rights_holder === null) return;
  const holder = graph.part(`holder-${medium.id}`, "E39_Actor");
  graph.add(node, "P105_right_held_by", holder);
  graph.add(holder, "rdfs:label", text(medium.rights_holder));
}
