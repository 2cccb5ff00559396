/** The order of numbers, titles and dates, which is the same in every list; and the number that somebody typed, which comes first. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makeSortKeys } from "../../src/records/write/sort-keys.ts";
import { followEdition } from "../../src/search/edition.ts";
import { rebuildSearch } from "../../src/search/rebuild.ts";
import { numberStarts } from "../../src/text/number-first.ts";
import { numberKey, sortKey } from "../../src/text.ts";
import { createObject, english, made, type Page, patched, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

/** A word, or a number with the letters that follow it. */
type Token = { word: string } | { number: bigint; letters: string };
const letters = (most: number) => fc.stringMatching(new RegExp(`^[a-z]{0,${most}}$`));
const token: fc.Arbitrary<Token> = fc.oneof(
  fc.record({ word: fc.stringMatching(/^[a-z]{1,3}$/) }),
  fc.record({ number: fc.bigInt({ min: 0n, max: 10n ** 12n }), letters: letters(1) }),
  fc.record({ number: fc.bigInt({ min: 0n, max: 30n }), letters: letters(1) }),
);
const tokens = fc.array(token, { minLength: 1, maxLength: 5 });
const written = (all: readonly Token[], sign: string, zeros: string) =>
  all.map((one) => ("word" in one ? one.word : `${zeros}${one.number}${one.letters}`)).join(sign);

