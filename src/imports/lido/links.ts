/** Collects the links of a LIDO record. */
import { attributionKey, mayBeQualified } from "../../records/links/attributions.ts";
import { relationTypeNamed } from "../../records/schema.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import type { LidoContext } from "./context.ts";
import type { ReadEnd } from "./ends.ts";
import type { Part } from "./events.ts";
import { keep } from "./xml.ts";

/** `about`: a key of relation type, linked record and attribution. */
type KnownLink = { about: string; link: MappedRow["relations"][number] };

export class Links {
  readonly #known: LidoContext;
  readonly #all: KnownLink[] = [];

  constructor(known: LidoContext) {
    this.#known = known;
  }

  get relations(): MappedRow["relations"] {
    const withRole = new Set(this.#all.flatMap(({ about, link }) => (rolesOf(link).length > 0 ? about : [])));
    // beside a link with a role, an empty list marks a link that has none (`asMeant`)
    return this.#all.map(({ about, link }) =>
      withRole.has(about) ? { ...link, metadata: { role: [], ...link.metadata } } : link,
    );
  }

  /** Adds a link. If the record names a person in several roles, these become roles of one link, except in our own exports. */
  add(relation_type: string, end: ReadEnd | null, { roles = [], attribution, isOurs = false }: Part): void {
    if (!end) return;
    const { to_type, value, described, from: nodes } = end;
    const found = relationTypeNamed(this.#known.schema, relation_type);
    if (!found) return;
    const [from, to] = found.inverse
      ? [found.type.to_types, found.type.from_types]
      : [found.type.from_types, found.type.to_types];
    if (!from.includes("object") || !to.includes(to_type)) return;
    const qualified = attribution && mayBeQualified(found.type) ? attribution : undefined;
    const more = qualified?.metadata ?? {};
    const about = `${endKey(relation_type, end)} ${attributionKey(more)}`;
    const values = [...new Set(roles.map((role) => role.value))];
    const same = this.#all.filter((each) => each.about === about);
    const earlier =
      same.find(({ link }) => String(rolesOf(link)) === String(values)) ??
      same.find(({ link }) => !isOurs && values.length > 0 && rolesOf(link).length > 0);
    const before = earlier?.link.described;
    const whole = described && {
      ...described,
      ...before,
      metadata: { ...described.metadata, ...before?.metadata },
    };
    const all = new Set([...(earlier ? rolesOf(earlier.link) : []), ...values]);
    const metadata = {
      ...(all.size > 0 ? { role: [...all].map((role) => ({ value: role })) } : {}),
      ...more,
    };
    const link = {
      // no object is ever created from a name
      ...{ relation_type, to_type, value, ...(whole ? { described: whole } : { create: false as const }) },
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    };
    if (earlier) earlier.link = link;
    else this.#all.push({ about, link });
    keep([...nodes, ...roles.flatMap((role) => role.from ?? []), ...(qualified?.from ?? [])]);
  }

  /** Marks as kept what a description in another language repeats of a link. */
  keepRepeated(relation_type: string, end: ReadEnd | null, { roles = [] }: Part): void {
    if (!end) return;
    const same = this.#all.filter(({ about }) => about.startsWith(`${endKey(relation_type, end)} `));
    if (same.length === 0) return;
    const there = new Set(same.flatMap(({ link }) => rolesOf(link)));
    const known = roles.filter(({ value }) => there.has(value));
    keep([...end.from, ...known.flatMap((role) => role.from ?? [])]);
  }
}

const endKey = (relation_type: string, { to_type, value, described }: ReadEnd): string =>
  `${relation_type} ${to_type} ${described?.key ?? value}`;

const rolesOf = ({ metadata }: MappedRow["relations"][number]): string[] =>
  (metadata?.role ?? []).map(({ value }) => value);
