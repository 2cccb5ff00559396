/** A projection for tests: a card for each public record, with its title and those of its makers and collections. */
import { VISITOR } from "../../../src/caller.ts";
import { inHalves } from "../../../src/records/batch/in-halves.ts";
import type { Projection } from "../../../src/records/projections.ts";
import { visibleTo } from "../../../src/records/visibility.ts";

export type CardCatalogue = Projection & {
  cards: Map<string, string>;
  isOn: boolean;
  /** Makes every call fail with this error, as if the store were unavailable. */
  away: (() => Promise<never>) | null;
  /** A record with this title fails. */
  bad: string | null;
  /** How often it was called. */
  asked: number;
};

export function cardCatalogue(): CardCatalogue {
  const catalogue: CardCatalogue = {
    cards: new Map(),
    isOn: true,
    away: null,
    bad: null,
    asked: 0,
    target: "cards",
    title: "the card catalogue",
    about: "published",
    isEnabled: () => catalogue.isOn,
    fillsItself: true,
    showsConfiguration: false,
    project: ({ sql }, ids) =>
      inHalves(
        ids,
        async (part) => {
          catalogue.asked++;
          await catalogue.away?.();
          const rows = await sql<{ id: string; title: string; names: string[] }[]>`
            select r.id, r.title, array(
              select t.title from relations l join records t on t.id = l.to_id
              where l.from_id = r.id and t.status = 'public' and t.deleted_at is null order by t.title) as names
            from records r where r.id = any(${part as string[]}) and ${visibleTo(sql, VISITOR)}`;
          if (rows.some(({ title }) => title === catalogue.bad))
            throw new Error(`${catalogue.bad} is refused`);
          for (const id of part) catalogue.cards.delete(id);
          for (const { id, title, names } of rows) catalogue.cards.set(id, [title, ...names].join(" / "));
        },
        async () => catalogue.away?.(),
      ),
    idsAfter: async (_, after, limit) =>
      [...catalogue.cards.keys()]
        .filter((id) => after === null || id > after)
        .sort()
        .slice(0, limit),
  };
  return catalogue;
}
