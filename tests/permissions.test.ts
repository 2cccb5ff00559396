import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../src/app.ts";
import { FEATURES, ordered, permissionNames, permissionsBeyond, shared } from "../src/staff/permissions.ts";
import { databasesAndCounters, type OwnCounter, openCounter } from "./support/counters.ts";
import { isShort } from "./support/lane.ts";
import { type Museum, openMuseum } from "./support/museum.ts";
import {
  CALLERS,
  type CallerName,
  declaredRows,
  KEYS,
  PAGE,
  REGENERATE,
  ROLES,
  type Row,
  roleTable,
  walk,
} from "./support/permission-table.ts";

const declared = declaredRows();

/** Asking every route takes some seconds for each of them. */
const ASKING: readonly CallerName[] = isShort ? ["visitor", "cataloger"] : CALLERS;

/** Fails with every sentence at once. */
function none(sentences: readonly string[]): void {
  if (sentences.length > 0) expect.fail(`${sentences.join("\n")}\n(${REGENERATE})`);
}

/** What is not as declared, in sentences. */
function differences(found: readonly Row[], said: readonly Row[]): string[] {
  const wanted = new Map(said.map((row) => [row.route, row]));
  const there = new Set(found.map(({ route }) => route));
  return [
    ...found.flatMap(({ route, needs, outcomes }) => {
      const row = wanted.get(route);
      if (!row) return [`${route} is not in the table: nobody has said who may call it`];
      return [
        ...(row.needs === needs ? [] : [`${route} needs ${needs}, declared is ${row.needs}`]),
        ...ASKING.filter((caller) => outcomes[caller] !== row.outcomes[caller]).map(
          (caller) => `${route}: ${caller} gets ${outcomes[caller]}, declared is ${row.outcomes[caller]}`,
        ),
      ];
    }),
    ...said
      .filter(({ route }) => !there.has(route))
      .map(({ route }) => `${route} is in the table and nowhere else`),
  ];
}

const everywhere = "the table of permissions, on the $database database, limits counted $counting";
describe.each(databasesAndCounters)(everywhere, ({ database, counting }) => {
  let museum: Museum;
  let counter: OwnCounter;
  let found: Row[];

  beforeAll(async () => {
    museum = await openMuseum({ database, env: { TRIPLESTORE_ENABLED: "true" } });
    counter = await openCounter(counting);
    found = await walk(createApp({ ...museum.services, counter }), ASKING);
  });
  afterAll(async () => {
    await museum.close();
    await counter.close();
  });

  it("holds for every route and every caller, and for nothing else", () => {
    expect(found.length).toBe(museum.api.routes.length);
    none(differences(found, declared));
  });

  it("says what the roles permit that come with the service", async () => {
    if (!readFileSync(PAGE, "utf8").includes(await roleTable(museum.api))) none(["The roles have changed"]);
  });

  it("would show a route that nobody declared, one that lets too many in, and one that is gone", () => {
    const [first, ...rest] = found;
    expect(differences(found, rest)).toEqual([
      expect.stringContaining(`${first!.route} is not in the table`),
    ]);
    expect(differences(rest, found)).toEqual([expect.stringContaining("nowhere else")]);
    const closed = { ...first!, outcomes: { ...first!.outcomes, visitor: "401" as const } };
    const open = { ...first!, outcomes: { ...first!.outcomes, visitor: "yes" as const } };
    expect(differences([open, ...rest], [closed, ...rest])).toEqual([
      `${first!.route}: visitor gets yes, declared is 401`,
    ]);
  });
});

