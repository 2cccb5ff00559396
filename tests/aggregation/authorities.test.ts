import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createApp } from "../../src/app.ts";
import { type Ask as AskSource, authority } from "../../src/authorities/authority.ts";
import { gnd } from "../../src/authorities/gnd.ts";
import { responseCache } from "../../src/authorities/response-cache.ts";
import { upstream } from "../../src/authorities/upstream.ts";
import { createLog } from "../../src/log.ts";
import { type Behaviour, openAuthoritySources } from "../support/authority-sources.ts";
import { faults, read } from "../support/museum/catalogue.ts";
import { museumHere, openMuseum } from "../support/museum/museum.ts";
import { refusal } from "../support/refusals.ts";

type Entry = { id: string; label: string; alternate_labels: string[] };

const sources = await openAuthoritySources();
afterAll(() => sources.close());
beforeEach(() => {
  sources.asked.length = 0;
  sources.behaviour = "well";
});

describe("authority files", async () => {
  const museum = await museumHere({
    env: { ...sources.env, WIKIDATA_USER_AGENT: "Sternhöft museum (it@museum.example)" },
  });
  const staff = await museum.as("viewer");
  beforeEach(() => {
    // an empty cache for each test
    museum.api.app = createApp(museum.services).app;
    museum.log.length = 0;
  });

  it("are for staff only: nobody asks them for visitors", async () => {
    for (const path of ["/v1/authorities/gnd?q=Brandt", "/v1/authorities/gnd/118540238"]) {
      await refusal(await museum.ask(path), path, 401);
      expect((await staff(path)).status).toBe(200);
    }
    expect(sources.asked).toHaveLength(2);
  });

  it("return entries in one shape for all sources", async () => {
    const german = { headers: { "Accept-Language": "de-AT,en;q=0.5" } };
    expect(await read(staff("/v1/authorities/gnd/118540238"))).toEqual({
      source: "gnd",
      id: "118540238",
      uri: "https://d-nb.info/gnd/118540238",
      label: "Brandt, Ida",
      description: "1861-03-02–1934-11-20, Malerin, Marinemalerin in Sternhöft",
      type: "person",
      alternate_labels: ["Brandt, Ida Marie", "I. B."],
    });
    expect(await read(staff("/v1/authorities/geonames/2988507", german))).toEqual({
      source: "geonames",
      id: "2988507",
      uri: "https://sws.geonames.org/2988507/",
      label: "Sternhöft",
      description: "populated place, Schleswig-Holstein, Germany",
      type: "place",
      alternate_labels: ["Sternhoeft", "Stjernehoved", "Sternhoved"],
    });
    expect(await read(staff("/v1/authorities/wikidata/Q5582", german))).toEqual({
      source: "wikidata",
      id: "Q5582",
      uri: "http://www.wikidata.org/entity/Q5582",
      label: "Ida Brandt",
      description: "deutsche Malerin",
      type: "person",
      alternate_labels: ["Ida Brandt (painter)", "Ida Marie Brandt"],
    });
    expect(sources.asked.map(({ query }) => query.lang ?? query.languages)).toEqual([
      undefined,
      "de",
      "de|mul|en",
    ]);
  });

  it("are searched with the cataloguer's words, and unusable entries are left out", async () => {
    const found = async (path: string) => {
      const { items } = await read<{ items: (Entry & { type: string | null })[] }>(staff(path));
      return items.map(({ id, label, type }) => [id, label, type]);
    };
    expect(await found("/v1/authorities/gnd?q=Brandt&limit=3")).toEqual([
      ["118540238", "Brandt, Ida", "person"],
      ["2022139-3", "Kunstverein Sternhöft", "organisation"],
      ["4079163-4", "Leuchtturm", "term"],
    ]);
    expect(await found("/v1/authorities/geonames?q=Sternh%C3%B6ft")).toEqual([
      ["2988507", "Sternhöft", "place"],
    ]);
    expect(await found("/v1/authorities/wikidata?q=Brandt&limit=50")).toEqual([
      ["Q5582", "Ida Brandt", null],
      ["Q99", "Q99", null],
    ]);
    expect(sources.asked.map(({ query }) => query)).toMatchObject([
      { q: "Brandt", size: "3" },
      { q: "Sternhöft", maxRows: "10", username: "sternhoeft", lang: "en" },
      { search: "Brandt", limit: "50", language: "en" },
    ]);
  });

  it("fall back to what there is for a type or name that is missing in the requested language", async () => {
    expect(
      await read(staff("/v1/authorities/wikidata/Q64", { headers: { "Accept-Language": "da" } })),
    ).toMatchObject({ label: "Sternhöft", type: "place", description: null });
  });

  it("get a User-Agent header with the operator's contact", async () => {
    for (const path of ["gnd/118540238", "geonames/2988507", "wikidata/Q5582"]) {
      await read(staff(`/v1/authorities/${path}`));
    }
    const agents = new Set(sources.asked.map(({ agent }) => agent));
    expect([...agents]).toEqual(["Sternh?ft museum (it@museum.example)"]);
  });

  it("an entry that does not exist is not found, and is requested anew each time", async () => {
    for (const path of ["gnd/4079163-4", "geonames/1", "wikidata/Q1", "wikidata/Q2"]) {
      const before = sources.asked.length;
      await refusal(await staff(`/v1/authorities/${path}`), `/v1/authorities/${path}`, 404);
      await refusal(await staff(`/v1/authorities/${path}`), `/v1/authorities/${path}`, 404);
      expect(sources.asked.length).toBe(before + 2);
    }
  });

  it("an entry that was merged into another is answered with that one", async () => {
    expect(await read<Entry>(staff("/v1/authorities/wikidata/Q7"))).toMatchObject({ id: "Q5582" });
  });

  it("are asked once, even for several requests at a time; whoever has the answer gets a 304", async () => {
    const path = "/v1/authorities/gnd/118540238";
    const [first] = await Promise.all([staff(path), staff(path), (await museum.as("editor"))(path)]);
    const etag = first.headers.get("ETag")!;
    expect(first.headers.get("Cache-Control")).toBe("private, no-store");
    expect(first.headers.get("Vary")).toContain("Accept-Language");
    const again = await staff(path, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(sources.asked).toHaveLength(1);

    await read(staff("/v1/authorities/gnd?q=Brandt"));
    await read(staff("/v1/authorities/gnd?q=Brandt"));
    await read(staff("/v1/authorities/gnd?q=Brandt&limit=2"));
    expect(sources.asked).toHaveLength(3);
  });

  it.each([
    ["another source", "/v1/authorities/viaf?q=x", ["path:source"]],
    ["no words", "/v1/authorities/gnd", ["query:q"]],
    ["empty words", "/v1/authorities/gnd?q=%20", ["query:q"]],
    ["a very long query", `/v1/authorities/gnd?q=${"x".repeat(201)}`, ["query:q"]],
    ["too many results", "/v1/authorities/gnd?q=x&limit=51", ["query:limit"]],
    ["an address of the caller's choice", "/v1/authorities/gnd?q=x&url=http://a.org", ["query:url"]],
    ["an id of another source", "/v1/authorities/gnd/Q5582", ["path:id"]],
    ["a path out of the source", "/v1/authorities/gnd/..%2F..%2Fsecret", ["path:id"]],
    ["an address for an id", "/v1/authorities/wikidata/http:%2F%2Fa.org", ["path:id"]],
    ["two ids", "/v1/authorities/wikidata/Q1%7CQ2", ["path:id"]],
    ["a parameter in the id", "/v1/authorities/geonames/1%26username=x", ["path:id"]],
    ["an id with a line break", "/v1/authorities/geonames/1%0A", ["path:id"]],
  ])("%s is refused before any source is asked", async (_what, path, pointers) => {
    expect(await faults(staff(path))).toEqual(pointers);
    expect(sources.asked).toEqual([]);
  });

  it.each<[Behaviour, RegExp]>([
    ["garbage", /sent an answer that cannot be read/],
    ["html", /sent an answer that cannot be read/],
    ["other-shape", /sent an answer that cannot be read/],
    ["error", /answers with an error \(status 500\)/],
    ["busy", /asks for fewer requests/],
    ["huge", /sent an answer that is too large/],
    ["broken-off", /cannot be reached at the moment/],
    ["elsewhere", /redirects to another host, which is not allowed/],
    ["in-circles", /redirects again and again without end/],
  ])(
    "a source that answers with %s counts as down, and its words are not passed on",
    async (behaviour, words) => {
      sources.behaviour = behaviour;
      for (const path of [
        ...["gnd?q=Brandt", "geonames?q=Sternhoeft", "wikidata?q=Brandt"],
        ...["gnd/118540238", "geonames/2988507", "wikidata/Q5582"],
      ]) {
        const answer = await staff(`/v1/authorities/${path}`);
        const { detail } = await refusal(answer, `/v1/authorities/${path}`, 502);
        expect(detail).toMatch(words);
        expect(detail).toMatch(/^(The GND \(lobid\.org\)|GeoNames|Wikidata) /);
        expect(detail).not.toMatch(/their|words|127\.0\.0\.1|username/);
      }
      // the operator reads which source failed and why, but not the account
      const failures = museum.log.filter((line) => line.includes("authority source failed"));
      expect(failures).toHaveLength(6);
      expect(failures.join("")).not.toMatch(/their words|sternhoeft/);
      // a failure is not cached
      sources.behaviour = "well";
      expect(await read(staff("/v1/authorities/gnd/118540238"))).toMatchObject({ id: "118540238" });
    },
  );

  it("a source that redirects on its own host is followed", async () => {
    sources.behaviour = "moved";
    expect(await read(staff("/v1/authorities/gnd/118540238"))).toMatchObject({ id: "118540238" });
    expect(sources.asked.map(({ path }) => path)).toEqual([
      "/gnd/118540238.json",
      "/moved/gnd/118540238.json",
    ]);
  });
});

describe("GeoNames", () => {
  it.each([
    ["unknown", "GeoNames does not accept the account in GEONAMES_USERNAME"],
    ["exhausted", "GeoNames has reached the hourly limit of this installation's account; try again later"],
    ["", "GeoNames is not set up in this installation: its operator must set GEONAMES_USERNAME"],
  ])("with the account %j returns an error that says what the operator can do", async (username, words) => {
    const museum = await openMuseum({ env: { ...sources.env, GEONAMES_USERNAME: username } });
    onTestFinished(() => museum.close());
    const answer = await (await museum.as("viewer"))("/v1/authorities/geonames?q=Sternhoeft");
    const { detail } = await refusal(answer, "/v1/authorities/geonames", 502);
    expect(detail).toBe(words);
    expect(sources.asked).toHaveLength(username === "" ? 0 : 1);
  });
});

describe("an authority source", () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  const of = (url: string) => ({ name: "The register", url, userAgent: "x", log });

  it("that is too slow is given up", async () => {
    sources.behaviour = "slow";
    const ask = upstream({ ...of(`${sources.url}/gnd`), patienceMs: 100 });
    await expect(ask("/118540238.json", {})).rejects.toMatchObject({
      code: "source_down",
      message: "The register does not answer in time; please try again later",
    });
  });

  it("that does not listen cannot be reached", async () => {
    await expect(upstream(of("http://127.0.0.1:1"))("", {})).rejects.toMatchObject({
      code: "source_down",
      message: "The register cannot be reached at the moment; please try again later",
    });
    expect(lines.join("")).toContain("authority source failed");
  });

  it("gets plain words, never its own query language", async () => {
    const asked: string[] = [];
    const ask: AskSource = async (_path, query) => {
      asked.push(query.q ?? "");
      return { member: [] };
    };
    for (const q of [
      'type:Person OR (a:*) "b"~2 \\ /c/',
      "Müller-Lüdenscheid, E.",
      "NOT AND nothing",
      "*:*",
    ]) {
      expect(await gnd(ask).search({ q, limit: 10, lang: "en" })).toEqual([]);
    }
    expect(asked).toEqual(["type Person or a b 2 c", "Müller Lüdenscheid, E.", "not and nothing"]);
  });

  it("cannot make an entry of unlimited size", () => {
    const long = "ü".repeat(5_000);
    const made = authority({
      source: "gnd",
      id: "1",
      uri: "https://d-nb.info/gnd/1",
      label: long,
      type: null,
      description: Array.from({ length: 100 }, (_, n) => `${n} ${long}`),
      alternates: Array.from({ length: 500 }, (_, n) => `${n}\u0007\n ${long}`),
    });
    expect(made.label).toHaveLength(300);
    expect(made.description).toHaveLength(1_000);
    expect(made.alternate_labels).toHaveLength(50);
    expect(JSON.stringify(made)).not.toMatch(/\\u0007|\\n/);
  });
});

