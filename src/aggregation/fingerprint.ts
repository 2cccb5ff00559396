/**
 * Detects whether the public formats of a record have changed, for its public date (`records/public/dates.ts`). It is
 * made from the same view as the formats, so that every visible change changes the date.
 */
import { sha256 } from "../bytes.ts";
import type { DeliveredView } from "../formats/view.ts";
import { QUALIFIERS } from "../records/links/attributions.ts";
import { fieldsOf } from "../records/schema.ts";

/** Changes whenever a format changes: by values and their labels, files, mentioned records, the museum, or the sets. */
export async function fingerprintOf(view: DeliveredView, sets: readonly string[]): Promise<string> {
  const { row, ark, parent, links, media } = view.record;
  const { schema, term } = view.around;
  // sorted by name, since the order of fields does not matter
  const fields = [...fieldsOf(schema, row.record_type).values()]
    .filter(({ name }) => row.metadata[name])
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const shown = {
    row: {
      ...{ id: row.id, record_type: row.record_type, idno: row.idno, subtype: row.subtype },
      collection_status: row.collection_status,
      metadata: fields.map(({ name }) => [name, row.metadata[name]]),
      ...{ lat: row.lat, lon: row.lon, start_date: row.start_date, end_date: row.end_date },
      ...{ due_date: row.due_date, reference_number: row.reference_number, parent_id: row.parent_id },
      ...(row.formers && { formers: row.formers }),
    },
    ark,
    media: media.map(undated),
    subtype: subtypeOf(view, row),
    fields: fields.map(({ name, label, field_type, mapping, vocabulary }) => [
      [label, field_type, mapping],
      vocabulary && row.metadata[name]!.map(({ value }) => term(vocabulary, value)),
    ]),
    links: links.map(({ other, ...link }) => {
      const { label, inverse_label, mapping } = schema.relationTypes.get(link.relation_type) ?? {};
      const roles = link.metadata.role?.map(({ value }) => term("role", value));
      const qualifiers = link.metadata.qualifier?.map(({ value }) => [
        schema.qualifiers.get(value),
        term(QUALIFIERS, value),
      ]);
      const said = [link, label, inverse_label, mapping, roles, neighbourFacts(view, other.id)];
      return qualifiers ? [...said, qualifiers] : said;
    }),
    parent: parent && neighbourFacts(view, parent.id),
    named: fields
      .filter(({ field_type }) => field_type === "relation")
      .flatMap(({ name }) =>
        row.metadata[name]!.map(({ value }) => neighbourFacts(view, value.toLowerCase())),
      ),
    above: view.above.get(row.id),
    museum: view.museum,
    sets,
  };
  return digest(JSON.stringify(shown));
}

/** The shown data of a mentioned record. */
function neighbourFacts(view: DeliveredView, id: string): unknown {
  const neighbour = view.record.named.get(id);
  const { sites = [], participants = [] } = view.named.get(id) ?? {};
  return (
    neighbour && [
      undated(neighbour),
      subtypeOf(view, neighbour),
      view.above.get(id),
      sites.map((site) => view.named.get(site)),
      ...participants.map((one) => [one, view.named.get(one.id)]),
    ]
  );
}

function subtypeOf({ around }: DeliveredView, record: { record_type: string; subtype: string }): unknown[] {
  const { label, crm_class } =
    around.schema.subtypes.get(record.record_type as never)?.get(record.subtype) ?? {};
  return [label, crm_class];
}

/** Without the time of the last change, which also changes with private data. */
function undated<T extends { updated_at: string }>({ updated_at: _, ...rest }: T): Omit<T, "updated_at"> {
  return rest;
}

async function digest(text: string): Promise<string> {
  return btoa(String.fromCharCode(...(await sha256(text)).subarray(0, 15)));
}
