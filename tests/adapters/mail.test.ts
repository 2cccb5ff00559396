/** Mail goes over TLS to the relay that the operator configured, or not at all. */
import { afterEach, describe, expect, it } from "vitest";
import { smtpMail } from "../../src/adapters/mail/smtp.ts";
import { inLong } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { makeAuthority, openRelay, type Relay } from "../support/servers/relay.ts";

const authority = makeAuthority();
if (!authority) notTried("mail over TLS: there is no openssl to make certificates with");

const LETTER = {
  to: "ida@museum.example",
  subject: "Opening hours",
  text: "From ten to six – Straße\n",
  html: "<p>From ten to six</p>\n",
};
const MODES = ["starttls", "implicit"] as const;

describe.runIf(authority)("mail", () => {
  const { ca, certify } = authority ?? { ca: "", certify: () => ({ key: "", cert: "" }) };
  const right = certify("localhost");
  let relay: Relay | undefined;
  afterEach(() => relay?.close());

  function mailTo(tls: "starttls" | "implicit", more: Record<string, unknown> = {}, trusted = [ca]) {
    const signed = { username: "museum", password: "a quiet depot" };
    const from = "Museum, The <post@museum.example>";
    return smtpMail({ host: "localhost", port: relay!.port, ...signed, from, tls, ...more }, trusted);
  }

  describe.each(MODES)("with TLS %s", (tls) => {
    it("is sent encrypted, from the configured sender, after signing in at the relay", async () => {
      relay = await openRelay({ tls, certificate: right });
      expect(await mailTo(tls).send(LETTER)).toBeNull();
      expect(relay.mails).toHaveLength(1);
      expect(relay.mails[0]).toMatchObject({
        from: "post@museum.example",
        to: ["ida@museum.example"],
        user: "museum",
        encrypted: true,
        client: "museum.example",
        html: LETTER.html,
      });
      const { headers, source } = relay.mails[0]!;
      expect(headers).toContain("Auto-Submitted: auto-generated");
      expect(headers).toContain('From: "Museum, The" <post@museum.example>');
      expect(headers).toContain("Subject: Opening hours");
      expect(source).toContain("=E2=80=93 Stra=C3=9Fe");
    });

    it("is sent without signing in when no user name is configured", async () => {
      relay = await openRelay({ tls, certificate: right });
      await mailTo(tls, { username: null, password: null, from: "post@museum.example" }).send(LETTER);
      expect(relay.mails).toMatchObject([{ user: null, from: "post@museum.example" }]);
    });

    inLong(it)(
      "is not sent to a relay with an untrusted certificate or a certificate for another host",
      async () => {
        relay = await openRelay({ tls, certificate: right });
        const { ca: another } = makeAuthority()!;
        await expect(mailTo(tls, {}, [another]).send(LETTER)).rejects.toThrow(/certificate/);
        const { port } = relay;
        const system = { host: "localhost", port, username: "museum", password: "a quiet depot" };
        await expect(smtpMail({ ...system, from: LETTER.to, tls }).send(LETTER)).rejects.toThrow(
          /certificate/,
        );
        await relay.close();
        const elsewhere = await openRelay({ tls, certificate: certify("relay.example.org") });
        relay = elsewhere;
        await expect(mailTo(tls).send(LETTER)).rejects.toThrow(/altnames/);
        expect([elsewhere.mails, elsewhere.credentials]).toEqual([[], []]);
      },
    );

    it("ignores NODE_TLS_REJECT_UNAUTHORIZED when a certificate is wrong", async () => {
      relay = await openRelay({ tls, certificate: certify("relay.example.org") });
      const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      try {
        await expect(mailTo(tls).send(LETTER)).rejects.toThrow(/altnames/);
      } finally {
        if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
        else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
      }
      expect(relay.mails).toEqual([]);
    });

    it("is given up when the relay refuses the address for good (550) and can be retried when it is busy (450)", async () => {
      relay = await openRelay({ tls, certificate: right, refuses: { to: LETTER.to, code: 550 } });
      expect(await mailTo(tls).send(LETTER)).toEqual({ refused: expect.stringContaining("No such mailbox") });
      await relay.close();
      relay = await openRelay({ tls, certificate: right, refuses: { to: LETTER.to, code: 450 } });
      await expect(mailTo(tls).send(LETTER)).rejects.toThrow("No such mailbox");
    });

    it("is kept when the relay rejects the password, because the operator can correct it", async () => {
      relay = await openRelay({ tls, certificate: right });
      await expect(mailTo(tls, { password: "wrong" }).send(LETTER)).rejects.toThrow("Who is this");
    });
  });

  it("sends neither the letter nor the password to a relay that offers no encryption", async () => {
    relay = await openRelay({ tls: "none" });
    await expect(mailTo("starttls").send(LETTER)).rejects.toThrow(/STARTTLS/);
    await expect(mailTo("implicit").send(LETTER)).rejects.toThrow();
    expect([relay.mails, relay.credentials]).toEqual([[], []]);
  });

  it.each([
    "ida@museum.example\r\nBcc: thief@example.org",
    "ida@museum.example, thief@example.org",
    "ida@museum.example>\r\nRCPT TO:<thief@example.org",
    "Ida <ida@museum.example>",
    "ida@museum.example\0",
    "friends: ida@museum.example;",
    "ida",
  ])("does not send to %j, which is not a single address", async (to) => {
    relay = await openRelay({ tls: "implicit", certificate: right });
    expect(await mailTo("implicit").send({ ...LETTER, to })).toEqual({
      refused: expect.stringContaining("address"),
    });
    expect(relay.mails).toEqual([]);
  });

  it("keeps the subject on one line, whatever it contains", async () => {
    relay = await openRelay({ tls: "implicit", certificate: right });
    await mailTo("implicit").send({ ...LETTER, subject: "Hours\r\nBcc: thief@example.org\r\n\r\nHello" });
    expect(relay.mails[0]!.to).toEqual([LETTER.to]);
    expect(relay.mails[0]!.headers).not.toMatch(/^Bcc:/im);
    expect(relay.mails[0]!.headers).toMatch(/^Subject: Hours/m);
  });
});
