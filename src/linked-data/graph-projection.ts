/** Keeps one graph for each public record in the triple store (contract §§3, 6, 8.5). */
import { inHalves } from "../records/in-halves.ts";
import { KINDS, type Kind } from "../records/kinds.ts";
import type { Projection } from "../records/projections.ts";
import type { Graphs, NamedGraph, Services } from "../services.ts";
import { graphName } from "./iris.ts";
import { loadForGraphs } from "./load.ts";
import { graphOf } from "./map.ts";
import { nQuads } from "./n-quads.ts";

export const graphProjection: Projection = {
  target: "graph",
  title: "the triple store",
  about: "published",
  isEnabled: ({ triplestore }) => triplestore.enabled,
  // contract §8.5: older records are added only by a rebuild on request
  fillsItself: false,
  showsConfiguration: true,
  project: (services, ids) => {
    const graphs = graphsOf(services);
    return inHalves(
      ids,
      (part) => renew(services, graphs, part),
      () => graphs.ping(),
    );
  },
  idsAfter: (services, after, limit) => graphsOf(services).idsAfter(after, limit),
};

function graphsOf({ graphs }: Services): Graphs {
  if (graphs === null) throw new Error("the triple store is off");
  return graphs;
}

async function renew(services: Services, graphs: Graphs, ids: readonly string[]): Promise<void> {
  // links to this record are in the graphs of the others. Here they would stay after those were unpublished, because
  // only records that refer to a changed record are updated with it
  const { around, records } = await loadForGraphs(services, ids, { incoming: false });
  const there = records.map((record): NamedGraph => {
    const name = graphName(record.row.record_type, record.row.id);
    return { name, triples: nQuads(graphOf(around, record)) };
  });
  const shown = new Set(records.map(({ row }) => row.id));
  const hidden = ids.filter((id) => !shown.has(id));
  await graphs.replace([...there, ...(await nothingUnder(services, hidden))]);
}

/** Empty graphs, to remove a record. The kind of a purged record is unknown, so it is removed from all kinds. */
async function nothingUnder({ sql }: Services, ids: readonly string[]): Promise<NamedGraph[]> {
  if (ids.length === 0) return [];
  const known = await sql<{ id: string; record_type: Kind }[]>`
    select id, record_type from records where id = any(${ids as string[]}::uuid[])`;
  const kindOf = new Map(known.map(({ id, record_type }) => [id, record_type]));
  return ids.flatMap((id) => {
    const kind = kindOf.get(id);
    return (kind ? [kind] : KINDS).map((each) => ({ name: graphName(each, id), triples: "" }));
  });
}
