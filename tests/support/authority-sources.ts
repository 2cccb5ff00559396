/**
 * Local doubles of lobid.org, GeoNames and Wikidata. They answer over HTTP in the documented formats, with invented entries,
 * and fail on request. They cannot prove that the real services still answer in this way.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Behaviour =
  | "well"
  | "slow"
  | "garbage"
  | "html"
  | "other-shape"
  | "error"
  | "busy"
  | "huge"
  | "broken-off"
  | "elsewhere"
  | "in-circles"
  | "moved";

export type AuthoritySources = {
  url: string;
  /** The variables that point the service to these doubles. */
  env: Record<string, string>;
  /** Every request, in order. */
  asked: { path: string; query: Record<string, string>; agent: string }[];
  behaviour: Behaviour;
  close(): Promise<void>;
};

const painter = {
  id: "https://d-nb.info/gnd/118540238",
  gndIdentifier: "118540238",
  preferredName: "Brandt, Ida",
  type: ["DifferentiatedPerson", "AuthorityResource", "Person"],
  variantName: ["Brandt, Ida Marie", "I. B.", "Brandt, Ida"],
  dateOfBirth: ["1861-03-02"],
  dateOfDeath: ["1934-11-20"],
  professionOrOccupation: [{ id: "https://d-nb.info/gnd/4037220-0", label: "Malerin" }],
  biographicalOrHistoricalInformation: ["Marinemalerin\u0000 in Sternhöft"],
};
const society = {
  gndIdentifier: "2022139-3",
  preferredName: "Kunstverein Sternhöft",
  type: ["CorporateBody", "AuthorityResource"],
};
const lighthouse = {
  gndIdentifier: "4079163-4",
  preferredName: "Leuchtturm",
  type: ["SubjectHeading", "AuthorityResource", "SubjectHeadingSensoStricto"],
};

const town = {
  geonameId: 2988507,
  name: "Sternhöft",
  toponymName: "Sternhoeft",
  fcl: "P",
  fcodeName: "populated place",
  adminName1: "Schleswig-Holstein",
  countryName: "Germany",
  lat: "54.8",
  lng: "9.4",
  alternateNames: [
    { name: "Stjernehoved", lang: "da" },
    { name: "https://en.wikipedia.org/wiki/Sternhoft", lang: "link" },
    { name: "24999", lang: "post" },
    { name: "Sternhoved" },
  ],
};

const snak = (id: string) => ({ mainsnak: { datavalue: { value: { id } } }, rank: "normal" });
const items: Record<string, unknown> = {
  Q5582: {
    type: "item",
    id: "Q5582",
    labels: {
      de: { language: "de", value: "Ida Brandt" },
      en: { language: "en", value: "Ida Brandt (painter)" },
    },
    descriptions: {
      de: { language: "de", value: "deutsche Malerin" },
      en: { language: "en", value: "German painter" },
    },
    aliases: { de: [{ language: "de", value: "Ida Marie Brandt" }] },
    claims: { P31: [{ mainsnak: { snaktype: "novalue" } }, snak("Q5")] },
  },
  Q64: {
    type: "item",
    id: "Q64",
    labels: { mul: { language: "mul", value: "Sternhöft" } },
    descriptions: [],
    aliases: [],
    claims: { P31: [snak("Q515")], P625: [{ mainsnak: {} }] },
  },
};

type Query = Record<string, string>;

function answerTo(path: string, query: Query): [number, unknown] {
  if (path === "/gnd/search") {
    return [
      200,
      { totalItems: 4, member: [painter, society, lighthouse, { preferredName: "without a number" }] },
    ];
  }
  if (path.startsWith("/gnd/")) {
    return path === "/gnd/118540238.json" ? [200, painter] : [404, { error: "Not Found" }];
  }
  if (path.startsWith("/geonames/")) return [200, placeAnswer(path, query)];
  if (path !== "/w/api.php") return [404, { error: "Not Found" }];
  if (query.action === "wbsearchentities") {
    const search = [
      { id: "Q5582", label: "Ida Brandt", description: "deutsche Malerin", aliases: ["I. Brandt"] },
      { id: "L7", label: "a lexeme" },
      { id: "Q99", description: "without a label" },
    ];
    return [200, { searchinfo: { search: query.search }, search, success: 1 }];
  }
  const id = query.ids ?? "";
  if (id === "Q1") return [200, { error: { code: "no-such-entity", info: "Could not find Q1" } }];
  // merged into another entry
  if (id === "Q7") return [200, { entities: { Q5582: items.Q5582 } }];
  return [200, { entities: { [id]: items[id] ?? { id, missing: "" } }, success: 1 }];
}

function placeAnswer(path: string, query: Query): unknown {
  const refused = (value: number) => ({ status: { message: "their <b>words</b>", value } });
  if (query.username === "unknown") return refused(10);
  if (query.username === "exhausted") return refused(19);
  if (path === "/geonames/searchJSON") return { totalResultsCount: 1, geonames: [town, { name: "?" }] };
  return query.geonameId === "2988507" ? town : refused(11);
}

export async function openAuthoritySources(): Promise<AuthoritySources> {
  const sources: Omit<AuthoritySources, "url" | "env" | "close"> = { asked: [], behaviour: "well" };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
    const query = Object.fromEntries(searchParams);
    sources.asked.push({ path: pathname, query, agent: String(request.headers["user-agent"]) });
    behave(sources.behaviour, request, response, () => answerTo(pathname.replace(/^\/moved/, ""), query));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(sources, {
    url,
    env: {
      AUTHORITY_GND_URL: `${url}/gnd`,
      AUTHORITY_GEONAMES_URL: `${url}/geonames`,
      AUTHORITY_WIKIDATA_URL: `${url}/w/api.php`,
      GEONAMES_USERNAME: "sternhoeft",
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function behave(
  behaviour: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
  well: () => [number, unknown],
): void {
  const json = (status: number, body: string) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  const redirect = (location: string) => response.writeHead(302, { Location: location }).end("their words");
  const { url = "/" } = request;
  switch (behaviour) {
    case "slow":
      // starts an answer and never ends it
      response.writeHead(200, { "Content-Type": "application/json" }).write("{");
      return;
    case "garbage":
      json(200, '{"their words": ');
      return;
    case "html":
      response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>their words</h1>");
      return;
    case "other-shape":
      json(200, '{"their words": [1]}');
      return;
    case "error":
      json(500, '{"error": "their words"}');
      return;
    case "busy":
      json(429, '{"error": "their words"}');
      return;
    case "huge":
      endlessly(response);
      return;
    case "broken-off":
      response.writeHead(200, { "Content-Length": "1000" }).write('{"their words');
      setImmediate(() => response.destroy());
      return;
    case "elsewhere":
      // this machine under another name, as an attacker would try
      redirect(`http://localhost:${request.socket.localPort}${url}`);
      return;
    case "in-circles":
      redirect(url);
      return;
    case "moved":
      if (!url.startsWith("/moved")) {
        redirect(`/moved${url}`);
        return;
      }
  }
  const [status, body] = well();
  json(status, JSON.stringify(body));
}

function endlessly(response: ServerResponse): void {
  const part = " ".repeat(256 * 1024);
  response.writeHead(200, { "Content-Type": "application/json" });
  const more = () => {
    while (!response.destroyed && response.write(part));
  };
  response.on("drain", more);
  more();
}
