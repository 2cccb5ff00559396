/** Many photographs from a form without its script. */
import { describe, expect, it } from "vitest";
import { answered } from "../support/museum/catalogue.ts";
import { jpeg } from "../support/museum/media.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const AT = "/admin/photos";

describe("the page for many photographs", async () => {
  const { museum, curator, api } = await staffMuseumHere();

  const formOf = (files: [string, Uint8Array][], fields: Record<string, string>): FormData => {
    const form = new FormData();
    for (const [name, bytes] of files)
      form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  };

  it("stores what belongs to an object, and says what does not", async () => {
    const json = { idno: "1998.4", object_type: "photograph", metadata_: {} };
    const { id } = (await (await api("/v1/objects", { json })).json()) as { id: string };
    const [, action] = /<form class="drop[^>]*action="([^"]+)"/.exec(await curator.text(AT))!;
    const picture = await jpeg(30, 20);
    // as a browser sends the form, with an empty control for folders
    const files: [string, Uint8Array][] = [
      ["1998.4.jpg", picture],
      ["<b>nobody.jpg", picture],
      ["1998.4.txt", Buffer.from("notes")],
      ["", new Uint8Array()],
    ];
    const said = { license_uri: "", rights_holder: "Harbour museum", visibility: "private" };
    const answer = await curator.sendFile(action!, formOf(files, said));
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain("1 photo for 1 object; 1 without an object; 1 not added");
    expect(page).toContain(`<a href="/admin/objects/${id}">1998.4</a>`);
    expect(page).toContain("&lt;b&gt;nobody.jpg");
    expect(page).toContain("The content must be one of these types");
    const { items } = (await (await api(`/v1/objects/${id}/media`)).json()) as { items: object[] };
    expect(items).toMatchObject([
      { filename: "1998.4.jpg", visibility: "private", rights_holder: "Harbour museum" },
    ]);
    const again = await (await curator.sendFile(action!, formOf(files.slice(0, 1), said))).text();
    expect(again).toContain("already there");
    await answered(curator.sendFile(action!, formOf(files, { visibility: "secret" })), 422, 'role="alert"');
  });

  it("is for those who may add media", async () => {
    const viewer = await staffBrowser(museum, "viewer");
    expect((await viewer.get(AT)).status).toBe(403);
    expect(await viewer.text("/admin/objects")).not.toContain(AT);
    expect(await curator.text("/admin/objects")).toContain(`href="${AT}"`);
    // a form of another page has no token
    expect((await curator.sendFile(AT, formOf([["a.jpg", await jpeg(9, 9)]], {}))).status).toBe(403);
  });
});
