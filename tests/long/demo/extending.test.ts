/** docs/extending.md, followed to the letter in a copy of the project: the code compiles, keeps the rules and works as described. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesExpectations } from "../../ports/files.ts";
import { runtimeOfTests } from "../../runtimes/runtimes.ts";
import { type Started, started } from "../../runtimes/started.ts";
import { copyProject, follow, stepsOf } from "../../support/docs/recipes.ts";

const ACCOUNT = { email: "admin@example.org", password: "a list as long as the pier" };
const HOSTILE = `"><script>alert(1)</script>`;

let home: string;
let copy: string;
let unchecked: Ran;
let formatted: Ran;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "svc-extending-"));
  copy = join(home, "project");
  await copyProject(copy);
  const [name, ...rest] = await stepsOf("A field type");
  await follow(copy, [name!]);
  unchecked = await compile("tsconfig.core.json");
  await follow(copy, rest);
  for (const recipe of ["A projection", "A room", "An adapter"]) await follow(copy, await stepsOf(recipe));
  formatted = await run("@biomejs/biome/bin/biome", "check", "--write", "src", "tests", "workers");
});
afterAll(() => rm(home, { recursive: true, force: true }));

type Ran = { code: number; output: string };

/** Runs one of the installed programs in the copy. */
function run(program: string, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const file = join(copy, "node_modules", program);
    execFile(process.execPath, [file, ...args], { cwd: copy }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: out + err }),
    );
  });
}
/** The second time, only what has changed. */
const compile = (project: string) =>
  run("typescript/bin/tsc", "-p", project, "--incremental", "--tsBuildInfoFile", join(home, project));

it("a field type without its check does not compile", () => {
  expect(unchecked.code).not.toBe(0);
  expect(unchecked.output).toMatch(/src\/records\/write\/fields\.ts.*Property 'colour' is missing/);
});

it("the code of the recipes compiles, with and without the types of Node", async () => {
  expect(await compile("tsconfig.json")).toEqual({ code: 0, output: "" });
  expect(await compile("tsconfig.core.json")).toEqual({ code: 0, output: "" });
});

it("the code of the recipes keeps the rules of the house", async () => {
  const { code, output } = await run("vitest/vitest.mjs", "run", "--project", "house");
  expect(code === 0 ? "" : output).toBe("");
  expect(formatted.code === 0 ? "" : formatted.output).toBe("");
});

filesExpectations("the adapter of the recipe", async () => {
  const { memoryFiles } = await import(pathToFileURL(join(copy, "src/adapters/files/in-memory.ts")).href);
  return { files: memoryFiles(), close: async () => undefined };
});