const compare = (a: string | bigint, b: string | bigint) => (a < b ? -1 : a > b ? 1 : 0);
function asPeopleCount(a: readonly Token[], b: readonly Token[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at];
    if (!other) return 1;
    if ("word" in one !== "word" in other) return "word" in one ? 1 : -1;
    const order =
      "word" in one
        ? compare(one.word, (other as typeof one).word)
        : compare(one.number, (other as typeof one).number) ||
          compare(one.letters, (other as typeof one).letters);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

describe("keys", () => {
  const sign = fc.constantFrom(" ", ".", "-", "–", "‑", "/", ", ");
  const zeros = fc.constantFrom("", "0", "000000000");

  it("sort as people count, whatever signs and zeros are between and before the numbers", () => {
    fc.assert(
      fc.property(tokens, tokens, sign, sign, zeros, zeros, (a, b, one, other, some, none) => {
        const [left, right] = [written(a, one, some), written(b, other, none)];
        const order = Math.sign(asPeopleCount(a, b));
        expect(compare(sortKey(left), sortKey(right)), `${left} | ${right}`).toBe(order);
        if (order !== 0) expect(compare(numberKey(left), numberKey(right))).toBe(order);
      }),
      { numRuns: 2_000 },
    );
  });

  it("of a number begin as what somebody types of it, with any signs", () => {
    fc.assert(
      fc.property(tokens, tokens, sign, sign, (a, more, one, other) => {
        const starts = numberStarts(written(a, one, ""));
        expect(starts.length > 0).toBe(a.some((one) => "number" in one));
        expect(starts.every((start) => numberKey(written(a, one, "")).startsWith(start))).toBe(true);
        const zeros = written(a, other, "00");
        const alike = zeros.startsWith(written(a, one, "")) ? starts : starts.slice(1); // 0, of 000
        expect(starts.filter((start) => numberKey(zeros).startsWith(start))).toEqual(alike);
        const longer = numberKey(written([...a, ...more], other, ""));
        expect(starts.filter((start) => longer.startsWith(start))).toEqual(starts.slice(2));
      }),
    );
  });

  it("distinguish numbers that people write differently", () => {
    expect(new Set(["7a", "7A", "7-a", "7 a"].map(numberKey)).size).toBe(4);
    expect(numberKey("—")).not.toBe("");
    expect(numberStarts(" – ")).toEqual([]);
    expect(numberStarts("Smith")).toEqual([]);
  });
});

const NUMBERS = ["1887.2", "1887.2.1", "1887.2.10", "1887.2a", "1887.3", "1887.12", "1887.123456789"];
const TITLES = ["Leaf 3", "Leaf 3a", "Leaf 3b verso", "Leaf 12", "Leaf 12a", "Leaf 012b", "Leaf 1234567890"];
const SHUFFLED = [4, 0, 6, 2, 5, 1, 3];

describe.each(databases)("lists in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  beforeAll(async () => {
    for (const at of SHUFFLED)
      await createObject(editor, TITLES[at]!, { idno: NUMBERS[at], status: "public" });
  });

  const idnos = (items: readonly { idno?: string }[]) => items.map(({ idno }) => idno);

  it.each([
    ["asc", NUMBERS],
    ["desc", NUMBERS.toReversed()],
  ])("sort numbers and titles as people count: list, cursor, search, CSV (%s)", async (dir, expected) => {
    for (const by of ["idno", "title"]) {
      const order = `sort_by=${by}&sort_dir=${dir}`;
      for (const ask of [editor, museum.ask]) {
        expect(idnos((await read<Page>(ask(`/v1/objects?${order}`))).items)).toEqual(expected);
        expect(idnos((await read<Page>(ask(`/v1/search?include=idno&${order}`))).items)).toEqual(expected);
        const walked: (string | undefined)[] = [];
        for (let next: string | undefined = `/v1/objects?${order}&page_size=2`; next; ) {
          const answer: Response = await ask(next);
          next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
          walked.push(...idnos((await read<Page>(answer)).items));
        }
        expect(walked).toEqual(expected);
        const pages = [1, 2, 3, 4].map((page) =>
          read<Page>(ask(`/v1/objects?${order}&page_size=2&page=${page}`)),
        );
        expect((await Promise.all(pages)).flatMap(({ items }) => idnos(items))).toEqual(expected);
      }
      const csv = await (await editor(`/v1/objects/export?format=csv&${order}`)).text();
      expect(csv.match(/^1887\.[^,]*/gm)).toEqual(expected);
    }
  });

  it.each(["1887.2", "1887-2", "1887–2", "1887‑2", "1887 − 2", "1887/2"])(
    "find the record with the number %s first, and then those that begin so",
    async (typed) => {
      // newer, and with the number in its title
      const other = await createObject(editor, "Copy of 1887.2", { status: "public" });
      for (const ask of [editor, museum.ask]) {
        const found = await read<Page>(ask(`/v1/search?include=idno&q=${encodeURIComponent(typed)}`));
        const [first, ...next] = idnos(found.items);
        expect(first).toBe("1887.2");
        const last = next.indexOf(other.idno);
        // words with blanks between are no phrase
        if (!typed.includes(" ")) expect(next).toHaveLength(4);
        expect(next.slice(0, last).toSorted()).toEqual(["1887.2.1", "1887.2.10", "1887.2a"]);
      }
      await editor(`/v1/objects/${other.id}`, { method: "DELETE" });
    },
  );

  it("find the number as it was typed before those with other zeros and dashes", async () => {
    const alike = ["1901.7", "1901.07", "1901-7"];
    const made: string[] = [];
    for (const idno of alike) made.push((await createObject(editor, "Lid", { idno, status: "public" })).id);
    for (const typed of alike)
      for (const ask of [editor, museum.ask]) {
        const found = await read<Page>(ask(`/v1/search?include=idno&q=${typed}`));
        expect(found.items[0]!.idno).toBe(typed);
      }
    for (const id of made) await editor(`/v1/objects/${id}`, { method: "DELETE" });
  });

  it("get keys for records that an older program wrote, and nothing else changes", async () => {
    const { sql } = museum.services;
    const read = () =>
      sql`select id, sort_idno, sort_title, sort_date, version, updated_at from records order by id`;
    const before = await read();
    const withdrawn = await sql`select id from withdrawals`;
    await sql`update records set sort_idno = '', sort_title = lower(title), sort_date = ''`;
    await makeSortKeys(sql);
    expect(await read()).toEqual(before);
    expect(await sql`select id from withdrawals`).toEqual(withdrawn);
  });

  it("sort by the first day that a date may mean: list, cursor, search, CSV; last what has none", async () => {
    const dates = ["Y-170000002", "-0043", "../1500", "1920~", "1920/1930", "1920-05", "192X", "1920~", ""];
    const made: { id: string; idno: string }[] = [];
    for (const at of [4, 8, 0, 6, 2, 7, 5, 1, 3]) {
      const date = dates[at] === "" ? [] : [{ value: dates[at]! }];
      const idno = `D.${at}`;
      made.push(
        await createObject(editor, "Sketch", {
          idno,
          status: "public",
          metadata_: { date },
        }),
      );
    }
    const idOf = (idno: string | undefined) => made.find((one) => one.idno === idno)!.id;
    const alike = ["D.3", "D.4", "D.6", "D.7"].toSorted((a, b) => compare(idOf(a), idOf(b)));
    const undated = (await read<Page>(editor(`/v1/objects?page_size=200`))).items
      .filter(({ metadata_ }) => !metadata_.date)
      .toSorted((a, b) => compare(a.id, b.id));
    const dated = ["D.0", "D.1", "D.2", ...alike, "D.5"];
    for (const dir of ["asc", "desc"]) {
      const inOrder = <T>(all: readonly T[]) => (dir === "asc" ? all : all.toReversed());
      const expected = [...inOrder(dated), ...inOrder(idnos(undated))];
      const order = `sort_by=date&sort_dir=${dir}`;
      for (const ask of [editor, museum.ask]) {
        const search = await read<Page>(ask(`/v1/search?type=object&include=idno&page_size=100&${order}`));
        expect(idnos(search.items)).toEqual(expected);
        for (const size of [1, 3, 200]) {
          const walked: (string | undefined)[] = [];
          for (let next: string | undefined = `/v1/objects?${order}&page_size=${size}`; next; ) {
            const answer: Response = await ask(next);
            next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
            walked.push(...idnos((await read<Page>(answer)).items));
          }
          expect(walked).toEqual(expected);
        }
        const second = await read<Page>(ask(`/v1/objects?${order}&page_size=4&page=2`));
        expect(idnos(second.items)).toEqual(expected.slice(4, 8));
      }
      const csv = await (await editor(`/v1/objects/export?format=csv&${order}`)).text();
      expect(csv.match(/^(1887|D)\.[^,]*/gm)).toEqual(expected);
    }
    // an edit during a walk moves a record into the part that is already read: it comes once more at the end
    const first = await editor("/v1/objects?sort_by=date&sort_dir=asc&page_size=8");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("Link")!)![1]!;
    await patched(editor, `/v1/objects/${idOf("D.8")}`, { metadata_: { date: [{ value: "1066" }] } });
    const rest = await editor(next);
    const last = /<([^>]+)>; rel="next"/.exec(rest.headers.get("Link")!)![1]!;
    expect(idnos((await read<Page>(editor(last))).items)).toEqual(["D.8"]);
    for (const { id } of made) await editor(`/v1/objects/${id}`, { method: "DELETE" });
  });

  it("sort by no date that the reader may not see", async () => {
    const admin = await museum.as("admin");
    const setPublic = (is_public: boolean) =>
      read(admin("/v1/schemas/object/date", { method: "PATCH", json: { is_public } }));
    await setPublic(false);
    const refused = ["/v1/objects?sort_by=date", "/v1/collections?sort_by=date"];
    for (const path of refused) {
      const problem = await read<{ errors: { pointer: string }[] }>(museum.ask(path), 422);
      expect(problem.errors.map(({ pointer }) => pointer)).toEqual(["query:sort_by"]);
    }
    await read<Page>(editor("/v1/objects?sort_by=date"));
    await setPublic(true);
    await read<Page>(museum.ask("/v1/objects?sort_by=date"));
  });

  it("rebuild the search index once after words are made otherwise", async () => {
    const { sql } = museum.services;
    const jobs = () => sql<{ id: string }[]>`select id from jobs where kind = 'reindex'`;
    await followEdition(sql);
    expect(await jobs()).toEqual([]);
    await sql`update projections set edition = 0 where target = 'search'`;
    await sql`insert into search_terms (term, value, folded) values (1, 'کتاب ۱۲', 'as an older program folded it')`;
    await followEdition(sql);
    await followEdition(sql);
    const [job, ...more] = await jobs();
    expect([job !== undefined, more]).toEqual([true, []]);
    await rebuildSearch(museum.services, { jobId: job!.id, report: async () => undefined });
    expect(await sql`select folded from search_terms where term = 1`).toEqual([{ folded: "كتاب 12" }]);
    await sql`delete from jobs`;
    await followEdition(sql);
    expect(await jobs()).toEqual([]);
  });
});

