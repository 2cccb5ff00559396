import { it } from "vitest";
import { openMuseum } from "./support/museum.ts";
it("probe", async () => {
  const m = await openMuseum({ database: "external" });
  const { sql } = m.services;
  await sql`insert into records (id, record_type, idno, subtype, status, title, sort_title)
      select gen_random_uuid(), 'procedure', 'PRC-' || lpad((n+1)::text, 6, '0'), 'inventory', 'draft', 't', 't'
      from generate_series(0, 9999) n`;
  for (const width of [1, 4, 64, 1024, 10000]) {
    const idnos = Array.from({ length: width }, (_, i) => "PRC-" + String(i).padStart(6, "0"));
    let t = performance.now();
    await sql`select idno from records where record_type = 'procedure' and idno = any(${idnos}) and deleted_at is null`;
    const a = performance.now() - t; t = performance.now();
    await sql`select idno from records where record_type = 'procedure' and idno = any(${idnos}) and deleted_at is not null`;
    const b = performance.now() - t; t = performance.now();
    await sql`select r.idno from unnest(${idnos}::text[]) w(idno) join records r on r.record_type = 'procedure' and r.idno = w.idno where r.deleted_at is null`;
    const c = performance.now() - t; t = performance.now();
    const p = await sql`explain (analyze, buffers) select idno from records where record_type = 'procedure' and idno = any(${idnos}) and deleted_at is null`;
    console.log(width, a.toFixed(), b.toFixed(), c.toFixed(), p.map((r) => r["QUERY PLAN"].slice(0, 150)).join("\n"));
  }
  await m.close();
}, 120000);
