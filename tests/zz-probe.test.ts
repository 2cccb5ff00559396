import { it } from "vitest";
import { createConnection } from "node:net";
import { databases, openMuseum } from "./support/museum.ts";
import { listen } from "../src/runtimes/node.ts";
it("probe", async () => {
  const m = await openMuseum({ database: databases.at(-1)!, demo: true });
  const ed = await m.as("editor");
  const out: string[] = [];
  const show = async (name: string, p: Promise<Response>) => {
    try { const r = await p; const t = await r.text(); out.push(`${name}: ${r.status} ${t.slice(0, 260)}`); } catch (e) { out.push(`${name}: THROWN ${e}`); }
  };
  const raw = (json: string, path = "/v1/objects", method = "POST") => ed(path, { method, body: json, headers: { "Content-Type": "application/json" } });
  const t = `"object_type":"painting"`;
  await show("proto meta", raw(`{${t},"metadata_":{"__proto__":[{"value":"x"}]}}`));
  await show("proto top", raw(`{${t},"__proto__":{"status":"public"}}`));
  await show("constructor meta", raw(`{${t},"metadata_":{"constructor":[{"value":"x"}]}}`));
  await show("constructor top", raw(`{${t},"constructor":1}`));
  await show("lone", raw(`{${t},"metadata_":{"title":[{"value":"\\ud800"}]}}`));
  await show("nul", raw(`{${t},"metadata_":{"title":[{"value":"\\u0000"}]}}`));
  await show("nul idno", raw(`{${t},"idno":"a\\u0000"}`));
  await show("nul key", raw(`{${t},"metadata_":{"a\\u0000":[{"value":"x"}]}}`));
  await show("lone key", raw(`{${t},"metadata_":{"a\\ud800":[{"value":"x"}]}}`));
  await show("lone type", raw(`{"object_type":"\\ud800"}`));
  await show("lang", raw(`{${t},"metadata_":{"title":[{"value":"x","lang":"\\ud800"}]}}`));
  await show("deep", raw("[".repeat(10000) + "]".repeat(10000)));
  await show("deep1M", raw("[".repeat(1000000) + "]".repeat(1000000)));
  await show("deepobj", raw('{"a":'.repeat(300000) + "1" + "}".repeat(300000)));
  await show("emoji2000", raw(JSON.stringify({ object_type: "painting", metadata_: { title: [{ value: "a".repeat(1999) + "😀" }] } })));
  await show("gothic sort", raw(JSON.stringify({ object_type: "painting", metadata_: { title: [{ value: "a" + "𐌰".repeat(199) }] } })));
  await show("gothic word", raw(JSON.stringify({ object_type: "painting", metadata_: { title: [{ value: "x" }], description: [{value: "a" + "𐌰".repeat(99) }] } })));
  const words = (n: number, len: number, seed: number) => Array.from({ length: n }, (_, i) => (seed * 100000 + i).toString(36).padEnd(len, "q")).join(" ");
  await show("tsvector", raw(JSON.stringify({ object_type: "painting", metadata_: { title: [{ value: "big" }], bibliography: Array.from({ length: 19 }, (_, i) => ({ value: words(990, 99, i) })) } })));
  await show("year0 proc", raw(`{"procedure_type":"inventory","start_date":"0000-01-01"}`, "/v1/procedures"));
  await show("9999 proc", raw(`{"procedure_type":"inventory","start_date":"9999-12-31"}`, "/v1/procedures"));
  await show("0001 proc", raw(`{"procedure_type":"inventory","start_date":"0001-01-01"}`, "/v1/procedures"));
  for (const s of ["0000-01-01", "2026-01-01T00:00:00+23:00", "2026-01-01T00:00", "2026-01-01T24:00:00", "9999-12-31T23:59:59Z", "2026-01-01T00:00:00.123456789Z", "2026-13-01", "0001-01-01T00:00:00+10:00"])
    await show("since " + s, ed("/v1/objects?page_size=1&updated_since=" + encodeURIComponent(s)));
  for (const q of ["__proto__=x", "__proto__=xy", "__proto__=x&__proto__=y", "constructor=x", "page=1e12", "page=0x10", "page= 5 ", "page=", "page=1&page=2", "q=%ZZ", "q=%ED%A0%80", "q=%c0%af", "q=%00", "q=%", "idno=\u0000", "q=" + "a".repeat(600), "%00=1", "q[]=1", "page=١", "page=-0", "page=1.5", "page=Infinity", "page=NaN"])
    { await show("q " + q.slice(0, 30), ed("/v1/objects?page_size=1&" + q)); await show("  search " + q.slice(0, 30), m.ask("/v1/search?" + q)); }
  const cur = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  const id = m.demo.get("obj-lighthouse-lens")!;
  for (const c of [["updated_at", "desc", "9999-99-99T99:99:99", id, 1, 1], ["updated_at", "desc", "2026-01-01T00:00:00", id, -5, -7], ["updated_at", "desc", "0000-01-01T00:00:00", id, 1, 1], ["idno", "asc", "\ud800", id, 1, 1], null, {}, [1]])
    await show("cursor " + JSON.stringify(c), ed("/v1/objects?page_size=1&cursor=" + cur(c) + (Array.isArray(c) && c[0] === "idno" ? "&sort_by=idno&sort_dir=asc" : "")));
  await show("history beyond", ed(`/v1/objects/${id}/history?page=9`));
  await show("relations beyond", m.ask(`/v1/objects/${id}/relations?page=9`));
  for (const im of ["7", '"7"', 'W/"1"', '"1-abc"', '"abc"', "abc", '"1", "2"', "-1", "99999999999", '""', "*", "1;2"])
    await show("if-match " + im, ed(`/v1/objects/${id}`, { method: "PATCH", body: "{}", headers: { "Content-Type": "application/json", "If-Match": im } }));
  await show("patch proto", raw(`{"__proto__":{"idno":"x"}}`, `/v1/objects/${id}`, "PATCH"));
  await show("patch array", raw(`[]`, `/v1/objects/${id}`, "PATCH"));
  await show("patch null", raw(`null`, `/v1/objects/${id}`, "PATCH"));
  await show("patch upper parent", ed(`/v1/objects/${id}`, { method: "PROPFIND" }));
  await show("trash delete", ed(`/v1/objects/trash`, { method: "DELETE" }));
  await show("post trash", ed(`/v1/objects/trash`, { method: "POST" }));
  await show("api prefix instance", m.ask(`/api/v1/objects/${crypto.randomUUID()}`));
  await show("api prefix 405", m.ask(`/api/v1/objects/${crypto.randomUUID()}`, { method: "POST" }));
  await show("api/v1", m.ask(`/api/v1`));
  await show("v1", m.ask(`/v1`));
  await show("root", m.ask(`/`));
  await show("accept", m.ask(`/v1/objects`, { headers: { Accept: "text/html" } }));
  await show("accept garbage", m.ask(`/v1/objects`, { headers: { Accept: ";;;,,,q=" } }));
  await show("long url", m.ask(`/v1/${"a".repeat(1000000)}`));
  await show("colon", m.ask(`/v1/objects/..%2f..%2fetc`));
  for (const [p, b] of [["/v1/auth/login", { email: "a\u0000@b.c", password: "x" }], ["/v1/auth/login", { email: "a\ud800@b.c", password: "x" }]] as const) await show("login", m.ask(p, { json: b }));
  const ad = await m.as("admin");
  for (const [p, b] of [["/v1/vocabularies", { name: "x", label: { en: "a\u0000" } }], ["/v1/vocabularies", { name: "x", label: { en: "a\ud800" } }], ["/v1/schemas/object", { name: "newf", label: { en: "a\u0000" }, field_type: "text" }], ["/v1/schemas/object", { name: "newf", label: { "a\ud800": "x" }, field_type: "text" }], ["/v1/relation-types", { name: "newr", inverse: "rnew", label: { en: "\u0000" }, inverse_label: { en: "x" }, from_types: ["object"], to_types: ["object"] }], ["/v1/schemas/object", { name: "newf", label: {}, field_type: "text", sort_order: 1e12 }], ["/v1/vocabularies/material/terms", { value: "\ud800" }], ["/v1/vocabularies/material/terms", { value: "x", sort_order: 1e12 }]] as const)
    await show(`${p} ${JSON.stringify(b)}`, ad(p, { json: b }));
  for (const p of ["/v1/schemas/__proto__", "/v1/schemas/constructor", "/v1/vocabularies/constructor", "/v1/vocabularies/%ED%A0%80", "/v1/relation-types/__proto__", "/v1/schemas/object/__proto__"]) await show(p, ad(p));
  out.push(m.log.filter((l) => l.includes("request failed") || l.includes("put off")).map((l) => l.slice(0, 500)).join("\n"));
  console.log(out.join("\n"));
  // raw
  const server = await listen(m.api.app as never, { host: "127.0.0.1", port: 0 });
  const sock = (text: string) => new Promise<string>((res) => { const s = createConnection(server.port, "127.0.0.1"); let d = ""; s.on("data", (c) => { d += c; }); s.on("close", () => res(d)); s.on("error", (e) => res(d + " ERR " + e)); s.write(text, "latin1"); setTimeout(() => s.destroy(), 1500); });
  const H = "Host: x\r\nConnection: close\r\n";
  for (const r of [`GET /v1/objects?q=%ZZ HTTP/1.1\r\n${H}\r\n`, `GET /v1/objects?q=\x01 HTTP/1.1\r\n${H}\r\n`, `GET /v1/obj\xe9 HTTP/1.1\r\n${H}\r\n`, `GET /v1/"<>|\\^ HTTP/1.1\r\n${H}\r\n`, `GET /v1/objects HTTP/1.1\r\n${H}X-Request-Id: a\x00b\r\n\r\n`, `GET /v1/objects HTTP/1.1\r\n${H}X-Request-Id: a\xe9b\r\n\r\n`, `GET http://evil.example/v1/entities?page_size=1 HTTP/1.1\r\n${H}\r\n`, `OPTIONS * HTTP/1.1\r\n${H}\r\n`, `TRACE /v1/objects HTTP/1.1\r\n${H}\r\n`, `CONNECT /v1/objects HTTP/1.1\r\n${H}\r\n`, `PROPFIND /v1/objects HTTP/1.1\r\n${H}\r\n`, `GET //evil/v1/objects HTTP/1.1\r\n${H}\r\n`, `GET /v1/objects HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`, `GET /v1/objects HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`, `GET /v1/objects HTTP/1.1\r\nHost: x@y/z?q#\r\nConnection: close\r\n\r\n`, `POST /v1/objects HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: 104857600\r\n\r\n{`, `POST /v1/objects HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: -5\r\n\r\n{`, `GET /v1/objects?${"a".repeat(20000)} HTTP/1.1\r\n${H}\r\n`, `GET /v1/objects#frag HTTP/1.1\r\n${H}\r\n`, `GET /v1/../v1/./objects?page_size=1 HTTP/1.1\r\n${H}\r\n`, `FOO /v1/objects HTTP/1.1\r\n${H}\r\n`, `GET /v1/objects?a=%00 HTTP/1.1\r\n${H}\r\n`])
    { const a = await sock(r); console.log(JSON.stringify(r.slice(0, 60)), "=>", JSON.stringify(a.split("\r\n")[0] + " … " + a.slice(-300))); }
  await server.stop();
  await m.close();
}, 120000);
