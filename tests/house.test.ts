/**
 * The rules of the house (docs/architecture.md), so that nobody has to remember them. Each one fails with a sentence that
 * says what is wrong and where. Exceptions are listed with their reasons.
 */
import { readFileSync } from "node:fs";
import { build, transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { FILES as DEMO_FILES } from "../cli/demo/load.ts";
import type { DemoMedium } from "../cli/demo/media.ts";
import { SQL_FILES } from "../src/adapters/database/migrate/sql-files.ts";
import { createApp } from "../src/app.ts";
import { readConfig } from "../src/config/read.ts";
import { createLog } from "../src/log.ts";
import { PAGE_FILES } from "../src/pages/assets.ts";
import { KINDS } from "../src/records/kinds.ts";
import type { Services } from "../src/services.ts";
import { asksForLane, LANE, MUSEUM } from "./support/lane/passed-before.ts";
import {
  circles,
  filesUnder,
  type Import,
  importsOf,
  ROOT,
  type Source,
  sourcesUnder,
} from "./support/sources.ts";

const SLICES = [
  ...["linked-data", "oai", "media", "iiif", "arks", "authorities", "imports", "portal"],
  ...["procedures", "health", "staff", "exports", "backups", "aggregation", "dumps", "lists"],
];
const PORTS = [
  "database",
  "search",
  "graph",
  "files",
  "images",
  "counter",
  "mail",
  "passwords",
  "vitals",
  "backups",
].map((port) => `adapters/${port}`);

/** Below every slice, from the lowest up. */
const BELOW = [
  ...["foundation", "http", "accounts", "settings", "pages", "records", "vocabularies", "jobs", "formats"],
  "search",
];

type Room = { room: string; holds: RegExp; knows: readonly string[] };

/** Who may import whom: a room may import itself and the rooms named here. npm packages belong to no room. */
const ROOMS: readonly Room[] = [
  {
    room: "foundation",
    holds:
      /^src\/((config|messages|ports|text)\/.*|(bytes|caller|ids|iri|language-tag|log|lru-cache|problem|refusal|services|text|with-timeout|xml)\.ts$)/,
    knows: [],
  },
  { room: "http", holds: /^src\/http\//, knows: ["foundation"] },
  { room: "accounts", holds: /^src\/accounts\//, knows: ["foundation", "http"] },
  { room: "records", holds: /^src\/records\//, knows: ["foundation", "http", "accounts"] },
  {
    room: "vocabularies",
    holds: /^src\/vocabularies\//,
    knows: ["foundation", "http", "accounts", "records"],
  },
  {
    room: "settings",
    holds: /^src\/settings\//,
    knows: ["foundation", "http", "accounts", "records", "vocabularies"],
  },
  { room: "pages", holds: /^src\/pages\//, knows: ["foundation", "http", "accounts", "settings"] },
  {
    room: "formats",
    holds: /^src\/formats\//,
    knows: ["foundation", "records", "vocabularies", "settings"],
  },
  {
    room: "jobs",
    holds: /^src\/jobs\//,
    knows: ["foundation", "http", "accounts", "records", "vocabularies"],
  },
  {
    room: "search",
    holds: /^src\/search\//,
    knows: ["foundation", "http", "accounts", "records", "vocabularies", "jobs"],
  },
  // slices never import one another: what two of them need belongs below both
  ...SLICES.map((slice) => ({ room: slice, holds: new RegExp(`^src/${slice}/`), knows: BELOW })),
  // staff can do on pages what every room offers
  { room: "admin", holds: /^src\/admin\//, knows: [...BELOW, ...SLICES] },
  { room: "description", holds: /^src\/openapi\//, knows: ["foundation", "http"] },
  { room: "operator", holds: /^src\/operator(\/.*|\.ts)$/, knows: [...BELOW, ...SLICES, "workers"] },
  { room: "app", holds: /^src\/app\.ts$/, knows: [...BELOW, ...SLICES, "admin", "description"] },

  // an adapter knows its port (services.ts), and no other adapter
  ...PORTS.map((port) => ({
    room: port,
    holds: new RegExp(`^src/${port}/`),
    knows: ["foundation", "directories"],
  })),
  {
    room: "directories",
    holds:
      /^src\/adapters\/(catalogues|directories|descriptors|durable-files|own-runtime|standard-error)\.ts$/,
    knows: ["foundation"],
  },
  {
    room: "composition",
    holds: /^src\/compose(-edge)?\.ts$/,
    knows: ["foundation", "directories", ...PORTS],
  },
  { room: "runtimes", holds: /^src\/runtimes\//, knows: ["foundation"] },

  { room: "workers", holds: /^workers\//, knows: [...BELOW, ...SLICES] },
  {
    room: "cli",
    holds: /^cli\//,
    knows: [
      ...BELOW,
      ...SLICES,
      ...PORTS,
      "directories",
      "app",
      "operator",
      "composition",
      "runtimes",
      "workers",
    ],
  },
];

/** `from` and `to` are files, or folders that end in a slash. An exception that is no longer needed must be removed. */
const EXCEPTIONS: readonly { from: string; to: string; because: string }[] = [
  {
    from: "src/config/rules.ts",
    to: "src/accounts/passwords/passwords.ts",
    because: "a configured password keeps to the rules of every other one",
  },
  { from: "src/procedures/move-found.ts", to: "src/search/", because: "what a search finds can be moved" },
  { from: "src/openapi/words.ts", to: "src/records/kinds.ts", because: "each kind of record is a chapter" },
  {
    from: "src/openapi/examples.ts",
    to: "src/records/kinds.ts",
    because: "each kind of record has an example",
  },
  {
    from: "src/compose.ts",
    to: "src/media/keys.ts",
    because: "a backup asks for media wherever they are, and for nothing else that a bucket holds",
  },
  {
    from: "src/compose.ts",
    to: "src/linked-data/graph-projection.ts",
    because: "a graph that the embedded store cannot load is told to the projection that makes it",
  },
  {
    from: "src/compose.ts",
    to: "workers/drain-outbox.ts",
    because: "a writer makes the first attempt at its projections itself, with the worker's own code",
  },
  ...["app.ts", "compose-edge.ts", "adapters/database/", "adapters/files/"].map((to) => ({
    from: "src/runtimes/workerd.ts",
    to: `src/${to}`,
    because: "a Worker is a file that is given requests: nothing stands around it that could put it together",
  })),
  {
    from: "src/compose-edge.ts",
    to: "workers/drain-outbox.ts",
    because: "as src/compose.ts",
  },
  { from: "src/compose-edge.ts", to: "src/arks/mint.ts", because: "as src/compose.ts" },
  {
    from: "src/compose.ts",
    to: "src/arks/mint.ts",
    because:
      "records are named in the transaction that makes them public, and no room but this one knows how",
  },
];

/** These may use Node. The rest of src/ is web-standard and runs anywhere. */
const NODE_ONLY = /^src\/(adapters|runtimes)\/|^src\/compose(-edge)?\.ts$/;
const NODE_GLOBALS = ["process", "Buffer", "global", "require", "module", "__dirname", "__filename"];

/** The entry of a bundle that contains the whole program. */
const EVERYTHING = "everything";

/** The tables of the index in the database. `search_rebuild` is not one: it is the progress of building any index. */
const SEARCH_TABLES = /\bsearch_(rows|texts|ranges|log|state|changes|fields|terms|words)\b/;

const SQL_LIST = "src/adapters/database/migrate/sql-files.ts";
const ASSET_LIST = "src/pages/assets.ts";
const LOOKS = /\b(readdir|opendir|glob)(Sync)?\b/;
/**
 * They list backups, the embedded database, media and what was made of them, and the languages of the program, which a build
 * for the edge inserts. The build is not part of what it builds.
 */
const LOOK_INTO_DATA = [
  "cli/build/binary.ts",
  "cli/build/bundle.mjs",
  "cli/imports/media-directory.ts",
  "src/adapters/backups/directory.ts",
  "src/adapters/catalogues.ts",
  "src/adapters/backups/media-archive.ts",
  "src/adapters/backups/media-restore.ts",
  "src/adapters/database/pglite/first-start.ts",
  "src/adapters/database/pglite/owner-lock.ts",
  "src/adapters/images/cache.ts",
  "src/adapters/files/disk.ts",
];

/** Passwords and addresses of accounts have at most 16 KB, and count with all that they contain. */
const NORMALISE = ["src/text.ts", "src/accounts/passwords/passwords.ts", "src/accounts/email.ts"];

const LONGEST_FILE = 300;
const MOST_FILES = 30;
/** Names that say nothing about what a file contains. */
const EMPTY_NAMES = [
  "index",
  "util",
  "utils",
  "helper",
  "helpers",
  "manager",
  "service",
  "base",
  "common",
  "misc",
];
const NAME_EXCEPTIONS: readonly { path: string; because: string }[] = [
  { path: "src/ports/search-index.ts", because: "the search index is what it describes" },
  { path: "src/accounts/passwords/common-passwords.ts", because: "common is said of the passwords" },
];

/** Tests named here are not about one room. */
const WHOLE = ["house", "core-bundle", "readme", "extending", "bad-input"];

/** Routes to which anybody may send something without signing in. */
const OPEN_TO_ALL: readonly { route: string; because: string }[] = [
  { route: "POST /v1/auth/token", because: "it is how one signs in" },
  { route: "POST /v1/auth/login", because: "it is how one signs in" },
  { route: "POST /admin/sign-in", because: "it is how one signs in on pages" },
  { route: "POST /admin/first-account", because: "the code of the first start stands for the password" },
  { route: "POST /v1/auth/refresh", because: "the cookie says who it is" },
  { route: "POST /v1/auth/logout", because: "the cookie says who it is" },
  { route: "POST /v1/auth/password-reset", because: "who forgot a password cannot sign in" },
  { route: "POST /v1/auth/password-reset/confirm", because: "the token in the mail stands for the password" },
  { route: "POST /admin/forgotten", because: "who forgot a password cannot sign in" },
  { route: "POST /admin/reset", because: "the token in the mail stands for the password" },
  { route: "POST /oai", because: "the protocol asks for what is public by GET and by POST" },
];
/** Interface §5. */
const FEATURES = [
  ...["media:write", "schemas:manage", "users:manage", "settings:manage", "search:reindex", "rdf:rebuild"],
  ...["authority:read", "sparql:query", "jobs:read", "metrics:read", "import:run", "backup:run"],
];

const program = sourcesUnder("src", "workers", "cli");
const tests = sourcesUnder("tests");
const core = program.filter(({ path }) => path.startsWith("src/") && !NODE_ONLY.test(path));
const imports = program.flatMap(importsOf);

const folders = [...new Set([...program, ...tests].map(({ path }) => folderOf(path)))];

/** Fails with all sentences at once, and also if nothing was checked. */
function none(judged: readonly unknown[], sentences: readonly string[]): void {
  if (judged.length === 0) expect.fail("nothing was checked, so nothing is proven");
  if (sentences.length > 0) expect.fail(sentences.join("\n"));
}

const DEMO_MEDIA: DemoMedium[] = JSON.parse(readFileSync(`${ROOT}cli/demo/museum/media.json`, "utf8"));

const packageJson = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));

describe("the rooms", () => {
  it("every file belongs to one room of the table", () => none(program, program.flatMap(notInOneRoom)));
  it("docs/architecture.md names every room", () => {
    const page = readFileSync(`${ROOT}docs/architecture.md`, "utf8");
    const rooms = [...new Set(program.flatMap(({ path }) => /^src\/[\w-]+\//.exec(path)?.[0] ?? []))];
    none(
      rooms,
      rooms
        .filter((room) => !page.includes(`\`${room}\``))
        .map((room) => `docs/architecture.md does not say what ${room} is`),
    );
  });
  it("docs/architecture.md shows ways that exist", () => {
    const [, section = ""] = readFileSync(`${ROOT}docs/architecture.md`, "utf8").split(
      "## Ways through the program\n",
    );
    const steps = [...section.slice(0, section.indexOf("\n## ")).matchAll(/(?<=`(\S+)`\s→\s+)`(\S+)`/g)];
    const there = new Set(imports.map(({ from, to }) => `${from} ${to}`));
    none(
      steps,
      steps.flatMap(([, from, to]) => (there.has(`${from} ${to}`) ? [] : [`${from} does not import ${to}`])),
    );
  });
  it("every file imports only from its own room and the rooms that it may know", () =>
    none(imports, imports.flatMap(forbiddenImport)));
  it("every exception is still needed", () => {
    const needed = (from: string, to: string) =>
      imports.some((each) => isIn(each.from, from) && isIn(each.to, to));
    none(
      EXCEPTIONS,
      EXCEPTIONS.filter(({ from, to }) => !needed(from, to)).map(
        ({ from, to }) => `${from} no longer imports ${to}: remove the exception`,
      ),
    );
  });
  it("nothing imports a test or a file outside the project", () =>
    none(imports, imports.flatMap(importFromOutside)));
  it("no files import one another in a circle, not even types", () => {
    const all = [...imports, ...tests.flatMap(importsOf)];
    none(
      all,
      circles(all).map((circle) => `${[...circle, circle[0]].join(" → ")}: they import one another`),
    );
  });
  it("only the database adapters load postgres; other files import its types", () =>
    none(imports, imports.flatMap(secondDriver)));

  it("no import is overlooked: a bundler finds the same", async () => {
    // one entry for all files, because an entry for each would write the program hundreds of times
    const contents = program.map(({ path }) => `import "./${path}";`).join("\n");
    const { metafile } = await build({
      stdin: { contents, resolveDir: ROOT, sourcefile: EVERYTHING },
      absWorkingDir: ROOT,
      outdir: "nowhere",
      bundle: true,
      // each file once, without everything that it imports: this takes an eighth of the time
      splitting: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      packages: "external",
      logLevel: "silent",
    });
    const { [EVERYTHING]: _, ...inputs } = metafile.inputs;
    const wanted = Object.entries(inputs).flatMap(([from, input]) =>
      input.imports.filter(({ external }) => !external).map(({ path: to }) => `${from} → ${to}`),
    );
    const seen = imports.filter(({ kind }) => kind !== "type").map(({ from, to }) => `${from} → ${to}`);
    none(
      wanted,
      wanted.filter((each) => !seen.includes(each) && !each.endsWith(".json")),
    );
  });
});

describe("the core is web-standard", () => {
  it("none of its files imports node:", () => none(core, core.flatMap(importsOf).flatMap(fromNode)));
  it(`none of its files uses ${NODE_GLOBALS.join(", ")}`, async () => {
    none(core, (await Promise.all(core.map(nodeGlobals))).flat());
  });
  it("npm run check proves the same with the compiler, without the types of Node", () => {
    const settings = JSON.parse(readFileSync(`${ROOT}tsconfig.core.json`, "utf8"));
    expect(settings).toMatchObject({ compilerOptions: { types: [] }, files: ["src/app.ts"] });
    for (const step of ["tsc -p tsconfig.json", "tsc -p tsconfig.core.json", "biome ci"]) {
      expect(packageJson.scripts.check).toContain(step);
    }
  });
});

describe("files", () => {
  it(`of the program are at most ${LONGEST_FILE} lines long`, () => none(program, program.flatMap(tooLong)));
  it(`are at most ${MOST_FILES} in a folder`, () => none(folders, folders.flatMap(crowded)));
  it("are named in kebab-case for what they contain", () => {
    const all = [...program, ...tests];
    none(all, all.flatMap(badName));
  });
  it("contain no unfinished work, and silence no checker", () => {
    const all = [...program, ...tests, ...sqlFiles()];
    none(all, all.flatMap(undone));
  });
  it("never use the type any: Biome refuses it", () => {
    const { linter } = JSON.parse(readFileSync(`${ROOT}biome.json`, "utf8"));
    expect(linter.rules.suspicious.noExplicitAny).toBe("error");
    expect(linter.rules.suspicious.noImportCycles).toBe("error");
  });
});

describe("texts", () => {
  it("are normalised in text.ts, which does it in little time for any text", () =>
    none(
      program,
      program
        .filter(({ path, text }) => !NORMALISE.includes(path) && /\.normalize\(/.test(text))
        .map(
          ({ path }) =>
            `${path} calls normalize, which takes minutes for a letter with many marks: use text.ts`,
        ),
    ));
});

describe("files that the program reads", () => {
  it.each([
    ["sql", SQL_FILES, SQL_LIST],
    [
      "cli/demo/museum",
      [
        ...DEMO_FILES.map(([, name]) => `${name}.json`),
        "relations.json",
        "media.json",
        "settings.json",
        "terms.json",
      ],
      "cli/demo/load.ts",
    ],
    ["cli/demo/media", DEMO_MEDIA.map(({ file }) => file), "cli/demo/museum/media.json"],
    ["src/pages/assets", PAGE_FILES.flatMap((name) => /^pages\/(.*)$/.exec(name)?.[1] ?? []), ASSET_LIST],
  ])("in %s are those of its list", (directory, listed, list) => {
    const there = filesUnder(directory).map((path) => path.slice(directory.length + 1));
    none(there, unlisted(directory, there, listed, list));
  });
  it("are found by name: only code for data lists directories", () =>
    none(
      imports,
      program
        .filter(({ path, text }) => LOOKS.test(text) && !LOOK_INTO_DATA.includes(path))
        .map(
          ({ path, text }) => `${path} calls ${LOOKS.exec(text)![0]}: one file and an edge build have none`,
        ),
    ));
});

describe("SQL", () => {
  it("files begin with a sentence that says why", () =>
    none(
      sqlFiles(),
      sqlFiles()
        .filter(({ text }) => !/^-- Why: \S/.test(text))
        .map(({ path }) => `${path} must begin with "-- Why: " and the reason that it is there`),
    ));
  it("files are numbered without a gap", () =>
    none(
      SQL_FILES,
      SQL_FILES.filter((name, index) => !name.startsWith(`${String(index + 1).padStart(4, "0")}_`)).map(
        (name) => `sql/${name} does not have the number of its place in ${SQL_LIST}`,
      ),
    ));
  it("is written as text only in the database adapters", () =>
    none(
      program,
      program
        .filter(
          ({ path, text }) => !path.startsWith("src/adapters/database/") && /\.unsafe\s*[(<]/.test(text),
        )
        .map(({ path }) => `${path} calls unsafe: values belong into the tagged template, sql\`…\${value}\``),
    ));
  it("for the search index is in its adapter only", () =>
    none(
      program,
      program
        .filter(({ path, text }) => !path.startsWith("src/adapters/") && SEARCH_TABLES.test(text))
        .map(
          ({ path, text }) => `${path} names ${SEARCH_TABLES.exec(text)![0]}: ask the port (search-index.ts)`,
        ),
    ));
});

describe("tests", () => {
  it("are named after the room or file that they test", () => {
    const own = tests.filter(({ path }) => LANES.test(path));
    none(own, own.flatMap(badTestName));
  });
  it("all run, and can fail", () => none(tests, tests.flatMap(cannotFail)));
  it("have a museum that asks for the lane only to list its databases", () => {
    const museum = tests.find(({ path }) => path === MUSEUM)!;
    const others = importsOf(museum).filter(({ to }) => to !== LANE && asksForLane(to));
    none(
      [museum],
      others.map(({ to }) => `${MUSEUM} imports ${to}, which asks for the lane`),
    );
    expect(museum.text.match(/\b(?:isShort|inLong|oneOrAll)\b\(?/g)).toEqual(["oneOrAll", "oneOrAll("]);
  });
});

describe("SECURITY.md", () => {
  it("names existing tests", () => {
    const named = [
      ...readFileSync(`${ROOT}SECURITY.md`, "utf8").matchAll(/^\| .+ \| `([\w-]+)`: (.+) \|$/gm),
    ];
    none(
      named,
      named.flatMap(([, file, title]) =>
        tests.some(({ path, text }) => nounOf(path) === file && text.includes(`"${title}"`))
          ? []
          : [`SECURITY.md: ${file}.test.ts has no test "${title}"`],
      ),
    );
  });
});

describe("routes", () => {
  const api = createApp(withoutWorld());

  it("all declare who may call them", () => {
    const declared = new Set(api.routes.map(({ method, path }) => `${method} ${colons(path)}`));
    const answered = api.app.routes.filter(({ method }) => method !== "ALL");
    none(
      answered,
      answered
        .filter(({ method, path }) => !declared.has(`${method} ${path}`))
        .map(
          ({ method, path }) =>
            `${method} ${path} was not added with endpoint(), so nobody says who may call it`,
        ),
    );
  });

  it("ask only for existing permissions", () =>
    none(
      api.routes,
      api.routes.flatMap(({ method, path, access }) => {
        if (typeof access === "string") return [];
        const known =
          "feature" in access
            ? FEATURES.includes(access.feature)
            : (KINDS as readonly string[]).includes(access.kind);
        return known ? [] : [`${method} ${path} asks for ${JSON.stringify(access)}, which nobody can have`];
      }),
    ));

  it("accept nothing without signing in, except for those listed", () => {
    const open = api.routes
      .filter(({ method, access }) => method !== "GET" && access === "public")
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual(OPEN_TO_ALL.map(({ route }) => route).sort());
  });
});

describe("the rules of this file", () => {
  const source = (path: string, text: string): Source => ({ path, text });
  const imported = (path: string, text: string): Import[] => importsOf(source(path, text));

  it.each([
    ["a slice that imports another slice", "src/oai/verbs.ts", 'import { x } from "../media/store.ts";'],
    ["a layer that imports a higher one", "src/records/x.ts", 'import type { X } from "../search/query.ts";'],
    ["a foundation that imports a slice", "src/text.ts", 'export { x } from "./records/edtf.ts";'],
    ["a core that imports an adapter", "src/search/routes.ts", 'await import("../adapters/search/find.ts")'],
    ["an adapter that imports records", "src/adapters/search/find.ts", 'import "../../records/kinds.ts";'],
    [
      "a worker that imports an adapter",
      "workers/x.ts",
      'import {\n  x,\n} from "../src/adapters/files/assets.ts";',
    ],
    ["a core that imports a worker", "src/app.ts", 'import { x } from "../workers/timetable.ts";'],
  ])("detect %s", (_what, path, text) => {
    expect(imported(path, text).flatMap(forbiddenImport)).toHaveLength(1);
  });

  it("detect every other violation", async () => {
    expect(notInOneRoom(source("src/stuff/x.ts", ""))).toHaveLength(1);
    expect(
      imported("src/app.ts", 'import x from "./support/museum/museum.ts";').flatMap(importFromOutside),
    ).toHaveLength(1);
    expect(imported("cli/x.ts", 'import { type Sql } from "postgres";').flatMap(secondDriver)).toHaveLength(
      1,
    );
    expect(imported("cli/x.ts", 'import type { Sql } from "postgres";').flatMap(secondDriver)).toHaveLength(
      0,
    );
    expect(imported("src/x.ts", 'import { readFile } from "node:fs";').flatMap(fromNode)).toHaveLength(1);
    expect(imported("src/x.ts", 'import { readFile } from "fs/promises";').flatMap(fromNode)).toHaveLength(1);
    expect(await nodeGlobals(source("src/x.ts", "export const x = process.env.X;"))).toHaveLength(1);
    expect(
      await nodeGlobals(source("src/x.ts", 'export const x = { process: "Buffer" }.process;')),
    ).toHaveLength(0);
    expect(
      circles([
        ...imported("src/a.ts", 'import "./b.ts";'),
        ...imported("src/b.ts", 'import type { A } from "./a.ts";'),
      ]),
    ).toEqual([["src/a.ts", "src/b.ts"]]);
    expect(tooLong(source("src/x.ts", "\n".repeat(LONGEST_FILE + 1)))).toHaveLength(1);
    expect(badName(source("src/records/record-utils.ts", ""))).toHaveLength(1);
    expect(badName(source("src/records/index.ts", ""))).toHaveLength(1);
    expect(badName(source("src/records/writeRecord.ts", ""))).toHaveLength(1);
    expect(undone(source("src/x.ts", `// ${"TO"}DO later`))).toHaveLength(1);
    expect(undone(source("src/x.ts", `// @${"ts"}-ignore`))).toHaveLength(1);
    expect(
      undone(source("src/x.ts", `// biome-${"ignore"} lint/suspicious/noExplicitAny: tired`)),
    ).toHaveLength(1);
    expect(badTestName(source("tests/zz-probe.test.ts", ""))).toHaveLength(1);
    expect(badTestName(source("tests/records/records-trees.test.ts", ""))).toHaveLength(0);
    expect(cannotFail(source("tests/x.test.ts", `${"it"}.skip("…")`))).toHaveLength(1);
    expect(cannotFail(source("tests/x.test.ts", `${"describe"}.concurrent.only("…")`))).toHaveLength(1);
    expect(unlisted("sql", ["0001_a.sql", "0002_b.sql"], ["0001_a.sql", "0003_c.sql"], "list.ts")).toEqual([
      "sql/0002_b.sql is not in the list of list.ts: add it, or the program never reads it",
      "list.ts names sql/0003_c.sql, which is not there",
    ]);
    expect(() => filesUnder("sql/nothing")).toThrow();
  });
});

function roomOf(path: string): Room | undefined {
  return ROOMS.find(({ holds }) => holds.test(path));
}

function isIn(path: string, place: string): boolean {
  return place.endsWith("/") ? path.startsWith(place) : path === place;
}

function notInOneRoom({ path }: Source): string[] {
  const rooms = ROOMS.filter(({ holds }) => holds.test(path)).map(({ room }) => room);
  if (rooms.length === 1) return [];
  return [`${path} belongs to ${rooms.length === 0 ? "no room" : rooms.join(" and ")} of the table`];
}

function forbiddenImport({ from, to }: Import): string[] {
  const here = roomOf(from);
  const there = roomOf(to);
  if (!here || !there || here === there || here.knows.includes(there.room)) return [];
  if (EXCEPTIONS.some((each) => isIn(from, each.from) && isIn(to, each.to))) return [];
  const known = here.knows.length > 0 ? `only itself, ${here.knows.join(", ")}` : "only itself";
  return [`${from} imports ${to}: ${here.room} knows ${known}`];
}

function importFromOutside({ from, to }: Import): string[] {
  const isFile = /\.(ts|mjs|json)$/.test(to) || to.startsWith("..");
  return !isFile || roomOf(to) || from.startsWith("tests/")
    ? []
    : [`${from} imports ${to}, which is not part of the program`];
}

function secondDriver({ from, to, kind }: Import): string[] {
  if (to !== "postgres" || kind === "type" || from.startsWith("src/adapters/database/")) return [];
  return [`${from} loads postgres: take the handle that services.ts gives, and "import type" for its types`];
}

const NODE_PACKAGES =
  /^(assert|buffer|child_process|crypto|events|fs|http|https|module|net|os|path|process|stream|timers|tls|url|util|worker_threads|zlib)$/;

function fromNode({ from, to }: Import): string[] {
  if (!to.startsWith("node:") && !NODE_PACKAGES.test(to)) return [];
  return [
    `${from} imports ${to}: in the core only what every runtime has; behind a port in src/adapters/ it may`,
  ];
}

/** The bundler's compiler can tell global names from words, keys and local names. */
async function nodeGlobals({ path, text }: Source): Promise<string[]> {
  const mark = (name: string) => `house_found_${name}`;
  const { code } = await transform(text, {
    loader: "ts",
    define: Object.fromEntries(NODE_GLOBALS.map((name) => [name, mark(name)])),
  });
  return NODE_GLOBALS.filter((name) => new RegExp(`\\b${mark(name)}\\b`).test(code)).map(
    (name) => `${path} uses ${name}, which only Node has`,
  );
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function crowded(folder: string): string[] {
  const { length } = [...program, ...tests].filter(({ path }) => folderOf(path) === folder);
  return length > MOST_FILES ? [`${folder}/ has ${length} files: divide it by meaning`] : [];
}

function tooLong({ path, text }: Source): string[] {
  const lines = text.split("\n").length - 1;
  return lines <= LONGEST_FILE ? [] : [`${path} has ${lines} lines: does it contain more than one thing?`];
}

function badName({ path }: Source): string[] {
  if (NAME_EXCEPTIONS.some((each) => each.path === path)) return [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|mjs)$/.test(name)) return [`${path} is not kebab-case`];
  const empty = path.split(/[/.-]/).find((word) => EMPTY_NAMES.includes(word));
  return empty === undefined ? [] : [`${path}: "${empty}" does not say what it contains`];
}

/** Written so that this file does not match itself. */
const UNDONE = /\b(TO[D]O|FIX[M]E|HAC[K])\b|@ts-(ignor[e]|nochec[k]|expect-erro[r])/;
const SILENCED = /(biome-ignor[e]|eslint-disabl[e])\S* (?<rule>\S+)/g;
/** These may be silenced, because what the rule warns of is intended there. */
const MAY_BE_SILENCED = ["lint/suspicious/noControlCharactersInRegex:"];
const MAY_BE_SILENCED_IN_TESTS = [...MAY_BE_SILENCED, "lint/suspicious/noExplicitAny:"];

function undone({ path, text }: Source): string[] {
  const may = path.startsWith("tests/") ? MAY_BE_SILENCED_IN_TESTS : MAY_BE_SILENCED;
  const word = UNDONE.exec(text)?.[0];
  const rules = [...text.matchAll(SILENCED)]
    .map(({ groups }) => groups!.rule!)
    .filter((rule) => !may.includes(rule));
  return [
    ...(word ? [`${path} has ${word}: do it, or write an issue`] : []),
    ...rules.map((rule) => `${path} silences ${rule.replace(/:$/, "")}`),
  ];
}

function unlisted(
  directory: string,
  there: readonly string[],
  listed: readonly string[],
  list: string,
): string[] {
  return [
    ...there
      .filter((name) => !listed.includes(name) && !name.endsWith(".md"))
      .map(
        (name) => `${directory}/${name} is not in the list of ${list}: add it, or the program never reads it`,
      ),
    ...listed
      .filter((name) => !there.includes(name))
      .map((name) => `${list} names ${directory}/${name}, which is not there`),
  ];
}

/** Test files of both lanes. Those in other folders are named for what they test there. */
const LANES = /^tests\/(?!(?:chaos|container|runtimes)\/)(?:.+\/)?([^/]+)\.test\.ts$/;
const nounOf = (path: string): string | undefined => LANES.exec(path)?.[1];

/** `records-trees.test.ts` is about records, `edtf-masks.test.ts` about src/records/dates/edtf.ts. */
function badTestName({ path }: Source): string[] {
  const name = nounOf(path)!;
  const nouns = [...WHOLE, ...program.flatMap((source) => source.path.replace(/\.\w+$/, "").split("/"))];
  const fits = nouns.some((noun) => name === noun || name === `${noun}s` || name.startsWith(`${noun}-`));
  return fits ? [] : [`${path}: no room or file is called ${name}; name it after what it is about`];
}

function cannotFail({ path, text }: Source): string[] {
  const put = /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|fails)\b(?!If)/.exec(text)?.[0];
  const hollow = /\bexpect\((?:true|false|1|0)\)/.exec(text)?.[0];
  return [put, hollow].filter((found) => found !== undefined).map((found) => `${path} has ${found}`);
}

function sqlFiles(): Source[] {
  return filesUnder("sql").map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
}

const colons = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Just enough services to declare the routes. None of them is called. */
function withoutWorld(): Services {
  const read = readConfig({});
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const log = createLog({ level: "error", format: "json" });
  return { config: read.config, log } as unknown as Services;
}
