import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import {
  FEATURES,
  ordered,
  permissionNames,
  permissionsBeyond,
  shared,
} from "../../src/staff/permissions.ts";
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
} from "../support/docs/permission-table.ts";
import { isShort } from "../support/lane/lane.ts";
import { type DatabaseKind, databases, museumHere } from "../support/museum/museum.ts";
import { databasesAndCounters, openCounter } from "../support/servers/counters.ts";

const declared = declaredRows();

/** Calling every route takes some seconds for each caller: all of them on the first database, one of each sort on the other. */
const askingOn = (database: DatabaseKind): readonly CallerName[] => {
  if (isShort) return ["visitor", "cataloger"];
  return database === databases[0]
    ? CALLERS
    : ["visitor", "cataloger", "password to be changed", "key that reads"];
};

/** Fails with every sentence at once. */
function none(sentences: readonly string[]): void {
  if (sentences.length > 0) expect.fail(`${sentences.join("\n")}\n(${REGENERATE})`);
}

/** Sentences about every difference between the rows found and the rows declared. */
function differences(
  found: readonly Row[],
  expected: readonly Row[],
  asking: readonly CallerName[],
): string[] {
  const wanted = new Map(expected.map((row) => [row.route, row]));
  const foundRoutes = new Set(found.map(({ route }) => route));
  return [
    ...found.flatMap(({ route, needs, outcomes }) => {
      const row = wanted.get(route);
      if (!row) return [`${route} is not in the table: nobody has said who may call it`];
      return [
        ...(row.needs === needs ? [] : [`${route} needs ${needs}, declared is ${row.needs}`]),
        ...asking
          .filter((caller) => outcomes[caller] !== row.outcomes[caller])
          .map(
            (caller) => `${route}: ${caller} gets ${outcomes[caller]}, declared is ${row.outcomes[caller]}`,
          ),
      ];
    }),
    ...expected
      .filter(({ route }) => !foundRoutes.has(route))
      .map(({ route }) => `${route} is in the table and nowhere else`),
  ];
}

const everywhere = "the table of permissions, on the $database database, limits counted $counting";
describe.each(databasesAndCounters)(everywhere, async ({ database, counting }) => {
  const asking = askingOn(database);
  const counter = await openCounter(counting);
  afterAll(() => counter.close());
  const museum = await museumHere({ database, env: { TRIPLESTORE_ENABLED: "true" } });
  let found: Row[];
  beforeAll(async () => {
    found = await walk(createApp({ ...museum.services, counter }), asking);
  });

  it("holds for every route and every caller", () => {
    expect(found.length).toBe(museum.api.routes.length);
    none(differences(found, declared, asking));
  });

  it("lists what the roles of a fresh installation permit", async () => {
    if (!readFileSync(PAGE, "utf8").includes(await roleTable(museum.api))) none(["The roles have changed"]);
  });

  it("would report an undeclared route, one that admits too many callers, and one that is gone", () => {
    const [first, ...rest] = found;
    expect(differences(found, rest, asking)).toEqual([
      expect.stringContaining(`${first!.route} is not in the table`),
    ]);
    expect(differences(rest, found, asking)).toEqual([expect.stringContaining("nowhere else")]);
    const closed = { ...first!, outcomes: { ...first!.outcomes, visitor: "401" as const } };
    const open = { ...first!, outcomes: { ...first!.outcomes, visitor: "yes" as const } };
    expect(differences([open, ...rest], [closed, ...rest], asking)).toEqual([
      `${first!.route}: visitor gets yes, declared is 401`,
    ]);
  });
});

describe("the declared permissions", () => {
  const lets = (caller: CallerName, rows: readonly Row[]) =>
    rows.filter(({ outcomes }) => outcomes[caller] === "yes").map(({ route }) => route);
  const records =
    /^[A-Z]+ \/v1\/(objects|entities|places|occurrences|procedures|collections|storage-locations)\b/;
  const writing = declared.filter(({ route }) => records.test(route) && !route.startsWith("GET "));

  it("let nobody do less than a smaller role or a visitor", () => {
    const order: CallerName[] = ["visitor", ...ROLES];
    for (const [n, caller] of order.slice(1).entries()) {
      const smaller = lets(order[n]!, declared);
      expect(
        smaller.filter((route) => !lets(caller, declared).includes(route)),
        caller,
      ).toEqual([]);
    }
  });

  it("let visitors and viewers change no record, and a cataloger delete none", () => {
    expect(writing.length).toBeGreaterThan(50);
    expect(lets("visitor", writing)).toEqual([]);
    expect(lets("viewer", writing)).toEqual([]);
    expect(lets("cataloger", writing).filter((route) => /^DELETE [^{]*\{id\}$/.test(route))).toEqual([]);
  });

  it("reserve accounts, roles and the security log for administrators", () => {
    const staff = declared.filter(({ route }) =>
      / \/v1\/(users|roles|security-events)(\/\{\w+\})?$/.test(route),
    );
    expect(staff.length).toBeGreaterThan(10);
    for (const caller of ["visitor", "viewer", "cataloger", "editor"] as const) {
      expect(lets(caller, staff), caller).toEqual([]);
    }
  });

  it("give a key no more than its owner has, and no access to passwords, sessions and keys", () => {
    const owner = lets("superuser", declared);
    for (const key of KEYS) {
      const further = lets(key, declared).filter((route) => !owner.includes(route));
      // routes that take their own credentials ignore others sent along
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

  it("refuse visitors with 401 and everybody else with 403", () => {
    // a route without access rules may still need other credentials, and then answers 401 to everybody
    for (const { route, outcomes } of declared.filter(({ needs }) => needs !== "nothing")) {
      expect(outcomes.visitor, route).toBe("401");
      for (const role of ROLES) expect(outcomes[role], route).not.toBe("401");
    }
  });

  it("allow somebody with a temporary password only to change it and to use what is open to all", () => {
    const open = lets("password to be changed", declared).filter((route) => !route.includes(" /v1/auth/"));
    expect(open).toEqual([
      "GET /admin/forgotten",
      "POST /admin/forgotten",
      "GET /admin/password",
      "POST /admin/password",
      "GET /admin/reset",
      "POST /admin/reset",
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

  it("are stored in a fixed order, each once", () => {
    const records = { place: ["read"], entity: [], object: ["update", "read", "read"] } as const;
    expect(ordered({ records, features: [...FEATURES].reverse() })).toEqual({
      records: { object: ["read", "update"], place: ["read"] },
      features: FEATURES,
    });
  });
});
