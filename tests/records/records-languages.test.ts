/** What a refusal says follows the reader; its code and the values in it do not. */
import { beforeAll, describe, expect, it } from "vitest";
import { said } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { faultsJson, Problem } from "../../src/problem.ts";
import { withNear } from "../../src/text/nearest.ts";
import { answered, createObject, type ProblemJson, read } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { endedJob, importForm, sendImport } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";

let id: string;
const museum = await museumHere();
const editor = await museum.as("editor");
beforeAll(async () => {
  ({ id } = await createObject(editor, "Sextant"));
});

describe("a refusal in the reader's language", () => {
  it("names the kind of record, in a bulk answer too", async () => {
    const line = JSON.stringify({ id: "0198c0de-0000-7000-8000-000000000001", metadata_: {} });
    const answer = await editor("/v1/objects/bulk", {
      method: "POST",
      body: line,
      headers: { "Content-Type": "application/x-ndjson", "Accept-Language": "de" },
    });
    expect(JSON.parse(await answer.text()).errors).toEqual([
      {
        pointer: "/id",
        detail:
          "Den Datensatz 0198c0de-0000-7000-8000-000000000001 (Objekt) gibt es nicht; lassen Sie die ID weg, um einen anzulegen",
        code: "id.unknown",
      },
    ]);
    const missing = await editor(`/v1/places/${id}`, { headers: { "Accept-Language": "fr" } });
    expect(await read<ProblemJson>(missing, 404)).toMatchObject({
      detail: `La notice ${id} (lieu) n’existe pas`,
      code: "record.not_found",
    });
  });
});

it("what somebody enters is unchanged on German pages: of a form with a fault, of a job, of a record", async () => {
  const entered = "Museum: at most";
  const curator = await staffBrowser(museum, "admin", "de");
  const form = { object_type: "painting", status: "draft", collection_status: "active" };
  const page = await answered(
    curator.send("/admin/objects/new", {
      ...form,
      "metadata_/title/0/value": entered,
      "metadata_/title/0/lang": "de",
      "metadata_/date/0/value": entered,
    }),
    422,
    `value="${entered}"`,
  );
  expect(page).toContain(`„${entered}“`);

  const saved = await createObject(editor, entered);
  for (const address of [`/admin/objects/${saved.id}`, "/admin/objects"])
    expect(await curator.text(address)).toContain(entered);

  const admin = await museum.as("admin");
  const mapping = { No: "__idno__", Title: { target: "title", lang: "de" }, Kind: "__type__" };
  const lines = ["No,Title,Kind", `X-1,${entered},${entered}`];
  const { job_id } = await sendImport(
    admin,
    importForm(lines, `${entered}.csv`, { mapping, dry_run: "true" }),
  );
  expect((await endedJob(museum, admin, job_id)).result).toMatchObject({ rejected: 1 });
  const job = await curator.text(`/admin/imports/jobs/${job_id}`);
  expect(job).toContain(`„${entered}“`);
  for (const each of [page, job]) expect(each).not.toContain("höchstens");
});

it("a fault around another has the code of the inner one", () => {
  const fault = said("fault.field.unknown", { name: "titel" });
  const around = said("fault.clause.of", { clause: "titel:is:x", fault: withNear(fault, "title") });
  expect(faultsJson(ENGLISH, [{ pointer: "", detail: around }])).toEqual([
    {
      pointer: "",
      detail: '"titel:is:x": there is no field "titel"; did you mean "title"?',
      code: "field.unknown",
    },
  ]);
  expect(withNear(fault, undefined)).toBe(fault);
  expect(new Problem("conflict", around).toJson("/", ENGLISH).code).toBe("field.unknown");
});
