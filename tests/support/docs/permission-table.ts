/** Finds out who may call which route by calling it, for docs/permissions.md. */
import { readFileSync } from "node:fs";
import { createKey } from "../../../src/accounts/keys/keys.ts";
import { scopesOf } from "../../../src/accounts/keys/scopes.ts";
import { findAccountById, insertAccount } from "../../../src/accounts/store.ts";
import type { RecordAction } from "../../../src/caller.ts";
import type { Api } from "../../../src/http/endpoint.ts";
import { type Access, actionsOf } from "../../../src/http/route.ts";
import { OR_MAKER } from "../../../src/http/route-description.ts";
import { newId } from "../../../src/ids.ts";
import { KINDS, kinds } from "../../../src/records/kinds.ts";
import { ACTIONS, FEATURES } from "../../../src/staff/permissions.ts";
import { listRoles, type RoleRow } from "../../../src/staff/role-store.ts";
import { signedIn } from "../museum/signed-in.ts";

/** From the least to the most permissions. */
export const ROLES = ["viewer", "cataloger", "editor", "admin", "superuser"] as const;
/** API keys of a superuser, with all or some of the owner's permissions. */
export const KEYS = ["key that reads", "key that writes", "key with everything"] as const;
/** "password to be changed": a superuser who has a temporary password. */
export const CALLERS = ["visitor", ...ROLES, "password to be changed", ...KEYS] as const;
export type CallerName = (typeof CALLERS)[number];
export type Outcome = "yes" | "401" | "403";
export type Row = { route: string; needs: string; outcomes: Record<CallerName, Outcome> };

export const PAGE = new URL("../../../docs/permissions.md", import.meta.url);
export const REGENERATE =
  "node --import tsx tests/support/docs/write-permission-docs.ts, and look at what changed in docs/permissions.md";

/** Calls every route as each of these callers, with a separate account and address, so that no limit is reached. */
export async function walk(api: Api, callers: readonly CallerName[] = CALLERS): Promise<Row[]> {
  const rows: Row[] = [];
  let asked = 0;
  for (const { method, path, access } of api.routes) {
    const outcomes = {} as Record<CallerName, Outcome>;
    for (const caller of callers) {
      asked += 1;
      const remote = `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`;
      const headers = caller === "visitor" ? {} : await credentialsOf(api, caller);
      const { status, body } = await api.app.request(addressOf(path), { method, headers }, { remote });
      await body?.cancel();
      if (status === 429) throw new Error(`${method} ${path} is limited before anybody is let in or refused`);
      outcomes[caller] = status === 401 || status === 403 ? `${status}` : "yes";
    }
    rows.push({ route: `${method} ${path}`, needs: needsOf(access), outcomes });
  }
  return byPath(rows);
}

const byPath = (rows: Row[]): Row[] =>
  rows.sort((one, other) => (one.route.split(" ")[1]! < other.route.split(" ")[1]! ? -1 : 1));

async function credentialsOf(
  { services }: Api,
  caller: Exclude<CallerName, "visitor">,
): Promise<Record<string, string>> {
  const id = newId();
  const isRole = (ROLES as readonly string[]).includes(caller);
  const account = {
    id,
    email: `${id}@museum.example`,
    displayName: caller,
    role: isRole ? caller : "superuser",
    passwordHash: "$none$",
    mustChangePassword: caller === "password to be changed",
  };
  await services.sql.begin((tx) => insertAccount(tx, account));
  if (!(KEYS as readonly string[]).includes(caller)) {
    return { Authorization: `Bearer ${await signedIn(services, { id, token_version: 1 })}` };
  }
  const owner = (await findAccountById(services.sql, id))!;
  const permissions =
    caller === "key that reads"
      ? ["records:read"]
      : caller === "key that writes"
        ? ["records:read", "records:write"]
        : scopesOf(owner.permissions);
  const asking = {
    caller: {
      ...account,
      kind: "account" as const,
      permissions: owner.permissions,
    },
    client: "",
  };
  const { key } = await createKey(services, asking, owner, { name: caller, permissions, expires_at: null });
  return { "X-API-Key": key };
}

