/** nginx for a test, with the configuration of docs/deployment.md, as `http` of Debian's nginx.conf would include it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../runtimes/started.ts";
import { begin } from "../support/programs/processes.ts";
import { makeAuthority } from "../support/servers/relay.ts";
import { ROOT } from "../support/sources.ts";

/** For the list of skipped tests. */
export const NGINX_MISSING = "nginx (apt-get install nginx-light) and openssl";
/** The host name in the configuration. */
export const HOST = "catalogue.example.org";

/** Directories that nginx would use for bodies and answers that it buffers. */
const BUFFERS = ["client_body", "proxy"] as const;

export type Nginx = {
  /** Of its TLS listener on 127.0.0.1. */
  port: number;
  host: string;
  /** The authority that its certificate is from. */
  ca: string;
  /** How many answers of the service at this port it has passed on. */
  answersOf(service: string): number;
  /** Files in which it keeps parts of requests and answers. */
  buffered(): string[];
  /** Its processes. */
  pids(): number[];
  close(): Promise<void>;
};

export function isNginxHere(): boolean {
  try {
    for (const [program, flag] of [["nginx", "-v"] as const, ["openssl", "version"] as const])
      execFileSync(program, [flag], { stdio: "ignore", env: PATHS });
    return true;
  } catch {
    return false;
  }
}

/** Debian has it where only root looks. */
const PATHS = { PATH: `${process.env.PATH}:/usr/sbin` };

/** In front of the services at these ports: one with the first `upstream` of the page, several with the second. */
export async function openNginx(services: readonly string[]): Promise<Nginx> {
  const directory = mkdtempSync(join(tmpdir(), "svc-nginx-"));
  const at = (name: string) => join(directory, name);
  const port = await freePort();
  const { ca, certify } = makeAuthority()!;
  const { cert, key } = certify(HOST);
  writeFileSync(at("catalogue.pem"), cert);
  writeFileSync(at("catalogue.key"), key);
  writeFileSync(at("catalogue.conf"), siteOf(services, directory, port));
  writeFileSync(at("nginx.conf"), frame(directory));
  const server = begin(["nginx", "-p", directory, "-c", at("nginx.conf")], PATHS, directory);
  await server.said(/start worker process \d+/);
  return {
    port: Number(port),
    host: HOST,
    ca,
    answersOf: (service) =>
      readFileSync(at("access.log"), "utf8")
        .split("\n")
        .filter((tried) => tried.endsWith(`:${service}`)).length,
    buffered: () =>
      BUFFERS.flatMap((name) =>
        readdirSync(at(name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
      ).map(({ name }) => name),
    pids: () => [
      server.child.pid!,
      ...server.lines.flatMap((line) => /start worker process (\d+)$/.exec(line)?.[1] ?? []).map(Number),
    ],
    async close() {
      await server.kill("SIGTERM");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The blocks of the page; only what cannot be the same on a machine of tests is replaced. */
function siteOf(services: readonly string[], directory: string, port: string): string {
  const page = readFileSync(`${ROOT}docs/deployment.md`, "utf8");
  const blocks = [...page.matchAll(/^```nginx\n(.*?)^```$/gms)].map(([, text]) => text!);
  if (blocks.length !== 2) throw new Error(`docs/deployment.md has ${blocks.length} blocks for nginx, not 2`);
  const [one, several] = blocks as [string, string];
  const address = /\b[\d.]+:8000\b/;
  let site = one;
  const put = (found: RegExp, instead: (line: string) => string): void => {
    if (!found.test(site)) throw new Error(`docs/deployment.md: no ${found} in\n${site}`);
    site = site.replace(found, instead);
  };
  if (services.length > 1) {
    put(/^upstream catalogue \{\n.*?^\}\n/ms, () => several);
    put(/^ {2}server 10\.0\.0\.2:8000\b.*\n/m, () => "");
  }
  put(/^ {2}server [\d.]+:8000\b.*\n/m, (line) =>
    services.map((service) => line.replace(address, `127.0.0.1:${service}`)).join(""),
  );
  put(/\blisten 443 ssl;/, () => `listen 127.0.0.1:${port} ssl;`);
  put(/\/etc\/ssl\/catalogue\.pem;/, () => `${directory}/catalogue.pem;`);
  put(/\/etc\/ssl\/catalogue\.key;/, () => `${directory}/catalogue.key;`);
  return site;
}

/** What Debian's nginx.conf sets, with places of its own. */
function frame(directory: string): string {
  return `
daemon off;
user root;
worker_processes auto;
pid ${directory}/pid;
error_log stderr notice;
events {
  worker_connections 768;
}
http {
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  default_type application/octet-stream;
  ssl_protocols TLSv1.2 TLSv1.3;
  log_format tried $upstream_addr;
  access_log ${directory}/access.log tried;
  gzip on;
  client_body_temp_path ${directory}/client_body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  include ${directory}/catalogue.conf;
}
`;
}
