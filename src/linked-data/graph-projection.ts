/** Keeps one graph for each public record in the triple store (contract §§3, 6, 8.5). */

import { graphName } from "../formats/iris.ts";
import { graphOf } from "../formats/rdf/map.ts";
import { nQuads } from "../formats/rdf/syntax/n-quads.ts";
import { said } from "../messages/said.ts";
import { type Failure, inHalves } from "../records/batch/in-halves.ts";
import { KINDS } from "../records/kinds.ts";
import { keepFailure, kindsOf } from "../records/outbox.ts";
import type { Projection } from "../records/projections.ts";
import { loadPublic } from "../records/public/load.ts";
import type { Graphs, NamedGraph, Services, UnfitGraph } from "../services.ts";

export const graphProjection: Projection = {
  target: "graph",
  title: said("projection.graph"),
  about: "published",
  isEnabled: ({ triplestore }) => triplestore.enabled,
  // contract §8.5: older records are added only by a rebuild on request
  fillsItself: false,
  showsConfiguration: true,
  async project(services, ids) {
    const graphs = graphsOf(services);
    const unfit: Failure[] = [];
    const failed = await inHalves(
      ids,
      async (part) => void unfit.push(...(await renew(services, graphs, part))),
      () => graphs.ping(),
    );
    // their older graphs may contain something that is no longer public
    const bad = failed.map(({ id }) => id);
    if (bad.length > 0) await graphs.replace(await nothingUnder(services, bad));
    return [...failed, ...unfit].map((failure) => ({ ...failure, isGone: true }));
  },
  idsAfter: (services, after, limit) => graphsOf(services).idsAfter(after, limit),
};

function graphsOf({ graphs }: Services): Graphs {
  if (graphs === null) throw new Error("the triple store is off");
  return graphs;
}

/** Returns the records whose graphs the store could not load. */
async function renew(services: Services, graphs: Graphs, ids: readonly string[]): Promise<Failure[]> {
  // incoming links are only in the graphs of the other records; here they would stay after those records were unpublished,
  // because only records that refer to a changed record are updated with it
  const { around, records } = await loadPublic(services, ids, { incoming: false });
  const there = records.map((record): NamedGraph => {
    const name = graphName(record.row.record_type, record.row.id);
    return { name, triples: nQuads(graphOf(around, record)) };
  });
  const shown = new Set(records.map(({ row }) => row.id));
  const hidden = ids.filter((id) => !shown.has(id));
  const unfit = await graphs.replace([...there, ...(await nothingUnder(services, hidden))]);
  return unfit.map(failureOf);
}

const failureOf = ({ name, reason }: UnfitGraph): Failure => ({
  id: name.slice(name.lastIndexOf(":") + 1),
  reason,
});

/** Marks a record whose stored graph cannot be loaded, so that it is made again, and reported if that does not help. */
export async function noteUnfitGraph(
  { sql, log }: Pick<Services, "sql" | "log">,
  graph: UnfitGraph,
): Promise<void> {
  const { target } = graphProjection;
  const { id, reason } = failureOf(graph);
  await keepFailure(sql, target, { id, reason });
  log.warn("a record could not be processed", {
    target,
    type: (await kindsOf(sql, [id])).get(id),
    record: id,
    error: reason,
  });
}

/** Empty graphs, which remove records from the store. The type of a purged record is unknown, so it is removed under all types. */
async function nothingUnder({ sql }: Services, ids: readonly string[]): Promise<NamedGraph[]> {
  if (ids.length === 0) return [];
  const kindOf = await kindsOf(sql, ids);
  return ids.flatMap((id) => {
    const kind = kindOf.get(id);
    return (kind ? [kind] : KINDS).map((each) => ({ name: graphName(each, id), triples: "" }));
  });
}