/** An address of a record that does not exist: callers with permission get 404, and nothing changes. */
function addressOf(path: string): string {
  // an existing name: any other is refused before the caller is checked
  return path
    .replace("/files/{name}", "/files/rejects")
    .replace(/\{(\w+)\}/g, (_, name: string) =>
      /(^|_)id$/.test(name) ? "00000000-0000-4000-8000-000000000000" : "nothing",
    );
}

const needed = (access: Extract<Access, { action: unknown }>): string =>
  actionsOf(access)
    .map((action) => `records:${action}`)
    .join(" and ");

function needsOf(access: Access): string {
  if (typeof access !== "string") {
    if (!("feature" in access)) return `${needed(access)} for ${access.kind}`;
    return access.orMaker ? `${access.feature}${OR_MAKER}` : access.feature;
  }
  return { public: "nothing", account: "an account", self: "an account, whatever its password" }[access];
}

/** In a route that all seven record types have with the same answers; its row stands for all of them. */
const TYPE = "<type>";

const forKind = ({ route, needs, outcomes }: Row, kind: (typeof KINDS)[number]): Row => ({
  route: route.replace(TYPE, kinds[kind].plural),
  needs: needs.startsWith("records:") ? `${needs} for ${kind}` : needs,
  outcomes,
});

/** One row for the routes of all record types, where they differ in nothing else. */
function grouped(rows: readonly Row[]): Row[] {
  const all = new Map(rows.map((row) => [row.route, row]));
  const together = rows.flatMap(({ route, needs, outcomes }) => {
    const group = {
      route: route.replace(/\/objects(?=\/|$)/, `/${TYPE}`),
      needs: needs.replace(" for object", ""),
      outcomes,
    };
    const members = KINDS.map((kind) => forKind(group, kind));
    const isSame = (row: Row) => JSON.stringify(all.get(row.route)) === JSON.stringify(row);
    return group.route !== route && members.every(isSame) ? [{ group, members }] : [];
  });
  const covered = new Set(together.flatMap(({ members }) => members.map((row) => row.route)));
  return byPath([...rows.filter(({ route }) => !covered.has(route)), ...together.map(({ group }) => group)]);
}

/** The table of routes as Markdown. */
export function routeTable(rows: readonly Row[]): string {
  return markdown(
    ["Route", "Needs", ...CALLERS],
    grouped(rows).map(({ route, needs, outcomes }) => [
      `\`${route}\``,
      needs,
      ...CALLERS.map((caller) => outcomes[caller]),
    ]),
  );
}

/** The permissions of the roles of a fresh installation. */
export async function roleTable({ services }: Api): Promise<string> {
  const roles = await listRoles(services.sql);
  const shipped = ROLES.map((name) => roles.find((role) => role.name === name)!);
  return markdown(
    ["Permission", ...ROLES],
    [
      ...ACTIONS.map((action) => [
        `\`records:${action}\``,
        ...shipped.map((role) => kindsWith(role, action)),
      ]),
      ...FEATURES.map((feature) => [
        `\`${feature}\``,
        ...shipped.map(({ permissions }) => (permissions.features.includes(feature) ? "yes" : "no")),
      ]),
    ],
  );
}

function kindsWith({ permissions }: RoleRow, action: RecordAction): string {
  const kinds = Object.keys(permissions.records).filter((kind) =>
    permissions.records[kind]?.includes(action),
  );
  return kinds.length === 0 ? "no" : kinds.length === 7 ? "yes" : kinds.join(", ");
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** What docs/permissions.md declares, with one row for each route. */
export function declaredRows(page = readFileSync(PAGE, "utf8")): Row[] {
  return [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` \| ([^|]*) \| (.*) \|$/gm)].flatMap(
    ([, route, needs, cells]) => {
      const outcomes = cells!.split(" | ") as Outcome[];
      const row = {
        route: route!,
        needs: needs!,
        outcomes: Object.fromEntries(CALLERS.map((caller, n) => [caller, outcomes[n]])) as Row["outcomes"],
      };
      return row.route.includes(TYPE) ? KINDS.map((kind) => forKind(row, kind)) : [row];
    },
  );
}
