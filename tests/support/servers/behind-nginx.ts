/** A service behind nginx as docs/deployment.md describes it, with an administrator signed in. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runtimeOfTests } from "../../runtimes/runtimes.ts";
import { freePort, type Json, type Settings, type Started, serve } from "../../runtimes/started.ts";
import { HOST, isNginxHere, NGINX_MISSING, type Nginx, openNginx } from "../../servers/nginx.ts";
import { notTried } from "../lane/skipped.ts";
import { quickest } from "../museum/museum.ts";
import { openOffice } from "../programs/command.ts";
import { type Visitor, visitor } from "./tls-visitor.ts";

const PASSWORD = "a lantern on the third pier";

export type BehindNginx = {
  /** Replaced when it is started again. */
  service: Started;
  port: string;
  /** Starts it with these settings in addition. */
  start(more?: Settings): Promise<void>;
  nginx: Nginx;
  /** Somebody at this address. */
  at(address: string): Visitor;
  /** Asks with the permissions of the administrator. */
  staff: Visitor["ask"];
  token: string;
  login: { email: string; password: string };
  newObject(): Promise<string>;
  close(): Promise<void>;
};

/** Whether this machine has what it needs; if not, that is listed at the end of the run. */
export function canBeBehindNginx(): boolean {
  const isHere = isNginxHere();
  if (!isHere) notTried(NGINX_MISSING);
  return isHere;
}

export async function openBehindNginx(settings: Settings = {}): Promise<BehindNginx> {
  const office = await openOffice(quickest);
  const port = await freePort();
  const all: Settings = {
    ...office.settings,
    // the variables that docs/deployment.md names
    SVC_BASE_URL: `https://${HOST}`,
    SECRET_KEY: "9d2f61c08b7e4a35f1d06c9be874a3520b7f9e1c6d28a4f3",
    OAI_ADMIN_EMAIL: "collections@example.org",
    TRUSTED_PROXIES: "127.0.0.1,172.16.0.0/12",
    PORT: port,
    ...settings,
  };
  const [, runtime] = runtimeOfTests();
  const nginx = await openNginx([port]);
  const visitors: Visitor[] = [];
  const at = (address: string) => {
    const made = visitor({ ...nginx, from: address });
    visitors.push(made);
    return made;
  };
  const { ask } = at("127.0.0.1");
  const signIn = async ({ email }: BehindNginx["login"]) => {
    const credentials = await readFile(join(all.SVC_DATA_DIR!, "first-run-credentials.txt"), "utf8");
    const password = /^password: (.+)$/m.exec(credentials)![1]!;
    const entered = await ask("/v1/auth/login", { json: { email, password } });
    const json = { current_password: password, new_password: PASSWORD };
    const chosen = await ask("/v1/auth/password", { token: entered.json.access_token, json });
    return chosen.json.access_token as string;
  };
  const behind: BehindNginx = {
    service: await serve(runtime, all),
    port,
    nginx,
    at,
    token: "",
    login: { email: `admin@${HOST}`, password: PASSWORD },
    staff: (path, sent) => ask(path, { token: behind.token, ...sent }),
    async start(more = {}) {
      behind.service = await serve(runtime, { ...all, ...more });
    },
    async newObject() {
      const json: Json = {
        object_type: "print",
        status: "public",
        metadata_: { title: [{ value: "Ferry" }] },
      };
      return (await behind.staff("/v1/objects", { json })).json.id;
    },
    async close() {
      for (const each of visitors) each.leave();
      await nginx.close();
      await behind.service.kill("SIGKILL");
      await office.close();
    },
  };
  behind.token = await signIn(behind.login);
  return behind;
}
