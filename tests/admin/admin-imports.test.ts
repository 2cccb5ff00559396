/** Imports in the staff interface: a list is uploaded, mapped, tried, imported and undone, without a script. */
import { describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { DATE_FORMATS } from "../../src/records/dates/readings.ts";
import { answered, english, linking, made, type Page, read, said } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { workbook } from "../support/workbook.ts";

const museum = await museumHere();
const curator = await staffBrowser(museum, "admin");

const LIST = `Inventory number;Title;Creators;When;Remarks
1950.1;Harbour <b>at dusk</b>;Greta Lindqvist|Jon Aas;um 1887;dusty
1950.2;Lighthouse;;last summer;
1950.3;Red boat;Greta Lindqvist;;
`;

async function sendList(
  text: string | Uint8Array<ArrayBuffer>,
  by = curator,
  csrf = by.csrf,
): Promise<Response> {
  const body = new FormData();
  body.append("type", "object");
  body.append("file", new File([text], "Łódź list.csv", { type: "text/csv" }));
  return by.sendFile(`/admin/imports/files?_csrf=${csrf}`, body);
}

const MEANINGS = {
  "target/0": "__idno__",
  "target/1": "title",
  "lang/1": "en",
  "target/2": "__relation:created_by:entity__",
  "split/2": "|",
  "target/3": "date",
};

/** The address of the form for this list. */
const listed = async (list: string | Uint8Array<ArrayBuffer>, by = curator): Promise<string> =>
  (await sendList(list, by)).headers.get("Location")!;

/** What the first two columns mean. */
const TITLED = { "target/0": "__idno__", "target/1": "title" };

/** The page of a job, once it has ended. */
async function endedPage(begun: Response, by = curator): Promise<string> {
  expect(begun.status).toBe(303);
  const address = begun.headers.get("Location")!;
  await endedJob(museum, await museum.as("admin"), address.split("/").at(-1)!);
  return by.text(address);
}

/** The page of the job that this form begins, once it has ended. */
const sentPage = async (address: string, form: Record<string, string>, by = curator): Promise<string> =>
  endedPage(await by.send(address, form), by);

describe("an import in the staff interface", () => {
  it("guesses from the names of the columns what they mean", async () => {
    const sent = await sendList(LIST);
    expect([sent.status, await sent.text()]).toEqual([303, ""]);
    const page = await curator.text(sent.headers.get("Location")!);
    expect(page).toMatch(/name="target\/0"[\s\S]*?<option value="__idno__" selected/);
    expect(page).toMatch(/name="target\/1"[\s\S]*?<option value="title" selected/);
    expect(page).toContain("Harbour &lt;b&gt;at dusk&lt;/b&gt;");
  });

  it("reads the chosen sheet of an Excel file, below its title", async () => {
    const rows = [["Inventar"], null, ["Inventarnummer", "Titel"], [{ value: 7, format: "0000" }, "Kahn"]];
    const sheets = [
      { name: "Alt", rows: [["x", "y"], ...Array.from({ length: 30 }, (_, n) => [`${n}`, `Boot ${n * n}`])] },
      { name: "Neu", rows },
    ];
    const sent = await sendList(workbook({ sheets }));
    const address = sent.headers.get("Location")!;
    const first = /<option value="Alt" selected>[\s\S]*name="header_row"[^>]*value="1"/;
    expect(await curator.text(address)).toMatch(first);
    // the row of the other sheet stands beside the choice
    const page = await curator.text(`${address}?was=1+Alt&sheet=Neu&header_row=1`);
    expect(page).toMatch(/type="hidden" name="sheet" value="Neu"[\s\S]*name="header_row" value="3"/);
    expect(page).toContain("Inventar</p>");
    const fields = { sheet: "Neu", header_row: "3", ...TITLED };
    const tried = await curator.send(address, fields);
    expect(await endedPage(tried)).toContain("0007");
    // what was chosen is chosen again after a test run
    expect(await curator.text(address)).toContain('<option value="Neu" selected>');
  });

  it("recognises the columns of the catalogue's own tables, in every language and as programs get them", async () => {
    const reader = await museum.as("admin");
    const title = [{ value: "Boot", lang: "de" }, ...english("Boat")];
    const object = await made(reader, "objects", { metadata_: { title } });
    const maker = await made(reader, "entities", { metadata_: { name: english("Aas") } });
    await linking(reader)(object, "created_by", "entity", maker);
    const tables = [await (await reader("/v1/objects/export?format=csv")).text()];
    for (const language of ["en", "de", "fr"]) {
      const by = await staffBrowser(museum, "admin", language);
      tables.push(await by.text("/admin/objects/export?format=csv"));
    }
    await reader(`/v1/objects/${object}?force=true`, { method: "DELETE" });
    const wanted = [
      ...["__idno__", "__type__", "__status__", "__collection_status__", "", ""].map((name) => [name, ""]),
      ...[
        ["title", "de"],
        ["title", "en"],
        ["__relation:created_by:entity__", ""],
      ],
    ];
    for (const table of tables) {
      const page = await curator.text(await listed(table));
      const proposed = page
        .split('<select name="target/')
        .slice(1)
        .map((row) => [
          /<option value="([^"]*)" selected/.exec(row)?.[1] ?? "",
          /name="lang\/\d+" value="([^"]*)"/.exec(row)![1],
        ]);
      expect(proposed, table).toEqual(wanted);
    }
  });

  it("is tried first, then made with the same choices, and can be undone", async () => {
    const address = await listed(LIST);
    const tried = await curator.send(address, MEANINGS);
    const trialPage = await endedPage(tried);
    expect(trialPage).toContain("Nothing has been saved");
    expect(trialPage).toMatch(/People and organisations \(2\)/);
    expect(trialPage).toContain("last summer");
    const reader = await museum.as("admin");
    expect(await (await reader("/v1/objects")).json()).toMatchObject({ total: 0 });

    expect(trialPage).toContain(`href="${address}"`);
    expect(await curator.text(address)).toMatch(/name="split\/2" value="\|"/);
    const begun = await curator.send(address, { ...MEANINGS, import: "yes" });
    const made = await endedPage(begun);
    expect(made).toContain("The list is imported");
    expect(made).toContain('href="/admin/objects">Show the records');
    const { items } = await read<Page>(reader("/v1/objects?sort_by=idno&sort_dir=asc"));
    expect(items.map(({ idno }) => idno)).toEqual(["1950.1", "1950.3"]);
    expect(items[0]!.metadata_).toEqual({
      title: [{ value: "Harbour <b>at dusk</b>", lang: "en" }],
      date: [{ value: "1887~" }],
    });

    const list = await curator.text("/admin/imports");
    expect(list).toContain("Łódź list.csv");
    const undo = /action="(\/admin\/imports\/[^"]+\/undo)"/.exec(list)![1]!;
    const wouldUndo = await sentPage(undo, {});
    expect(wouldUndo).toContain("<h1>Undo this import?</h1>");
    expect(wouldUndo).toContain("Łódź list.csv");
    expect(wouldUndo).toMatch(/Nothing has been undone yet[\s\S]*<dt>Would go to the trash<\/dt><dd>4<\/dd>/);
    expect(wouldUndo).toMatch(/<h2>Would go to the trash<\/h2>[\s\S]*1950\.3/);
    expect(await (await reader("/v1/objects")).json()).toMatchObject({ total: 2 });
    const sure = /action="(\/admin\/imports\/[^"]+\/undo)"[\s\S]*?name="seen" value="1"/.exec(wouldUndo)![1]!;
    const undone = await sentPage(sure, { seen: "1" });
    expect(undone).toMatch(/<h1>This import has been undone[\s\S]*<dt>Moved to the trash<\/dt><dd>4<\/dd>/);
    expect(undone).toContain('href="/admin/entities/trash">Trash: People and organisations');
    const afterwards = await curator.text(begun.headers.get("Location")!);
    expect(afterwards).toContain("The import has been undone");
    expect(afterwards).not.toMatch(/The list is imported|\/undo"/);
    expect(await (await reader("/v1/objects")).json()).toMatchObject({ total: 0 });
  });

  it("offers no undo where there is nothing to undo, and says why", async () => {
    const address = await listed("No;Title\nU.1;One\n");
    const form = { ...TITLED, import: "yes", upsert_strategy: "merge" };
    const made = await sentPage(address, form);
    expect(await sentPage(address, form)).not.toContain('/undo"');
    const [latest] = (await curator.text("/admin/imports")).match(/<tbody><tr>[\s\S]*?<\/tr>/)!;
    expect(latest).not.toContain('/undo"');

    const reader = await museum.as("admin");
    const { items } = await read<Page>(reader("/v1/objects?idno=U.1"));
    await reader(`/v1/objects/${items[0]!.id}/status`, { json: { status: "public" } });
    const undo = /action="(\/admin\/imports\/([^"]+)\/undo)"/.exec(made)!;
    const preview = await sentPage(undo[1]!, {});
    expect(preview).toMatch(/Nothing can be undone[\s\S]*U\.1<\/a>[\s\S]*published since by admin/);
    expect(preview).not.toContain('name="seen"');
    const after = await sentPage(undo[1]!, { seen: "1" });
    expect(after).toContain("<h1>This import has not been undone</h1>");
    expect(await (await reader(`/v1/imports/${undo[2]}`)).json()).toMatchObject({ state: "done" });
    await reader(`/v1/objects/${items[0]!.id}`, { method: "DELETE" });
  });

  it("is not undone if its old links would make a circle, which is said in words", async () => {
    const reader = await museum.as("admin");
    const object = (idno: string) => made(reader, "objects", { idno, metadata_: { title: english(idno) } });
    const [lid, box] = [await object("C.1"), await object("C.2"), await object("C.3")];
    await linking(reader)(lid, "part_of", "object", box);
    const address = await listed("No;Whole\nC.1;C.3\n");
    const meanings = { "target/0": "__idno__", "target/1": "__relation:part_of:object__" };
    const page = await sentPage(address, { ...meanings, import: "yes", upsert_strategy: "merge" });
    await linking(reader)(box, "part_of", "object", lid);
    const german = await staffBrowser(museum, "admin", "de");
    const [, undo] = /action="(\/admin\/imports\/[^"]+\/undo)"/.exec(page)!;
    const undone = await sentPage(undo!, { seen: "1" }, german);
    expect(undone).toMatch(/ergäbe einen Kreis: (C\.[12]) Teil von C\.[12] Teil von \1/);
    for (const each of await read<Page>(reader("/v1/objects")).then(({ items }) => items))
      await reader(`/v1/objects/${each.id}?force=true`, { method: "DELETE" });
  });

  it("is continued on its own page when the service was stopped meanwhile", async () => {
    const address = await listed("Inventory number;Title\nR.1;One\n");
    const form = { ...TITLED, import: "yes" };
    const begun = await curator.send(address, form);
    await endedPage(begun);
    const page = begun.headers.get("Location")!;
    const id = page.split("/").at(-1)!;
    await museum.services.sql`update jobs set state = 'failed' where id = ${id}`;
    await museum.services.sql`
      update imports set state = 'running' where id = (select (result ->> 'import_id')::uuid from jobs where id = ${id})`;
    expect(await curator.text("/admin")).toMatch(
      /Imports and batch edits<\/dt>[\s\S]*?href="\/admin\/imports">[\s\S]*?stopped <b>1<\/b>/,
    );
    expect(await curator.text("/admin/imports")).toContain("<td>stopped <small>");
    const retry = /action="(\/admin\/jobs\/[^"]+\/retry)"/.exec(await curator.text(page))![1]!;
    const again = await curator.send(retry, {});
    expect(again.headers.get("Location")).toMatch(new RegExp(`^/admin/imports/jobs/${id}`));
    expect(await endedPage(again)).toContain("The list is imported");
    expect(await curator.text("/admin")).not.toContain("stopped <b>");
    expect(await curator.text("/admin/imports")).not.toContain("<td>stopped <small>");
  });

  it("splits values as the catalogue's own tables join them, and shows when they would become one", async () => {
    const list = "Inventory number;Title;Material\nS.1;One;paper\nS.2;Two;paper | ink\n";
    const address = await listed(list);
    const form = await curator.text(address);
    expect(form).toMatch(/name="split\/2" value="\|"/);
    expect(form).toMatch(/name="split\/1" value=""/);
    const targets = { ...TITLED, "target/2": "material" };
    await sentPage(address, { ...targets, "split/2": "|", import: "yes" });
    const materials = async () => {
      const { items } = await read<Page>((await museum.as("admin"))("/v1/objects?idno=S.2"));
      return items[0]!.metadata_.material;
    };
    expect(await materials()).toMatchObject([{ value: "paper" }, { value: "ink" }]);

    const merged = { ...targets, upsert_strategy: "merge" };
    const tried = await sentPage(address, merged);
    expect(tried).toMatch(/<dt>Changed<\/dt><dd>1<\/dd>/);
    expect(tried).toContain("&quot;paper | ink&quot;");
    const same = await sentPage(address, { ...merged, "split/2": "|" });
    expect(same).toMatch(/<dt>Changed<\/dt><dd>0<\/dd>/);
  });

  it("shows in a test run which values and links would go, in the reader's language", async () => {
    const targets = { ...TITLED, "lang/1": "fr" };
    const linked = { ...targets, "target/2": "__relation:created_by:entity__" };
    const sent = await listed("No;Title;Maker\nG.1;Nef;Ada\n");
    await sentPage(sent, { ...linked, import: "yes" });
    const list = await listed("No;Title;Maker\nG.1;Galère;Bea\n");
    const begun = await curator.send(list, { ...linked, upsert_strategy: "merge" });
    const cells = (name: string, old: string) =>
      new RegExp(
        `${name}</th>.*<td dir="auto">.*</td><td class="number">1</td><td dir="auto"><del>${old}</del></td>`,
      );
    const page = await endedPage(begun);
    expect(page).toMatch(cells("Title", "Nef \\[fr\\]"));
    expect(page).toMatch(cells("created by → [^<]*", "Ada"));
    expect(page).toContain('<th class="number">Removed</th>');
    for (const [language, heading] of [
      ["de", "Entfällt"],
      ["fr", "Retiré"],
    ] as const) {
      const reader = await staffBrowser(museum, "admin", language);
      const form = await listed("No;Title\nG.1;Galère\n", reader);
      const tried = await reader.send(form, { ...targets, upsert_strategy: "merge" });
      expect(await endedPage(tried, reader)).toContain(`<th class="number">${heading}</th>`);
    }
  });

  it("lists all names that are only similar to another one, or takes these for the same on request", async () => {
    const reader = await museum.as("admin");
    const save = (name: string) =>
      made(reader, "entities", { idno: `S-${name}`, metadata_: { name: said(name) } });
    await save("Jan Müller");
    const many = Array.from({ length: 80 }, (_, n) => `Q.${n};T;${n % 2 ? "Zoe" : "Zoë"} Name ${n >> 1}`);
    const list = `No;Title;Maker\nQ.m;T;Jan Muller\n${many.join("\n")}\n`;
    const targets = {
      ...TITLED,
      "target/2": "__relation:created_by:entity__",
    };
    const address = await listed(list);
    for (const choice of [{}, { import: "yes" }] as Record<string, string>[]) {
      const begun = await curator.send(address, { ...targets, ...choice });
      const page = await endedPage(begun);
      expect(page).toContain("41 rows with a name that is only similar to another one");
      expect(page).toContain(
        "line 2: &quot;Jan Muller&quot; is similar to the person or organisation &quot;Jan Müller&quot; (S-Jan Müller)",
      );
      // the page lists the first of them
      expect(page).toContain("line 4: &quot;Zoe Name 0&quot;");
      expect(page).toContain("21 more");
      const job = begun.headers.get("Location")!;
      const whole = await curator.text(`${job}/report`);
      for (let n = 0; n < 40; n++) expect(whole).toContain(`line ${4 + 2 * n}: "Zoe Name ${n}"`);
      if (!("import" in choice)) continue;
      const api = await reader(`/v1/jobs/${job.split("/").at(-1)}/files/report`);
      expect(await api.json()).toMatchObject({ similar_names: { rows: 41 } });
      const undo = /action="(\/admin\/imports\/[^"]+\/undo)"/.exec(page)![1]!;
      await sentPage(undo, { seen: "1" });
    }
    await save("Ada Holm");
    const form = await listed("No;Title;Maker\nQ.a;T;Áda Hólm\n");
    expect(await curator.text(form)).toMatch(/name="similar" value="yes" >/);
    const page = await sentPage(form, { ...targets, similar: "yes" });
    expect(page).toContain("line 2: &quot;Áda Hólm&quot; is the person or organisation &quot;Ada Holm&quot;");
    expect(await curator.text(form)).toMatch(/name="similar" value="yes" checked>/);
  });

  it("shows in a trial how makers are qualified, and which words are no terms", async () => {
    const list = "No;Title;Maker;How\nA.1;T;Hilde Brand;workshop of\nA.2;T;Hilde Brand;Vetter der\n";
    const address = await listed(list);
    const page = await sentPage(address, {
      ...TITLED,
      "target/2": "__relation:created_by:entity__",
      "target/3": "__qualifier:created_by:entity__",
    });
    expect(page).toContain(">workshop of Hilde Brand</td>");
    expect(page).toContain(">Vetter der Hilde Brand</td>");
    expect(page).toContain("that match no attribution term");
    expect(page).toContain("&quot;Vetter der&quot; in 1 row (line 3)");
    expect(page).not.toContain("workshop_of");
  });

  it("says that records are being changed, not imported, while an undo waits", async () => {
    const id = newId();
    await museum.services.sql`
      insert into jobs (id, kind, params, run_after)
      values (${id}, 'import-undo', '{"record_type": "object"}', now() + interval '1 hour')`;
    const page = await curator.text(`/admin/imports/jobs/${id}`);
    await museum.services.sql`delete from jobs where id = ${id}`;
    expect(page).toContain("Changing the records.");
    expect(page).not.toContain("Importing.");
  });

  it("offers the refused rows, to be corrected, and says why with each line's own value", async () => {
    const list = "Inventory number;Title;When\nR.1;One;\n;Two;\nR.2;A;pm\nR.3;B;pm\nR.4;C;30.2.1950\n";
    const address = await listed(list);
    const choices = { ...TITLED, "target/2": "date" };
    const reasons = (page: string) =>
      [...page.matchAll(/<td class="number">(\d*)<\/td><td class="number">(\d+)<\/td><td>([^<]+)/g)].map(
        ([, ...cells]) => cells.map((cell) => cell.replaceAll("&quot;", '"').replace(/(?<=") .*/, "")),
      );
    const reasonsOf = [
      ["1", "3", "no identification number"],
      ["3", "4", 'column "When": "pm"'],
      ["", "6", 'column "When": "30.2.1950"'],
    ];
    expect(reasons(await sentPage(address, choices))).toEqual(reasonsOf);
    const begun = await curator.send(address, { ...choices, import: "yes" });
    const job = begun.headers.get("Location")!;
    const page = await endedPage(begun);
    expect(page).toContain(`${job}/rejects`);
    expect(reasons(page)).toEqual(reasonsOf);
    const rejects = await curator.get(`${job}/rejects`);
    expect([rejects.status, rejects.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(await rejects.text()).toContain("Two");
  });

  it("names a column without a name in the language of its reader", async () => {
    const address = await listed("Inventory number;Title;\nT.8;One;x\n");
    const name = "Spalte 3 (ohne Namen)";
    const form = await curator.text(`${address}?lang=de`);
    expect(form.match(/(?<!value=")column 3|Spalte 3 \(ohne Namen\)/g)).toEqual(Array(7).fill(name));
    const begun = await curator.send(address, TITLED);
    await endedPage(begun);
    const job = await curator.text(`${begun.headers.get("Location")}?lang=de`);
    expect(job).toContain(`Nicht zugeordnete Spalten: ${name}`);
  });

  it("lists numbers that occur twice in the file, and counts rows that are too short", async () => {
    const list = "Inventory number;Title;Remarks\nT.1;One;x\nT.2;Two\nT.1;One;y\n";
    const address = await listed(list);
    const choices = TITLED;
    for (const form of [choices, { ...choices, import: "yes" }]) {
      const page = await sentPage(address, form);
      expect(page).toContain("1 row has fewer cells than the header (line 3): what it lacks");
      expect(page).toMatch(
        /1 row left out: it has the number or key of an earlier row and nothing new:[\s\S]*line 4: T\.1</,
      );
    }
    const faultless = await listed("Inventory number;Title\nT.3;One\n");
    expect(await sentPage(faultless, choices)).not.toMatch(/fewer cells|an earlier row|whole report/);
  });

  it.each([
    ["en", "30 dates can be read in two ways", "line 2, When:", "… and 10 more"],
    ["de", "30 Datumsangaben lassen sich auf zwei Arten lesen", "Zeile 2, When:", "… und 10 weitere"],
    ["fr", "30 dates peuvent se lire de deux façons", "ligne 2, When", "… et 10 de plus"],
  ])(
    "shows each part of the report and leads to all of its lines (%s)",
    async (language, head, line, more) => {
      const by = await staffBrowser(museum, "admin", language);
      const row = (n: number) => `R.${language}.${n},A,0${1 + (n % 9)}/0${1 + ((n + 1) % 9)}/1923`;
      const rows = Array.from({ length: 30 }, (_, n) => row(n));
      const address = await listed(["Number,Title,When", ...rows].join("\n"), by);
      const choices = { ...TITLED, "target/2": "date" };
      for (const form of [choices, { ...choices, import: "yes" }]) {
        const begun = await by.send(address, form);
        const page = await endedPage(begun, by);
        expect(page).toContain(head);
        expect(page).toContain(line);
        expect(page).toContain(more);
        expect(page.split(/(?:line|Zeile|ligne) \d+, When/)).toHaveLength(21);
        // a browser does not tell its language when it downloads
        const whole = `${begun.headers.get("Location")}/report?lang=${language}`;
        expect(page).toContain(`href="${whole}"`);
        const text = await curator.text(whole);
        expect(text).toContain(head);
        expect(text.split(/(?:line|Zeile|ligne) \d+, When/)).toHaveLength(31);
      }
    },
  );

  it("takes a type by its label in any language, unless two types have this label", async () => {
    const admin = await museum.as("admin");
    for (const name of ["torch", "lamp"]) {
      const json = { label: { en: "Light", de: `${name} (de)` } };
      await read(admin(`/v1/subtypes/object/${name}`, { method: "PUT", json }), 201);
    }
    const rows = "Y.1;A;Gemälde\nY.2;B;PHOTOGRAPHIE\nY.3;C;painting\nY.4;D;Lamp (DE)\nY.5;E;light\nY.6;F;ufo";
    const address = await listed(`Number;Title;Typ\n${rows}\n`);
    const form = { ...TITLED, "target/2": "__type__" };
    const page = await sentPage(address, { ...form, import: "yes" });
    expect(page).toMatch(/<dt>Created<\/dt><dd>4<\/dd>/);
    const { items } = await read<Page>(admin("/v1/objects?sort_by=idno&sort_dir=asc&page_size=100"));
    const types = items.filter(({ idno }) => idno.startsWith("Y.")).map((one) => one.object_type);
    expect(types).toEqual(["painting", "photograph", "painting", "lamp"]);
  });

  it("names the records that a merge changes, in the trial and after it", async () => {
    const first = await listed("Inventory number;Title\nM.1;One\nM.2;Two\n");
    const choices = TITLED;
    await sentPage(first, { ...choices, import: "yes" });
    const address = await listed("Inventory number;Title\nM.1;One\nM.2;Zwei\nM.3;New\n");
    for (const form of [choices, { ...choices, import: "yes" }]) {
      const page = await sentPage(address, { ...form, upsert_strategy: "merge" });
      const changed = [...page.matchAll(/<li><a href="(\/admin\/objects\/[^"]+)">([^<]*)</g)];
      expect(changed.map(([, , idno]) => idno)).toEqual(["M.2"]);
      expect((await curator.get(changed[0]![1]!)).status).toBe(200);
    }
  });

  it("takes how a column writes its dates, offers it again, and keeps it in a saved mapping", async () => {
    const list = "Number;Title;Date\nDF.1;A;12/05/1923\nDF.2;B;13/06/1923\n";
    const choices = { ...TITLED, "target/2": "date" };
    const address = await listed(list);
    const form = await curator.text(address);
    expect(form).toMatch(/<option value="date" [^>]*class="date">/);
    const offered = form.slice(form.indexOf('name="format/2"')).split("</select>")[0]!;
    const values = [...offered.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
    expect(values).toEqual(["", ...DATE_FORMATS]);
    const doubted = /dates? can be read in two ways/;
    expect(await sentPage(address, choices)).toMatch(doubted);
    const stated = { ...choices, "format/2": "MM/DD/YYYY", keep_as: "American" };
    const tried = await sentPage(address, stated);
    expect(tried).not.toMatch(doubted);
    expect(tried).toContain("1923-12-05");
    for (const page of [address, await listed(list)])
      expect(await curator.text(page)).toMatch(/name="format\/2"[^\n]*<option value="MM\/DD\/YYYY" selected/);
    const wrong = await curator.send(address, { ...choices, "format/2": "DD.MM" });
    expect(wrong.status).toBe(422);
    await museum.services.sql`delete from import_mappings where name = 'American'`;
  });

  it("reads the levels in the name of a location if that is chosen, and shows the tree first", async () => {
    const list = "Number;Title;Location\nLV.1;A;Depot 1, Shelf 3\nLV.2;B;Depot 1, Shelf 4\n";
    const address = await listed(list);
    const location = "__relation:stored_at:storage_location__";
    const form = await curator.text(address);
    expect(form).toContain(`<option value="${location}" selected`);
    expect(form).toContain("in levels: “Store 1, Shelf 3”");
    const plain = { ...TITLED, "target/2": location, "split/2": "|" };
    expect(await sentPage(address, plain)).toContain("Depot 1, Shelf 4");
    expect(form).toContain(
      `name="levels/2" value="${location}"> Make levels: “Depot 1, Shelf 3” becomes “Shelf 3” in “Depot 1”.`,
    );
    const ways: Record<string, string>[] = [{ "target/2": `levels:${location}` }, { "levels/2": location }];
    for (const chosen of ways) {
      const tried = await sentPage(address, { ...plain, ...chosen });
      for (const name of ["Depot 1<", "Depot 1 › Shelf 3<", "Depot 1 › Shelf 4<"])
        expect(tried).toContain(name);
      expect(await curator.text(address)).not.toContain('name="levels/2"');
    }
    const other = { "levels/2": location, "target/2": "description" };
    expect(await sentPage(address, { ...plain, ...other })).not.toContain("Depot 1 ›");
    const dashes = { "target/2": `levels:${location}`, "split/2": "Depot" };
    expect(await sentPage(address, { ...plain, ...dashes })).toContain("1, Shelf 3<");
    const made = await sentPage(address, { ...plain, ...ways[0], import: "yes" });
    const undo = /action="(\/admin\/imports\/[^"]+\/undo)"/.exec(made)![1]!;
    const wouldUndo = await sentPage(undo, {});
    for (const name of [">Depot 1<", ">Depot 1 › Shelf 3<"]) expect(wouldUndo).toContain(name);
    await sentPage(undo, { seen: "1" });
  });

  it("says in a trial which fields visitors will see", async () => {
    const address = await listed("Number;Title;Note;Place\nV.1;A;secret;Depot 9\n");
    const form = { ...TITLED, "target/2": "internal_note" };
    const page = await sentPage(address, { ...form, "target/3": "__relation:stored_at:storage_location__" });
    expect(page).toContain(
      "After publishing, visitors see: Title. Only staff see: Internal note, stored at.",
    );
  });

  it("says in one line which columns it leaves out", async () => {
    const address = await listed("Number;Title;Shoe size;<i>\nZ.1;A;42;x\n");
    const form = TITLED;
    for (const [by, line] of [
      [curator, "Columns that the mapping does not use: Shoe size, &lt;i&gt;"],
      [await staffBrowser(museum, "superuser", "de"), "Nicht zugeordnete Spalten: Shoe size, &lt;i&gt;"],
    ] as const) {
      const job = (await curator.send(address, form)).headers.get("Location")!;
      await endedJob(museum, await museum.as("admin"), job.split("/").at(-1)!);
      const page = await by.text(job);
      expect(page.split("<details><summary>")[0]).toContain(line);
      expect(page.split(line)).toHaveLength(2);
    }
    const all = await sentPage(address, { ...form, "target/2": "description", "target/3": "inscription" });
    expect(all).not.toContain("not imported:");
  });

  it("explains why rows are skipped", async () => {
    const address = await listed("Number;Title\nW.1;A\nW.1;A\n");
    const form = TITLED;
    const page = await sentPage(address, form);
    expect(page).toMatch(/<dt>Skipped<\/dt><dd>1<\/dd>[\s\S]*Skipped: the record of the row already exists/);
    const none = await listed("Number;Title\nW.2;A\n");
    expect(await sentPage(none, form)).not.toContain("Skipped:");
  });

  it("is opened from the list of imports, as long as its page is kept, by those who may see it", async () => {
    const address = await listed("Number;Title\nX.1;A\n");
    const begun = await curator.send(address, { ...TITLED, import: "yes" });
    const job = begun.headers.get("Location")!;
    await endedPage(begun);
    expect(await curator.text("/admin/imports")).toContain(`<a href="${job}">Łódź list.csv</a>`);
    await museum.services.sql`delete from jobs where id = ${job.split("/").at(-1)!}`;
    const later = await curator.text("/admin/imports");
    expect(later).not.toContain(job);
  });

  it("says on the form what is wrong with a mapping", async () => {
    const address = await listed(LIST);
    await answered(curator.send(address, { import: "yes" }), 422, "The mapping is empty");
    await answered(curator.send(address, { "target/0": "no_such_field" }), 422, "no_such_field");
  });

  it("says what is wrong in the reader's language", async () => {
    const german = await staffBrowser(museum, "admin", "de");
    await answered(sendList("PK\u0003\u0004 and more", german), 422, "ist beschädigt");
    const address = await listed("Title;Number;Type\nA;R.9;vase\n;R.10;\n", german);
    const form = { "target/0": "title", "target/1": "__idno__", "target/2": "__type__", auto_publish: "yes" };
    const empty = await (await german.send(address, {})).text();
    expect(empty).toContain("Noch ist keine Spalte einem Feld zugeordnet");
    const tried = (await german.send(address, form)).headers.get("Location")!;
    await endedJob(museum, await museum.as("admin"), tried.split("/").at(-1)!);
    const page = await german.text(tried);
    expect(page).toContain("„vase“ ist hier nicht möglich (Typ). Möglich sind: Gemälde, Zeichnung, ");
    expect(page).toContain("ist vor dem Veröffentlichen auszufüllen");

    const rejects = await (await german.get(`${tried}/rejects`)).text();
    expect(rejects).toContain("Titel ist vor dem Veröffentlichen auszufüllen");

    const one = await listed("Title;Creators;State\nA;Greta Lindqvist;INTERN\n", german);
    const links = {
      "target/0": "title",
      "target/1": "__relation:created_by:entity__",
      "target/2": "__status__",
    };
    const shown = await sentPage(one, links, german);
    expect(shown).toMatch(/Typ<\/th>.*Anderes/);
    expect(shown).toMatch(/Status<\/th>.*Intern</);
    expect(shown).toMatch(/Sammlungsstatus<\/th>.*In der Sammlung/);
    expect(shown).toContain("geschaffen von → Personen und Organisationen");
  });

  it("refuses an empty file, a forged form, viewers, and a file that somebody else uploaded", async () => {
    await answered(sendList(""), 422, 'name="type"');
    expect((await sendList(LIST, curator, "wrong")).status).toBe(403);
    const viewer = await staffBrowser(museum, "viewer");
    expect((await viewer.get("/admin/imports")).status).toBe(403);
    expect((await sendList(LIST, viewer)).status).toBe(403);
    const address = await listed(LIST);
    const colleague = await staffBrowser(museum, "superuser");
    expect((await colleague.get(address)).status).toBe(404);
    expect((await colleague.send(address, { ...MEANINGS, import: "yes" })).status).toBe(404);
    const [{ n } = { n: -1 }] = await museum.services.sql<{ n: number }[]>`
      select count(distinct job_id)::int as n from job_files f
      where name = 'input' and not exists (select 1 from job_files m where m.job_id = f.job_id and m.name = 'mapping')`;
    expect(n).toBe(0);
  });
});

describe("a saved mapping", () => {
  const OTHER = "Inventory number;Title;Weight;Creators\n1960.1;Keel;12 kg;\n";
  const KEPT = { ...MEANINGS, "target/2": "", "target/3": "", keep_as: "Ledger <b>" };

  it("fills in the next list that has these columns, and can be renamed and deleted", async () => {
    const first = await listed(LIST);
    await sentPage(first, { ...KEPT, "split/1": "/", upsert_strategy: "merge" });
    const next = await listed(OTHER);
    const page = await curator.text(next);
    expect(page).toContain("Filled in from the saved mapping “Ledger &lt;b&gt;”");
    expect(page).toMatch(/name="target\/1"[\s\S]*?<option value="title" selected/);
    expect(page).toMatch(/name="split\/1" value="\/"/);
    expect(page).toMatch(/name="lang\/1" value="en"/);
    expect(page).toMatch(/<option value="merge" selected/);
    await sentPage(next, { ...KEPT, upsert_strategy: "replace" });
    const third = await listed(OTHER);
    expect(await curator.text(third)).not.toMatch(/<option value="replace" selected/);
    const without = await listed("Number;Name\n1;a\n");
    expect(await curator.text(without)).not.toContain("Ledger");

    const list = await curator.text("/admin/imports");
    expect(list).toContain('value="Ledger &lt;b&gt;"');
    expect(list).toContain("<small>Objects · 2 columns · ");
    const address = /action="(\/admin\/imports\/mappings\/[^"/]+)"/.exec(list)![1]!;
    expect((await curator.send(address, {})).status).toBe(422);
    expect((await curator.send(address, { name: "Old ledger" })).status).toBe(303);
    expect(await curator.text(next)).toContain("Old ledger");
    expect((await curator.send(`${address}/delete`, {})).status).toBe(303);
    expect((await curator.send(`${address}/delete`, {})).status).toBe(404);
    expect(await curator.text("/admin/imports")).not.toContain("Old ledger");
    await answered(curator.send(first, { ...KEPT, keep_as: "x".repeat(101) }), 422, "100 characters");
  });

  it("is not saved if the import is refused; its name stays in the box", async () => {
    const refused = { "target/0": "nothing_like_this", keep_as: "Refused ledger" };
    const page = await answered(curator.send(await listed(LIST), refused), 422);
    expect(page).toContain('name="keep_as" value="Refused ledger"');
    expect(await curator.text("/admin/imports")).not.toContain("Refused ledger");
  });

  it("gets the name of the file, unless another one has it", async () => {
    const offered = async (list: string) => {
      const page = await curator.text(await listed(list));
      return /name="keep_as" value="([^"]*)"/.exec(page)![1];
    };
    expect(await offered("Number;Heading\n1;a\n")).toBe("Łódź list");
    const other = await listed("Number;Weight\n1;12 kg\n");
    await sentPage(other, { "target/0": "__idno__", "target/1": "dimensions", keep_as: "łódź LIST" });
    expect(await offered("Number;Heading\n1;a\n")).toBe("");
    expect(await offered("Number;Weight\n2;13 kg\n")).toBe("łódź LIST");
    await museum.services.sql`delete from import_mappings where lower(name) = 'łódź list'`;
  });

  it("can be chosen if several fit", async () => {
    for (const [keep_as, target] of [
      ["A", "title"],
      ["B", "description"],
    ] as const) {
      const address = await listed(LIST);
      await sentPage(address, { "target/0": "__idno__", "target/1": target, keep_as });
    }
    const address = await listed(LIST);
    const page = await curator.text(address);
    const other = new RegExp(`href="(${address}\\?mapping=[^"]+)"`).exec(page)![1]!;
    const isA = page.includes("mapping “A”");
    const chosen = await curator.text(other);
    expect(chosen).toContain(isA ? "mapping “B”" : "mapping “A”");
    const target = isA ? "description" : "title";
    expect(chosen).toMatch(new RegExp(`name="target/1"[\\s\\S]*?<option value="${target}" selected`));
  });
});
