/** The rights of an object beside those of its pictures, in every combination. */
import { expect, it } from "vitest";
import { mayDownload, type Openness, opennessOf } from "../../src/portal/record/rights.ts";
import { summariseRights } from "../../src/portal/record/rights-summary.ts";

const CC = "http://creativecommons.org";
const RS = "http://rightsstatements.org/vocab";
const ADDRESSES = [
  `${CC}/publicdomain/mark/1.0/`,
  `${CC}/licenses/by/4.0/`,
  `${RS}/InC/1.0/`,
  `${RS}/InC-EDU/1.0/`,
  `${RS}/NoC-CR/1.0/`,
  `${RS}/UND/1.0/`,
];
const OPEN: readonly Openness[] = ["free", "licensed"];
const isOpen = (address: string) => OPEN.includes(opennessOf(address));

/** None, one, or two of them. */
const few = <T>(all: readonly T[]): T[][] => [
  [],
  ...all.map((one) => [one]),
  ...all.flatMap((one) => all.map((other) => [one, other])),
];
const COMBINATIONS = few(ADDRESSES).flatMap((own) =>
  few<string | null>([null, ...ADDRESSES]).map((licences) => ({ own, licences })),
);

it("no two statements contradict each other, and none stands twice", () => {
  expect(COMBINATIONS.length).toBeGreaterThan(2_000);
  for (const { own, licences } of COMBINATIONS) {
    const summary = summariseRights(own, licences);
    const given = JSON.stringify({ own, licences, statements: summary.statements });
    const addresses = summary.statements.flatMap((statement) => statement.addresses);
    expect(new Set(addresses).size, given).toBe(addresses.length);
    expect(new Set(summary.statements.map(({ of }) => of)).size, given).toBe(summary.statements.length);
    for (const statement of summary.statements)
      expect(new Set(statement.addresses.map(opennessOf)).size, given).toBe(1);
    // what is said of the object is the strictest of what the record says
    const [object] = summary.statements.filter(({ of }) => of !== "pictures");
    expect(object === undefined, given).toBe(own.length === 0);
    if (object && !own.every(isOpen)) expect(object.addresses.some(isOpen), given).toBe(false);
    // a picture of something that is not free is never called free without more words
    const closed = own.some((address) => !isOpen(address));
    for (const { of, addresses, isLimited } of summary.statements)
      expect(isLimited, given).toBe(of === "pictures" && closed && addresses.every(isOpen));
  }
});

it("each picture has one statement: that of most, or its own beside it", () => {
  for (const { own, licences } of COMBINATIONS) {
    const summary = summariseRights(own, licences);
    const given = JSON.stringify({ own, licences, statements: summary.statements });
    const [inherited] = summary.statements.find(({ of }) => of !== "pictures")?.addresses ?? [];
    const ofPictures = summary.statements.find(({ of }) => of !== "object");
    for (const licence of licences) {
      const address = licence ?? inherited ?? null;
      const exception = summary.exception(licence);
      const isOfMost = ofPictures === undefined ? address === null : ofPictures.addresses.includes(address!);
      if (!isOfMost) expect(exception?.address, given).toBe(address);
      else if (exception) expect(ofPictures?.of, given).toBe("both");
      const isLimited = address !== null && isOpen(address) && own.some((one) => !isOpen(one));
      if (exception) expect(exception.isLimited, given).toBe(isLimited);
    }
    const differ = licences.some((licence) => summary.exception(licence) !== null);
    expect(
      summary.statements.some((statement) => statement.differ),
      given,
    ).toBe(differ && ofPictures !== undefined);
  }
});

it("a picture can be downloaded if its rights permit it, and those of what it shows do not forbid it", () => {
  for (const { own, licences } of COMBINATIONS) {
    const summary = summariseRights(own, licences);
    for (const licence of licences) {
      const isForbidden = own.some((one) => opennessOf(one) === "protected" && !mayDownload(one));
      const given = JSON.stringify({ own, licence });
      if (isForbidden) expect(summary.mayDownload(licence), given).toBe(false);
      else if (licence !== null) expect(summary.mayDownload(licence), given).toBe(mayDownload(licence));
      else if (own.length === 0) expect(summary.mayDownload(licence), given).toBe(false);
    }
  }
});