describe("what is declared", () => {
  const lets = (caller: CallerName, rows: readonly Row[]) =>
    rows.filter(({ outcomes }) => outcomes[caller] === "yes").map(({ route }) => route);
  const records =
    /^[A-Z]+ \/v1\/(objects|entities|places|occurrences|procedures|collections|storage-locations)\b/;
  const writing = declared.filter(({ route }) => records.test(route) && !route.startsWith("GET "));

  it("lets nobody do less than somebody with a smaller role, or than a visitor", () => {
    const order: CallerName[] = ["visitor", ...ROLES];
    for (const [n, caller] of order.slice(1).entries()) {
      const smaller = lets(order[n]!, declared);
      expect(
        smaller.filter((route) => !lets(caller, declared).includes(route)),
        caller,
      ).toEqual([]);
    }
  });

  it("lets visitors and viewers change no record, and a cataloger delete none", () => {
    expect(writing.length).toBeGreaterThan(50);
    expect(lets("visitor", writing)).toEqual([]);
    expect(lets("viewer", writing)).toEqual([]);
    expect(lets("cataloger", writing).filter((route) => /^DELETE [^{]*\{id\}$/.test(route))).toEqual([]);
  });

  it("lets only administrators to accounts, roles and their log", () => {
    const staff = declared.filter(({ route }) =>
      / \/v1\/(users|roles|security-events)(\/\{\w+\})?$/.test(route),
    );
    expect(staff.length).toBeGreaterThan(10);
    for (const caller of ["visitor", "viewer", "cataloger", "editor"] as const) {
      expect(lets(caller, staff), caller).toEqual([]);
    }
  });

  it("lets no key further than its owner, and none to passwords, sessions and keys", () => {
    const owner = lets("superuser", declared);
    for (const key of KEYS) {
      const further = lets(key, declared).filter((route) => !owner.includes(route));
      // what takes its own credentials does not look at those sent along
      expect(
        further.filter((route) => !/ \/v1\/auth\/(token|login|refresh|logout)$/.test(route)),
        key,
      ).toEqual([]);
      const closed = declared.filter(({ route }) =>
        /api-keys|\/v1\/auth\/(password|logout-everywhere)$/.test(route),
      );
      expect(closed.length).toBeGreaterThan(4);
      expect(lets(key, closed), key).toEqual([]);
    }
    expect(lets("key that reads", writing)).toEqual([]);
    expect(lets("key that writes", writing).length).toBeGreaterThan(20);
    expect(lets("key that writes", writing).filter((route) => route.endsWith("/publish"))).toEqual([]);
    expect(lets("key that writes", declared).filter((route) => route.includes("/v1/users"))).toEqual([]);
  });

  it("refuses visitors with 401 and everybody else with 403", () => {
    // what needs nothing may still want credentials of another kind, and says so to everybody alike
    for (const { route, outcomes } of declared.filter(({ needs }) => needs !== "nothing")) {
      expect(outcomes.visitor, route).toBe("401");
      for (const role of ROLES) expect(outcomes[role], route).not.toBe("401");
    }
  });

  it("lets nobody past a temporary password, except to change it and to what is the same for all", () => {
    const open = lets("password to be changed", declared).filter((route) => !route.includes(" /v1/auth/"));
    expect(open).toEqual([
      "GET /admin/password",
      "POST /admin/password",
      "POST /admin/sign-out",
      "GET /health",
      "GET /llms.txt",
      "GET /robots.txt",
    ]);
  });
});

describe("permissions", () => {
  const one = { records: { object: ["update", "read"], place: ["read"] }, features: ["jobs:read"] } as const;
  const other = {
    records: { object: ["read", "publish"], entity: [] },
    features: ["users:manage", "jobs:read"],
  } as const;

  it("are compared one by one", () => {
    expect(permissionNames(one)).toEqual([
      "records:update for object",
      "records:read for object",
      "records:read for place",
      "jobs:read",
    ]);
    expect(permissionsBeyond(one, other)).toEqual(["records:publish for object", "users:manage"]);
    expect(permissionsBeyond(one, one)).toEqual([]);
    expect(shared(one, other)).toEqual({ records: { object: ["read"], place: [] }, features: ["jobs:read"] });
  });

  it("are kept in one order, each once", () => {
    const records = { place: ["read"], entity: [], object: ["update", "read", "read"] } as const;
    expect(ordered({ records, features: [...FEATURES].reverse() })).toEqual({
      records: { object: ["read", "update"], place: ["read"] },
      features: FEATURES,
    });
  });
});
