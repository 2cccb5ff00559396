/** A real SMTP server in this process that collects the mails it gets. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";

export type ReceivedMail = {
  /** `from` and `to` are those of the envelope. */
  from: string;
  to: string[];
  /** The user who signed in; null when nobody did. */
  user: string | null;
  encrypted: boolean;
  /** The name that the client gave. */
  client: string;
  /** The raw message. */
  source: string;
  headers: string;
  text: string;
  html: string;
};

export type Relay = {
  port: number;
  mails: ReceivedMail[];
  /** User names and passwords that were sent, over any connection. */
  credentials: string[];
  close(): Promise<void>;
};

export type Certificate = { key: string; cert: string };
export type Authority = { ca: string; certify(host: string): Certificate };

/** A certificate authority made with this machine's openssl; null when there is none. */
export function makeAuthority(): Authority | null {
  const folder = mkdtempSync(join(tmpdir(), "svc-authority-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  try {
    openssl("version");
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const ca = ["-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Authority of a test", "-days", "2"];
  openssl("req", "-x509", ...key, ...ca);
  return {
    ca: read("ca.pem"),
    certify(host) {
      openssl("req", ...key, "-keyout", "own.key", "-out", "own.csr", "-subj", `/CN=${host}`);
      writeFileSync(join(folder, "own.ext"), `subjectAltName=DNS:${host}\n`);
      const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"];
      openssl("x509", "-req", "-in", "own.csr", ...by, "-extfile", "own.ext", "-out", "own.pem");
      return { key: read("own.key"), cert: read("own.pem") };
    },
  };
}

/**
 * `tls`: with "none", the relay offers no encryption but would accept a name and a password. `refuses`: the code with
 * which it refuses this recipient.
 */
export async function openRelay(options: {
  tls: "starttls" | "implicit" | "none";
  certificate?: Certificate;
  port?: number;
  refuses?: { to: string; code: number };
}): Promise<Relay> {
  const { tls, certificate, refuses } = options;
  const mails: ReceivedMail[] = [];
  const credentials: string[] = [];
  const server = new SMTPServer({
    ...certificate,
    secure: tls === "implicit",
    disabledCommands: tls === "none" ? ["STARTTLS"] : [],
    allowInsecureAuth: true,
    authOptional: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, answer) {
      credentials.push(`${username}:${password}`);
      if (password === "wrong") answer(new Error("Who is this"));
      else answer(null, { user: username });
    },
    onRcptTo({ address }, _session, answer) {
      if (address !== refuses?.to) return answer();
      answer(Object.assign(new Error("No such mailbox"), { responseCode: refuses.code }));
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const source = Buffer.concat(chunks).toString("utf8");
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          user: (session.user as string | false) || null,
          encrypted: session.secure,
          client: session.hostNameAppearsAs || "",
          source,
          headers: source.slice(0, source.indexOf("\r\n\r\n")),
          text: partOf(source, "text/plain"),
          html: partOf(source, "text/html"),
        });
        answer();
      });
    },
  });
  // some tests are about clients that reject the certificate
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    credentials,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The text of one part of a multipart mail, decoded. */
function partOf(source: string, type: string): string {
  const boundary = /boundary="?([^"\r\n;]+)"?/.exec(source)?.[1];
  const part = source.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`)) ?? "";
  const start = part.indexOf("\r\n\r\n") + 4;
  const body = part.slice(start).replace(/\r\n$/, "").replaceAll("\r\n", "\n");
  if (!/quoted-printable/i.test(part.slice(0, start))) return body;
  return body
    .replaceAll("=\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
