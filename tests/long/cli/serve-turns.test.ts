/** Several services behind nginx, configured and updated as docs/deployment.md describes: one after the other, while people work. */

import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { HOST, type Nginx, openNginx } from "../../servers/nginx.ts";
import { canBeBehindNginx } from "../../support/servers/behind-nginx.ts";
import {
  canHaveSeveral,
  type SeveralServices,
  startSeveral,
} from "../../support/servers/several-services.ts";
import { type Visitor, visitor } from "../../support/servers/tls-visitor.ts";

const PASSWORD = "a lantern on the third pier";

const canBeTried = (await canHaveSeveral()) && canBeBehindNginx();
describe.runIf(canBeTried).each(runtimesHere("Node 24"))("three services on %s", (_name, runtime) => {
  let several: SeveralServices;
  let nginx: Nginx;
  let ask: Visitor["ask"];
  let leave: Visitor["leave"];
  let token: string;

  beforeAll(async () => {
    several = await startSeveral(runtime, { SVC_BASE_URL: `https://${HOST}`, TRUSTED_PROXIES: "127.0.0.1" });
    nginx = await openNginx(several.ports);
    ({ ask, leave } = visitor(nginx));
    const [password] = await several.firstPasswords();
    const entered = await ask("/v1/auth/login", { json: { email: `admin@${HOST}`, password } });
    const json = { current_password: password, new_password: PASSWORD };
    token = (await ask("/v1/auth/password", { token: entered.json.access_token, json })).json.access_token;
  });
  afterAll(async () => {
    leave?.();
    await nginx?.close();
    await several?.close();
  });

  type Failed = { asked: string; status: number | "lost"; text: string };

  /** Visitors who read and editors who write, until `end` is called. */
  function traffic(mark: string) {
    const failed: Failed[] = [];
    /** By title: the id of each record whose creation was acknowledged. */
    const written = new Map<string, string>();
    let isOver = false;
    const lost = (error: Error) => ({ status: "lost", text: String(error), json: null }) as const;

    async function visit(path: () => string): Promise<void> {
      while (!isOver) {
        const asked = path();
        const { status, text } = await ask(asked).catch(lost);
        if (status !== 200) failed.push({ asked, status, text: text.slice(0, 200) });
      }
    }
    async function write(title: string): Promise<void> {
      const sent = { object_type: "print", status: "public", metadata_: { title: [{ value: title }] } };
      const { status, text, json } = await ask("/v1/objects", { token, json: sent }).catch(lost);
      if (status === 201) written.set(title, json.id);
      else failed.push({ asked: title, status, text: text.slice(0, 200) });
    }
    async function catalogue(name: string): Promise<void> {
      for (let n = 0; !isOver; n++) await write(`${mark} ${name}${n}`);
    }
    const newest = () => `/objects/${[...written.values()].at(-1)}`;
    const work = write(`${mark} first`).then(() =>
      Promise.all([
        visit(() => "/"),
        visit(newest),
        visit(() => `/v1${newest()}`),
        visit(() => `/portal/v1/search?q=${mark}`),
        ...["a", "b", "c"].map(catalogue),
      ]),
    );
    return {
      failed,
      written,
      async end() {
        isOver = true;
        await work;
      },
    };
  }

  /** Starts a service again, and waits until people use it. */
  async function startAgain(n: number): Promise<void> {
    const port = several.ports[n]!;
    const before = nginx.answersOf(port);
    await several.start(n);
    await expect.poll(() => nginx.answersOf(port)).toBeGreaterThan(before + 10);
  }
  async function titlesOf(mark: string): Promise<string[]> {
    const found: string[] = [];
    for (let path = `/v1/objects?q=${mark}&sort_by=created_at&page_size=200`; path; ) {
      const { json, headers } = await ask(path, { token });
      for (const { metadata_ } of json.items) found.push(metadata_.title[0].value);
      path = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1] ?? "";
    }
    return found.sort();
  }

  it("are restarted in turns: no request fails, and no record is lost or doubled", async () => {
    const { failed, written, end } = traffic("Ferry");
    for (const n of several.ports.keys()) {
      await setTimeout(300);
      expect(await several.services[n]!.stop()).toMatchObject({ code: 0 });
      await startAgain(n);
    }
    await end();
    expect(failed).toEqual([]);
    expect(await titlesOf("Ferry")).toEqual([...written.keys()].sort());
    expect(written.size).toBeGreaterThan(30);
  });

  it("are killed: only records that one of them was just creating get 502, and none is lost or doubled", async () => {
    const { failed, written, end } = traffic("Tender");
    await expect.poll(() => written.size).toBeGreaterThan(10);
    await several.services[0]!.kill("SIGKILL");
    const before = written.size;
    await expect.poll(() => written.size).toBeGreaterThan(before + 10);
    const atTheKill = failed.length;
    await startAgain(0);
    await end();
    // a killed service still accepts connections until the system has closed its port: one person may be refused twice
    expect(failed.slice(atTheKill)).toEqual([]);
    // an answer that has begun cannot come from another service
    for (const each of failed.filter(({ status }) => status !== "lost"))
      expect(each).toMatchObject({ status: 502, asked: expect.stringMatching(/^Tender /) });
    const unsure = failed.map(({ asked }) => asked);
    const found = await titlesOf("Tender");
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((title) => !unsure.includes(title))).toEqual([...written.keys()].sort());
    console.log(`${failed.length} requests failed at the kill: ${JSON.stringify(failed)}`);
  });
});
