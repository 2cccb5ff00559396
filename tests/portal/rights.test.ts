/** Rights statements and licences have one official address wherever they leave, however they were written. */
import { beforeAll, describe, expect, it } from "vitest";
import { infoOf } from "../../src/iiif/info.ts";
import { isForEuropeana, rightsIn, rightsUri } from "../../src/vocabularies/rights.ts";
import { made } from "../support/museum/catalogue.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";

const CC = "http://creativecommons.org";
const RS = "http://rightsstatements.org/vocab";
const BY_SA = `${CC}/licenses/by-sa/4.0/`;

describe("an address of a statement or licence", () => {
  it.each([
    [BY_SA, BY_SA],
    ["https://creativecommons.org/licenses/by-sa/4.0", BY_SA],
    [" https://www.creativecommons.org/licenses/by-sa/4.0/deed.de ", BY_SA],
    ["https://creativecommons.org/licenses/BY-SA/4.0/deed.pt_BR", BY_SA],
    ["HTTPS://CreativeCommons.org/licenses/by-sa/4.0/legalcode.de#s3", BY_SA],
    ["https://creativecommons.org/licenses/by-sa/4.0/?ref=chooser-v1", BY_SA],
    ["creativecommons.org/licenses/by-sa/4.0/legalcode?x=1", BY_SA],
    ["https://creativecommons.org/licenses/by/3.0/DE/deed.en", `${CC}/licenses/by/3.0/de/`],
    ["http://creativecommons.org/licenses/by-nc/3.0/igo", `${CC}/licenses/by-nc/3.0/igo/`],
    ["https://creativecommons.org/publicdomain/mark/1.0/deed.fr", `${CC}/publicdomain/mark/1.0/`],
    ["https://rightsstatements.org/page/InC/1.0/?language=de", `${RS}/InC/1.0/`],
    ["http://rightsstatements.org/vocab/inc/1.0/", `${RS}/InC/1.0/`],
    ["https://rightsstatements.org/page/noc-oklr/1.0", `${RS}/NoC-OKLR/1.0/`],
  ])("%s means %s", (given, uri) => {
    expect(rightsUri(given)).toBe(uri);
    expect(infoOf("https://museum.example/image", { width: 40, height: 30 }, given).rights).toBe(uri);
  });

  it.each([
    "CC BY-SA 4.0",
    "https://example.org/creativecommons.org/licenses/by/4.0/",
    "http://creativecommons.org/licenses/by/4.0/ <script>",
    "http://creativecommons.org/licenses/by/5.0/",
    "http://creativecommons.org/licenses/by/4.0/de/",
    "http://creativecommons.org/licenses/by-xx/4.0/",
    "http://creativecommons.org/publicdomain/zero/2.0/",
    "http://rightsstatements.org/vocab/InC-XX/1.0/",
    "http://rightsstatements.org/licenses/by/4.0/",
  ])("%s is none", (given) => expect(rightsUri(given)).toBeNull());

  it("is the same when it is read again", () => {
    for (const uri of [BY_SA, `${CC}/licenses/by-nc-nd/2.5/scotland/`, `${RS}/InC-OW-EU/1.0/`])
      expect(rightsUri(uri)).toBe(uri);
  });

  it("is accepted by Europeana as its schema says", () => {
    const accepted = (uri: string) => isForEuropeana(rightsIn(uri)!);
    expect(accepted(`${CC}/licenses/by/3.0/de/`)).toBe(true);
    expect(accepted(`${RS}/InC/1.0/`)).toBe(true);
    expect(accepted(`${RS}/UND/1.0/`)).toBe(false);
  });
});

describe("records with the same licence in several spellings", async () => {
  const SPELLINGS = [
    BY_SA,
    "https://creativecommons.org/licenses/BY-SA/4.0",
    "https://creativecommons.org/licenses/by-sa/4.0/deed.en?ref=chooser-v1",
    "creativecommons.org/licenses/by-sa/4.0/legalcode",
  ];
  const ids: string[] = [];
  const museum = await museumHere();
  const admin = await museum.as("admin");
  beforeAll(async () => {
    // a museum that keeps whatever address its sources gave
    await admin("/v1/schemas/object/rights", { method: "PATCH", json: { vocabulary: null, is_facet: true } });
    for (const value of SPELLINGS) {
      const metadata_ = { title: [{ value: "Harbour pilot", lang: "en" }], rights: [{ value }] };
      const id = await made(admin, "objects", { object_type: "print", metadata_, status: "public" });
      // a file has an address with its scheme
      const license_uri = value.replace(/^(?!http)/, "https://");
      const fields = { visibility: "public", license_uri };
      expect((await send(admin, id, await jpeg(40, 30), "pilot.jpg", fields)).status).toBe(201);
      ids.push(id);
    }
  });

  it("are one value of the facet, found by every spelling", async () => {
    const search = async (more: string) => {
      const answer = await museum.ask(`/portal/v1/search?facets=rights&${more}`);
      return (await answer.json()) as { total: number; facets: { rights: unknown } };
    };
    for (const value of SPELLINGS) {
      const found = await search(`meta_rights=${encodeURIComponent(value)}`);
      expect(found.total).toBe(SPELLINGS.length);
      expect(JSON.stringify(found.facets.rights)).toContain(BY_SA);
      expect(JSON.stringify(found.facets.rights)).not.toMatch(/deed|BY-SA|legalcode/);
    }
  });

  it("leave with the official address in every format, and are not reported to be refused", async () => {
    for (const id of ids) {
      for (const path of [
        ...["edm", "lido", "jsonld", "turtle", "dc"].map(
          (format) => `/v1/objects/${id}/export?format=${format}`,
        ),
        `/iiif/presentation/3/objects/${id}/manifest`,
        `/objects/${id}`,
      ]) {
        const text = await (await museum.ask(path, { headers: { Accept: "*/*" } })).text();
        expect(text, path).toContain(BY_SA);
        const asAddress =
          /(href|resource|rights|conceptID[^>]*>|"id":) ?[=":<]*https?:[^"<> ]*(BY-SA|deed|legalcode)/;
        expect(text, path).not.toMatch(asAddress);
      }
    }
    await admin("/v1/settings", {
      method: "PATCH",
      json: { metadata_rights: "https://creativecommons.org/publicdomain/zero/1.0/deed.de" },
    });
    for (const id of ids) {
      const answer = await museum.ask(`/objects/${id}`, { headers: { Accept: "text/html" } });
      const page = await answer.text();
      // once for the object and its picture
      expect(page.split(`href="${BY_SA}"`)).toHaveLength(2);
      expect(page.match(/CC BY-SA 4\.0/g)).toHaveLength(1);
      expect(page).toContain(`"license":"${BY_SA}"`);
      expect(answer.headers.get("link")).toContain(`<${BY_SA}>; rel="license"`);
      const lido = await (await museum.ask(`/v1/objects/${id}/export?format=lido`)).text();
      const [, work] = /<lido:rightsWorkSet>(.*?)<\/lido:rightsWorkSet>/s.exec(lido)!;
      expect(work).toMatch(new RegExp(`>${BY_SA}</lido:conceptID>\\s*<lido:term>CC BY-SA 4.0</lido:term>`));
      expect(lido).toContain(`>${CC}/publicdomain/zero/1.0/<`);
    }
    const report = (await (await admin("/v1/reports/aggregator")).json()) as {
      findings: { finding: string; count: number }[];
    };
    for (const { finding, count } of report.findings)
      if (finding.endsWith("_rights")) expect([finding, count]).toEqual([finding, 0]);
  });
});
