import { describe, expect, it } from "vitest";
import { museumHere } from "../support/museum/museum.ts";
import { refusal } from "../support/refusals.ts";

const museum = await museumHere();

const ID = "01a1fba7-c7ac-72a8-8279-a86efc497f2e";
const detailOf = async (path: string, init: RequestInit = {}) =>
  (await refusal(await museum.ask(path, init), path, 404)).detail;

describe("an address that does not exist", () => {
  it.each(["/v1", "/v1/", "/api", "/api/", "/api/v1"])(
    "%s points to the API and its documentation",
    async (path) => {
      expect(await detailOf(path)).toBe(
        `There is nothing at ${path} itself: the REST API is under /v1, and /api/docs describes it`,
      );
      expect((await museum.ask("/api/docs")).status).toBe(200);
    },
  );

  it.each([
    ["/v1/object", "/v1/objects"],
    ["/v1/objects/", "/v1/objects"],
    ["/V1/Objects", "/v1/objects"],
    ["/v1/entity", "/v1/entities"],
    ["/v1/storage_locations", "/v1/storage-locations"],
    ["/v1//colections", "/v1/collections"],
    [`/v1/objets/${ID}`, `/v1/objects/${ID}`],
    [`/v1/objects/${ID}/histroy`, `/v1/objects/${ID}/history`],
    [`/api/v1/objects/${ID}/relation`, `/api/v1/objects/${ID}/relations`],
    ["/v1/serach", "/v1/search"],
    ["/portal/v1/seach", "/portal/v1/search"],
    ["/healthz", "/health"],
  ])("%s gets the suggestion %s", async (path, near) => {
    expect(await detailOf(path)).toBe(`There is nothing at ${path}; did you mean ${near}?`);
  });

  it("gets only suggestions that accept the method of the request", async () => {
    const publish = `/v1/objects/${ID}/publsh`;
    expect(await detailOf(publish, { method: "POST" })).toMatch(/; did you mean \S+\/publish\?$/);
    expect(await detailOf(publish)).toBe(`There is nothing at ${publish}; /api/docs describes what there is`);
  });

  it.each(["/v1/loans", "/v1/objects/a/b/c/d/e", `/v1/${"objects".repeat(50)}`])(
    "%s gets no suggestion",
    async (path) => {
      expect(await detailOf(path)).toBe(
        `There is nothing at ${path.slice(0, 300)}; /api/docs describes what there is`,
      );
    },
  );

  it("gets no suggestion outside the API", async () => {
    expect(await detailOf("/favicon.ico")).toBe("There is nothing at /favicon.ico");
  });
});