describe("pages", async () => {
  const { museum, curator, api } = await staffMuseumHere();

  it("show the same order and the number that was typed first", async () => {
    for (const at of SHUFFLED)
      await made(api, "objects", {
        ...{ idno: NUMBERS[at], object_type: "other", status: "public" },
        metadata_: { title: english(TITLES[at]!) },
      });
    const shown = (html: string) => [...html.matchAll(/>(1887\.[\w.]+)</g)].map(([, idno]) => idno);
    const list = "/admin/objects?sort=idno&dir=asc";
    expect(shown(await curator.text(list))).toEqual(NUMBERS);
    const portal = async (query: string) => shown(await (await museum.ask(`/search?${query}`)).text());
    expect(await portal("sort_by=idno")).toEqual(NUMBERS);
    for (const typed of ["1887.2", "1887‑2"]) {
      const q = encodeURIComponent(typed);
      const staff = shown(await curator.text(`/admin/objects?q=${q}`));
      const visitor = await portal(`q=${q}`);
      for (const found of [staff, visitor]) {
        expect(found[0]).toBe("1887.2");
        expect(found.slice(1, 4).toSorted()).toEqual(["1887.2.1", "1887.2.10", "1887.2a"]);
      }
      const csv = await curator.text(`/admin/objects/export?format=csv&q=${q}`);
      expect(csv.match(/1887\.[^,]*/g)![0]).toBe("1887.2");
    }
    // the way from one record to the next follows the list
    const page = await curator.text("/admin/objects?q=1887.2");
    const records = [...page.matchAll(/<td class="nowrap"><a href="([^"]+)">/g)].map(([, address]) =>
      address!.replaceAll("&amp;", "&"),
    );
    for (const [at, address] of records.entries()) {
      const record = await curator.text(address);
      const to = (rel: string) =>
        new RegExp(`rel="${rel}" href="([^"]+)"`).exec(record)?.[1]?.replaceAll("&amp;", "&");
      expect([to("prev"), to("next")]).toEqual([records[at - 1], records[at + 1]]);
    }
  });
});