describe("a service with the code of the recipes", () => {
  const [name, runtime] = runtimeOfTests();
  let service: Started;
  let token: string;
  let cookie: string;
  beforeAll(async () => {
    const command = runtime.svcManage("serve").map((word) => word.replace(/^cli\//, `${copy}/cli/`));
    const settings = {
      SVC_DATA_DIR: join(home, name.replaceAll(" ", "-")),
      DEFAULT_ADMIN_EMAIL: ACCOUNT.email,
      DEFAULT_ADMIN_PASSWORD: ACCOUNT.password,
    };
    service = await started(command, settings, name);
    token = (await service.ask("/v1/auth/login", { json: ACCOUNT })).json.access_token;
    const signedIn = await send("/admin/sign-in", ACCOUNT);
    cookie = signedIn.headers
      .getSetCookie()
      .find((one) => one.startsWith("svc_session="))!
      .split(";")[0]!;
  });
  afterAll(() => service?.kill("SIGKILL"));

  const browse = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers: { Accept: "text/html", ...headers }, redirect: "manual" });
  const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(service.url + path, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { Accept: "text/html", Origin: service.url, ...headers },
      redirect: "manual",
    });
  const staff = (path: string, json?: unknown, method = json === undefined ? "GET" : "POST") =>
    service.ask(path, { token, method, ...(json === undefined ? {} : { json }) });

  it("has a page that knows its reader and their language, and has its own style", async () => {
    const stranger = await browse("/guest-book");
    expect([stranger.status, stranger.headers.get("Location")]).toEqual([
      303,
      "/admin/sign-in?to=%2Fguest-book",
    ]);
    const page = await browse("/guest-book", { Cookie: cookie, "Accept-Language": "de" });
    const text = await page.text();
    expect(page.headers.get("Content-Security-Policy")).toContain("style-src 'self'");
    expect(text).toContain("<h1>Gästebuch</h1>");
    expect(text).toContain(`<p>${ACCOUNT.email}</p>`);
    const style = await browse(/href="(\/assets\/guest-book\.[^"]+)"/.exec(text)![1]!);
    expect([style.status, style.headers.get("Content-Type")]).toEqual([200, "text/css; charset=utf-8"]);
    expect(style.headers.get("Cache-Control")).toContain("immutable");
    expect(await style.text()).toContain("font-style: italic");
  });

  it("accepts its own form but no forged one, and escapes what was written", async () => {
    const text = await (await browse("/guest-book", { Cookie: cookie })).text();
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(text)![1]!;
    const words = HOSTILE;
    expect((await send("/guest-book", { words }, { Cookie: cookie })).status).toBe(403);
    const foreign = { Cookie: cookie, Origin: "https://elsewhere.example" };
    expect((await send("/guest-book", { words, _csrf }, foreign)).status).toBe(403);
    const empty = await send("/guest-book", { _csrf }, { Cookie: cookie });
    expect([empty.status, (await empty.text()).includes("must have 1 to 500 characters")]).toEqual([
      422,
      true,
    ]);
    const taken = await send("/guest-book", { words, _csrf }, { Cookie: cookie });
    expect([taken.status, taken.headers.get("Location")]).toEqual([303, "/guest-book"]);
    const after = await (await browse("/guest-book", { Cookie: cookie })).text();
    expect(after).toContain("<li>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</li>");
    expect(after).not.toContain(HOSTILE);
    expect((await staff("/v1/guest-book")).json).toEqual({ items: [{ words }] });
    expect((await service.ask("/v1/guest-book")).status).toBe(401);
    const { paths } = (await service.ask("/openapi.json")).json;
    expect(paths["/v1/guest-book"].get.summary).toBe("What is in the guest book");
  });

  it("has a projection that follows the records, without what is not public", async () => {
    const label = (id: string) =>
      readFile(join(home, name.replaceAll(" ", "-"), "media/labels", `${id}.txt`), "utf8").catch(() => null);
    const title = (value: string) => ({ metadata_: { title: [{ value }] } });
    const { id } = (await staff("/v1/objects", { ...title("Slack tide"), status: "public" })).json;
    await expect.poll(() => label(id)).toBe("Slack tide");
    await staff(`/v1/objects/${id}`, title("Spring tide"), "PATCH");
    await expect.poll(() => label(id)).toBe("Spring tide");
    await staff(`/v1/objects/${id}/status`, { status: "internal" });
    await expect.poll(() => label(id)).toBeNull();
    expect((await staff("/metrics")).text).toContain('target="labels"');
  });

  it("has a field type that applies its check", async () => {
    const field = { name: "glass", label: { en: "Glass" }, field_type: "colour" };
    expect((await staff("/v1/schemas/object", field)).status).toBe(201);
    const bowl = (value: string) => ({
      metadata_: { title: [{ value: "Bowl" }], glass: [{ value }] },
    });
    expect((await staff("/v1/objects", bowl("#7a1f2b"))).status).toBe(201);
    const { status, json } = await staff("/v1/objects", bowl("red"));
    expect([status, json.errors]).toEqual([
      422,
      [
        {
          pointer: "/metadata_/glass/0/value",
          detail: '"red" is not a colour, for example #7a1f2b',
          code: "value.colour",
        },
      ],
    ]);
  });
});
