import { beforeAll, describe, expect, it } from "vitest";
import { KINDS, kinds } from "../../src/records/kinds.ts";
import { create } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";

type Body = { schema: { $ref?: string; format?: string }; example?: unknown };
type Description = {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, Body> }; responses: Record<string, unknown> }>
  >;
};

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Examples that cannot succeed here: no mail is sent, and nobody has this password. */
const REFUSED: Record<string, { status: number; because: RegExp }> = {
  "post /v1/storage-locations/{id}/publish": { status: 422, because: /never public/ },
  "post /v1/auth/token": { status: 401, because: /password is wrong/ },
  "post /v1/auth/login": { status: 401, because: /password is wrong/ },
  "post /v1/auth/refresh": { status: 401, because: /no active session/ },
  "post /v1/auth/password": { status: 422, because: /current_password is not the password/ },
  "post /v1/auth/password-reset": { status: 503, because: /mail/i },
  "post /v1/auth/password-reset/confirm": { status: 422, because: /token/ },
  // the id of the examples is that of another kind of record
  "post /v1/objects/{id}/move": { status: 422, because: /storage location/ },
  "post /v1/objects/move": { status: 422, because: /storage location/ },
  // no term and no record has it
  "post /v1/vocabularies/{name}/terms/{id}/merge": { status: 422, because: /\/into/ },
  "post /v1/vocabularies/{name}/terms/duplicates/dismissed": { status: 422, because: /\/ids/ },
  ...Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`post /v1/${kinds[kind].plural}/{id}/merge`, { status: 422, because: /\/into/ }],
      [`post /v1/${kinds[kind].plural}/duplicates/dismissed`, { status: 422, because: /\/ids/ }],
    ]),
  ),
};

describe("the example of every request body", async () => {
  let description: Description;
  const known = new Map<string, string>();
  /** Replaces the id in the examples. */
  let target: string;

  const museum = await museumHere();
  const admin = await museum.as("superuser");
  beforeAll(async () => {
    // the accounts of tests have no password hash that can be compared
    const hash = await museum.services.passwords.hash("a password of nobody");
    await museum.services.sql`update accounts set password_hash = ${hash}`;
    target = (await create(admin, "entity")).id;
    description = (await (await museum.ask("/openapi.json")).json()) as Description;
  });

  const bodies = () =>
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
        Object.entries(requestBody?.content ?? {}).map(([type, body]) => ({
          path,
          method,
          type,
          body,
          responses,
        })),
      ),
    );

  /** What is created first is used in later addresses. */
  const order = (method: string, path: string) =>
    [
      /relations$/.test(path) ? 2 : method === "post" ? 1 : method === "put" ? 3 : 4,
      path.split("/").length,
    ] as const;

  function addressOf(path: string): string {
    return path.replace(/\{(\w+)\}/g, (whole, _name, at: number) => {
      const value = known.get(path.slice(0, at + whole.length));
      return value ?? "nothing-was-made";
    });
  }

  function sent(type: string, example: unknown): RequestInit {
    if (type.startsWith("image/")) return { body: PNG, headers: { "Content-Type": "image/png" } };
    if (type === "multipart/form-data") {
      const form = new FormData();
      for (const [name, value] of Object.entries(example as Record<string, string>))
        form.set(
          name,
          name === "file" ? new File([value.endsWith(".jpg") ? PNG : value], "works.csv") : value,
        );
      return { body: form };
    }
    const text =
      typeof example === "string"
        ? example
        : type === "application/x-www-form-urlencoded"
          ? new URLSearchParams(example as Record<string, string>).toString()
          : JSON.stringify(example).replace("0198c0de-0000-7000-8000-000000000001", target);
    return { body: text, headers: { "Content-Type": type } };
  }

  it("exists", () => {
    const without = bodies().filter(
      ({ type, body }) => body.example === undefined && !type.startsWith("image/"),
    );
    expect(without.map(({ method, path, type }) => `${method} ${path} ${type}`)).toEqual([]);
  });

  it("is accepted as it is", async () => {
    for (const [where, name] of [
      ["/v1/schemas/{type}", "object"],
      ["/v1/schemas/{type}/{field}", "watermark"],
      ["/v1/subtypes/{type}", "object"],
      ["/v1/subtypes/{type}/{name}", "figurehead"],
      ["/v1/vocabularies/{name}", "watermarks"],
      ["/v1/roles/{name}", "volunteer"],
      ["/v1/relation-types/{name}", "copied_from"],
    ] as const)
      known.set(where, name);
    const wrong: string[] = [];
    const all = bodies().sort((a, b) => {
      const [first, deep] = order(a.method, a.path);
      const [other, otherDeep] = order(b.method, b.path);
      return first - other || deep - otherDeep;
    });
    const done = new Set<string>();
    for (const { path, method, type, body, responses } of all) {
      // a second media type of the same body would create the same thing again
      if (method === "post" && done.has(`${method} ${path}`) && !/sparql|bulk/.test(path)) continue;
      done.add(`${method} ${path}`);
      // it would end the session
      const ask = path === "/v1/auth/logout" ? museum.ask : admin;
      const answer = await ask(addressOf(path), {
        method: method.toUpperCase(),
        ...sent(type, body.example),
      });
      const text = await answer.text();
      const refused = REFUSED[`${method} ${path}`];
      const fits = refused ? answer.status === refused.status && refused.because.test(text) : answer.ok;
      const isRight = path.endsWith("/bulk") ? text.includes('"created"') : fits;
      if (!isRight || !(String(answer.status) in responses))
        wrong.push(`${method} ${path} as ${type}: ${answer.status} ${text.slice(0, 300)}`);
      else if (answer.status === 201) keep(path, text);
      const edit = answer.headers.get("X-Import-Id");
      if (edit !== null) known.set("/v1/imports/{id}", edit);
    }
    expect(wrong).toEqual([]);
    expect(done.size).toBeGreaterThan(60);
    const { items } = (await (await admin("/v1/objects?include=title")).json()) as {
      items: { idno: string }[];
    };
    expect(items.map(({ idno }) => idno).filter((idno) => !/^OBJ-\d{6}$/.test(idno))).toEqual([]);
  });

  function keep(path: string, text: string): void {
    const made = JSON.parse(text) as Record<string, string>;
    const last = /([a-z-]+)$/.exec(path)?.[1];
    if (path === "/v1/users" || KINDS.some((kind) => path === `/v1/${kinds[kind].plural}`))
      known.set(`${path}/{id}`, made.id!);
    if (last === "relations") known.set(`${path}/{relation_id}`, made.id!);
    if (last === "media") known.set(`${path}/{media_id}`, made.media_id!);
    if (last === "terms") known.set(`${path}/{id}`, made.id!);
    if (last === "api-keys") known.set(`${path}/{key_id}`, made.id!);
  }
});
