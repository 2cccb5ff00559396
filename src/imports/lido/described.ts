/**
 * Remembers what a LIDO file said about people, places and events. From a further description, the catalogue takes only what it
 * lacks. Anything else in it counts as not imported, unless it is the same.
 */
import type { Node } from "slimdom";
import { LruCache } from "../../lru-cache.ts";
import type { DescribedEnd } from "../../records/batch/described-ends.ts";
import { authorities, contradict } from "../../records/batch/directory.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { nameKey } from "../../text.ts";

/** A place or a participant of an event, with the nodes that say so. */
export type FoundLink = NonNullable<DescribedEnd["links"]>[number] & { from: readonly Node[] };

type Described = { end: Omit<DescribedEnd, "links">; links: ReadonlySet<string> };

const REMEMBERED = 20_000;

/** Returns the earlier description of the same person, place or event. */
export type Remember = (
  kind: Kind,
  end: Omit<DescribedEnd, "links">,
  links: readonly FoundLink[],
) => Described | undefined;

/** `describedBefore` also remembers what this description adds. */
export function createDescriptions(): Record<"describedBefore" | "recall", Remember> {
  const all = new LruCache<string, Described>(REMEMBERED);
  const namesOf = (kind: Kind, { key, metadata }: Described["end"]): [string, string] => [
    `${kind} ${key}`,
    `${kind} ${nameKey(metadata[kinds[kind].titleField]?.[0]?.value ?? key)}`,
  ];
  const recall: Remember = (kind, end) => {
    const [key, name] = namesOf(kind, end).map((each) => all.get(each));
    const isOther = name && contradict(authorities(name.end.metadata), authorities(end.metadata));
    return key ?? (isOther ? undefined : name);
  };
  return {
    recall,
    describedBefore(kind, end, links) {
      const earlier = recall(kind, end, links);
      const whole = {
        end: { ...end, ...earlier?.end, metadata: { ...end.metadata, ...earlier?.end.metadata } },
        links: earlier && earlier.links.size > 0 ? earlier.links : new Set(links.map(linkKey)),
      };
      for (const name of namesOf(kind, end)) all.set(name, whole);
      return earlier;
    },
  };
}

export const linkKey = ({ relation_type, to_type, end: { key }, metadata = {} }: FoundLink): string =>
  JSON.stringify([relation_type, to_type, key, metadata]);
