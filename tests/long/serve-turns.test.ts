/** Several services behind nginx, configured and updated as docs/deployment.md describes: one after the other, while people work. */

import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimesHere } from "../runtimes/runtimes.ts";
import { HOST, type Nginx, openNginx } from "../servers/nginx.ts";
import { canBeBehindNginx } from "../support/behind-nginx.ts";
import { canHaveSeveral, type SeveralServices, startSeveral } from "../support/several-services.ts";
import { type Visitor, visitor } from "../support/tls-visitor.ts";

const PASSWORD = "a lantern on the third pier";
/** In the title of each record written here. */
const MARK = "Ferry";

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

  it("are restarted in turns: no request fails, and no record is lost or doubled", async () => {
    const failed: string[] = [];
    const written = new Map<string, string>();
    let isOver = false;

    async function visit(path: () => string): Promise<void> {
      while (!isOver) {
        const asking = path();
        const { status, text } = await ask(asking).catch(lost);
        if (status !== 200) failed.push(`GET ${asking}: ${status} ${text.slice(0, 200)}`);
      }
    }
    async function write(title: string): Promise<void> {
      const json = { object_type: "print", status: "public", metadata_: { title: [{ value: title }] } };
      const answer = await ask("/v1/objects", { token, json }).catch(lost);
      if (answer.status === 201) written.set(title, answer.json.id);
      else failed.push(`POST ${title}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    async function catalogue(name: string): Promise<void> {
      for (let n = 0; !isOver; n++) await write(`${MARK} ${name}${n}`);
    }
    const answersOf = (port: string) => nginx.answers().filter(({ service }) => service === port).length;
    const lost = (error: Error) => ({ status: "lost", text: String(error.cause ?? error), json: null });
    const newest = () => `/objects/${[...written.values()].at(-1)}`;

    await write(`${MARK} first`);
    const work = [
      visit(() => "/"),
      visit(newest),
      visit(() => `/v1${newest()}`),
      visit(() => `/portal/v1/search?q=${MARK}`),
      ...["a", "b", "c"].map(catalogue),
    ];
    for (const [n, port] of several.ports.entries()) {
      await setTimeout(300);
      expect(await several.services[n]!.stop()).toMatchObject({ code: 0 });
      const before = answersOf(port);
      await several.start(n);
      await expect.poll(() => answersOf(port)).toBeGreaterThan(before + 10);
    }
    isOver = true;
    await Promise.all(work);
    expect(failed).toEqual([]);

    const found: string[] = [];
    for (let path = `/v1/objects?q=${MARK}&sort_by=created_at&page_size=200`; path; ) {
      const { json, headers } = await ask(path, { token });
      for (const { metadata_ } of json.items) found.push(metadata_.title[0].value);
      path = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1] ?? "";
    }
    expect(found.sort()).toEqual([...written.keys()].sort());
    expect(written.size).toBeGreaterThan(30);
  });
});