describe("the cache of answers", () => {
  it("keeps an answer as long as it may, and not longer", async () => {
    let clock = 1_000_000;
    let fetched = 0;
    const keep = responseCache<number>({ now: () => clock });
    const ask = async () => (await keep("a", 60, async () => ++fetched)).answer;
    expect([await ask(), await ask()]).toEqual([1, 1]);
    clock += 59_999;
    expect(await ask()).toBe(1);
    clock += 1;
    expect([await ask(), await ask()]).toEqual([2, 2]);
  });

  it("has limited room, and drops the answer that was unused for longest", async () => {
    const fetched: string[] = [];
    const keep = responseCache<string>({ room: 330 });
    const ask = (key: string) =>
      keep(key, 60, async () => {
        fetched.push(key);
        return "x".repeat(100);
      });
    for (const key of ["a", "b", "c", "a", "d", "a", "c", "b"]) await ask(key);
    expect(fetched).toEqual(["a", "b", "c", "d", "b"]);
  });

  it("keeps no failure, and no answer that is larger than its room", async () => {
    let fetched = 0;
    const keep = responseCache<string>({ room: 100 });
    await expect(keep("a", 60, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    for (let time = 0; time < 2; time++) {
      const { answer } = await keep("a", 60, async () => {
        fetched += 1;
        return "x".repeat(200);
      });
      expect(answer).toHaveLength(200);
    }
    expect(fetched).toBe(2);
  });
});
