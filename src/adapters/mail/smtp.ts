/** Mail through an external relay (contract §8.3): always over TLS, with its certificate verified. */
import { createTransport } from "nodemailer";
import type { Config } from "../../config/read.ts";
import type { Mail } from "../../services.ts";

/** Milliseconds that the relay may take for an answer. */
const PATIENCE = 10_000;
/** Milliseconds for a whole mail, even if the relay answers slowly; shorter than the lease of the queue. */
const LONGEST = 45_000;

/** Exactly one address: no list, no name, no line break. */
const ONE_ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u;

type Relay = NonNullable<Config["smtp"]>;

/**
 * Opens one connection for each mail. With `starttls`, a relay without STARTTLS gets neither name nor password.
 *
 * @param authorities PEM certificates to trust instead of those of the system, for tests. Installations with their own
 *   certificate authority set NODE_EXTRA_CA_CERTS.
 */
export function smtpMail(relay: Relay, authorities?: readonly string[]): Mail {
  const from = senderOf(relay.from);
  const transport = transportTo(relay, authorities);
  return {
    async send({ to, subject, text, html }) {
      if (!ONE_ADDRESS.test(to)) return { refused: "mail cannot be sent to the address of the account" };
      try {
        await transport.sendMail({
          from,
          // an object, because a text would be parsed as a list of addresses
          to: { name: "", address: to },
          envelope: { from: from.address, to: [to] },
          subject,
          text,
          html,
          // RFC 3834: prevents out-of-office replies
          headers: { "Auto-Submitted": "auto-generated" },
          signal: AbortSignal.timeout(LONGEST),
        });
        return null;
      } catch (error) {
        const reason = refusal(error);
        if (reason === null) throw error;
        return { refused: reason };
      }
    },
  };
}

/** Connects to the relay and signs in without sending anything; throws with the reason if that fails. */
export async function checkRelay(relay: Relay): Promise<void> {
  const transport = transportTo(relay);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function transportTo(relay: Relay, authorities?: readonly string[]) {
  const { host, port, tls, username, password } = relay;
  const { address } = senderOf(relay.from);
  // as a URL, which converts letters beyond ASCII
  const domain = `http://${address.slice(address.lastIndexOf("@") + 1)}`;
  return createTransport({
    // the name of a container means nothing to a relay, and some relays refuse [127.0.0.1]
    ...(URL.canParse(domain) ? { name: new URL(domain).hostname } : {}),
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    tls: {
      // explicit, so that no environment variable of the runtime can switch it off
      rejectUnauthorized: true,
      minVersion: "TLSv1.2",
      ...(authorities ? { ca: [...authorities] } : {}),
    },
    ...(username === null ? {} : { auth: { user: username, pass: password ?? "" } }),
    dnsTimeout: PATIENCE,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE * 2,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** `The Museum <museum@example.org>` or the address alone, as `SMTP_FROM` may be written. */
function senderOf(text: string): { name: string; address: string } {
  const [, name = "", address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address: address.trim() };
}

/** The relay's words if it will never accept this mail (RFC 5321 §4.2.1: 5yz to the recipient or the content). */
function refusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, command, responseCode } = error as Error & {
    code?: string;
    command?: string;
    responseCode?: number;
  };
  // a refused password or sender is a fault of the installation, so the mail is tried again later
  const ofThisMail = (code === "EENVELOPE" && command === "RCPT TO") || code === "EMESSAGE";
  return ofThisMail && responseCode !== undefined && responseCode >= 500 ? error.message : null;
}
