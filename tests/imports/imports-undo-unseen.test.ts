import { expect, it } from "vitest";
import { type Account, OPERATOR } from "../../src/caller.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import { jobFor } from "../../src/jobs/shown.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { allInEnglish } from "../support/lane/in-english.ts";
import { create, english, type Page, read } from "../support/museum/catalogue.ts";
import { importText } from "../support/museum/importing.ts";
import { museumHere } from "../support/museum/museum.ts";

/** May do everything with objects, but sees only what is public of everything else. */
const REGISTRAR: Account = {
  ...OPERATOR,
  id: crypto.randomUUID(),
  role: "registrar",
  permissions: {
    records: { object: ["read", "create", "update", "delete", "publish"], entity: ["delete"] },
    features: ["import:run"],
  },
};

const museum = await museumHere();
const editor = await museum.as("editor");

it("an undo names no record that its caller may not read", async () => {
  const { importId } = await importText(
    museum.services,
    "number,title,by\nU 1,Sea chest,Ida Brandt\nU 2,Net float,Ada Thorn\n",
    { number: "__idno__", title: "title", by: { target: "__relation:created_by:entity__" } },
  );
  const [chest] = (await read<Page>(editor("/v1/objects?idno=U%201"))).items;
  const [maker] = (await read<Page>(editor("/v1/entities?q=Ada%20Thorn"))).items;
  const loan = await create(editor, "procedure");
  const link = { relation_type: "related_to", to_type: "object", to_id: chest!.id };
  await read(editor(`/v1/procedures/${loan.id}/relations`, { json: link }), 201);
  const metadata_ = { name: english("Ada Thorn, b. 1870") };
  await read(editor(`/v1/entities/${maker!.id}`, { method: "PATCH", json: { metadata_ } }));

  const all = await undoImport(museum.services, OPERATOR, importId, { dryRun: true });
  expect(JSON.stringify(all.named)).toContain(loan.idno);
  expect(JSON.stringify(all.named)).toContain("Ada Thorn");
  const { job } = await enqueueJob(museum.services.sql, {
    kind: "import-undo",
    params: { import_id: importId, record_type: "object", dry_run: true },
    createdBy: null,
  });
  const shown = jobFor(ENGLISH, REGISTRAR, { ...job, state: "done", result: all as never });
  expect(shown.result).toEqual({ ...all, named: [] });
  expect(jobFor(ENGLISH, OPERATOR, { ...job, result: all as never }).result).toEqual(allInEnglish(all));
});
