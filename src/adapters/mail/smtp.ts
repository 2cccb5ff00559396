/** Mail through an external relay (contract §8.3): always over TLS, with its certificate verified. */
import { createTransport } from "nodemailer";
import type { Config } from "../../config/read.ts";
import type { Mail } from "../../services.ts";

/** Milliseconds without an answer of the relay. */
const PATIENCE = 10_000;
/** Milliseconds for a whole mail, also with a relay that answers drop by drop; shorter than the queue's lease. */
const LONGEST = 45_000;

/** An address and nothing beside it: no second one, no name, no line of a header. */
const ONE_ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u;

type Relay = NonNullable<Config["smtp"]>;

/**
 * One connection a mail. With `starttls` a relay that does not offer it is left before it hears a name or a password.
 *
 * @param authorities PEM certificates that are trusted instead of those of the system. Installations with a certificate
 * authority of their own use their runtime's setting, NODE_EXTRA_CA_CERTS.
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
          // as an object: a text would be read as a list of addresses
          to: { name: "", address: to },
          envelope: { from: from.address, to: [to] },
          subject,
          text,
          html,
          // RFC 3834: no out-of-office note comes back
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

/** Greets the relay over TLS and signs in, and sends nothing; throws with the reason when that fails. */
export async function checkRelay(relay: Relay, authorities?: readonly string[]): Promise<void> {
  const transport = transportTo(relay, authorities);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function transportTo(relay: Relay, authorities?: readonly string[]) {
  const { host, port, tls, username, password } = relay;
  const { address } = senderOf(relay.from);
  // as an address, for what it does to letters beyond ASCII
  const domain = `http://${address.slice(address.lastIndexOf("@") + 1)}`;
  return createTransport({
    // a container's own name says nothing, and some relays send away who calls himself [127.0.0.1]
    ...(URL.canParse(domain) ? { name: new URL(domain).hostname } : {}),
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    tls: {
      // said here, so that no variable of the runtime can switch it off
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

/** What the relay said when it will never take this mail (RFC 5321 §4.2.1: 5yz to the recipient or to the content). */
function refusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, command, responseCode } = error as Error & {
    code?: string;
    command?: string;
    responseCode?: number;
  };
  // a name or password that is not taken, or a sender, is the installation's fault and can be put right
  const ofThisMail = (code === "EENVELOPE" && command === "RCPT TO") || code === "EMESSAGE";
  return ofThisMail && responseCode !== undefined && responseCode >= 500 ? error.message : null;
}
