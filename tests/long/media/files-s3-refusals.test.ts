/** What real object stores refuse, and how the operator learns why: keys, permissions, names and certificates. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteBucketPolicyCommand, PutBucketPolicyCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partners } from "../../../cli/doctor/partners.ts";
import { s3Files } from "../../../src/adapters/files/s3.ts";
import type { S3 } from "../../../src/adapters/files/s3-client.ts";
import { readConfig } from "../../../src/config/read.ts";
import { createLog } from "../../../src/log.ts";
import { say } from "../../../src/messages/said.ts";
import { ENGLISH } from "../../../src/messages/translate.ts";
import { bytesOf, numbered, streamOf } from "../../ports/files.ts";
import { DOMAIN, here, openTlsFront } from "../../servers/object-store.ts";
import { objectStores } from "../../servers/object-stores.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { problemOf } from "../../support/problem-of.ts";
import { makeAuthority } from "../../support/servers/relay.ts";

/** More than two parts of an upload. */
const LARGE = 20_000_003;

/** Not the name of a bucket. */
const HOST = "objects.test.internal";

const authority = makeAuthority();
if (!authority) notTried("an object store over TLS (needs openssl)");

for (const { name, isHere, open } of objectStores()) {
  describe.runIf(isHere)(name, () => {
    let store: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store?.close());

    /** All uses of the bucket, and what they need permission for. */
    const uses = (bucket: S3): [permission: string, use: () => Promise<unknown>][] => {
      const files = s3Files(bucket);
      return [
        ["put", () => files.put("a/b", streamOf(numbered(3)))],
        ["put", () => files.put("a/b", streamOf(numbered(LARGE)))],
        ["get", () => files.get("a/b")],
        ["get", () => files.get("a/b", { first: 0, last: 1 })],
        ["list", () => first(files.list(""))],
        ["delete", () => files.remove("a/b")],
      ];
    };
    /** What the doctor says. */
    const examined = async (bucket: S3): Promise<string> => {
      const read = readConfig({
        STORAGE_BACKEND: "s3",
        S3_ENDPOINT_URL: bucket.endpointUrl!,
        S3_BUCKET: bucket.bucket,
        S3_ACCESS_KEY: bucket.accessKey,
        S3_SECRET_KEY: bucket.secretKey,
      });
      if (!read.ok) throw new Error(JSON.stringify(read.faults));
      const silent = createLog({ level: "error", format: "json", write: () => undefined });
      const findings = await partners(read.config, silent);
      return findings
        .map(({ state, says, mend = "" }) => `${state}: ${say(ENGLISH, says)}; ${say(ENGLISH, mend)}`)
        .join("\n");
    };
    /** Neither the operator's log nor the caller's answer contains keys; the answer does not tell where the store is. */
    const expectNoSecrets = (bucket: S3, problem: Error) => {
      for (const secret of [bucket.accessKey, bucket.secretKey]) {
        expect((problem.cause as Error).message).not.toContain(secret);
        expect(JSON.stringify(problem.cause)).not.toContain(secret);
      }
      expect(problem.message).not.toMatch(/127\.0\.0\.1|museum-media|test/);
    };

    it.each([
      [
        "the wrong secret",
        { secretKey: "guessed" },
        "REFUSES_KEYS",
        /S3_ACCESS_KEY, S3_SECRET_KEY: .* refuses them for the bucket museum-media \((?!Unknown)/,
      ],
      [
        "an unknown key",
        { accessKey: "test:nobody" },
        "REFUSES_KEYS",
        /S3_ACCESS_KEY, S3_SECRET_KEY: .* refuses them for the bucket museum-media \((?!Unknown)/,
      ],
      ["no such bucket", { bucket: "elsewhere" }, "NO_BUCKET", /has no bucket elsewhere/],
      [
        "nobody there",
        { endpointUrl: "http://127.0.0.1:1" },
        "ECONNREFUSED",
        /127\.0\.0\.1:1 cannot be reached/,
      ],
      [
        "no such host",
        { endpointUrl: "http://store.invalid" },
        // a resolver that never answers is a time-out
        expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/),
        /store\.invalid cannot be reached/,
      ],
    ])("reports %s", async (_what, change, code, says) => {
      const wrong = { ...store.bucket, ...change };
      const all = [...uses(wrong).map(([, use]) => use()), s3Files(wrong).ping()];
      // the answer to HEAD does not tell a missing bucket from a missing file
      if (code !== "NO_BUCKET") all.push(s3Files(wrong).stat("a/b"));
      for (const problem of await Promise.all(all.map(problemOf))) {
        expect(problem).toMatchObject({ status: 503, cause: { code } });
        expect((problem.cause as Error).message).toMatch(says);
        expectNoSecrets(wrong, problem);
      }
      const said = await examined(wrong);
      expect(said).toMatch(says);
      expect(said).toMatch(/^fault: /);
      for (const secret of [wrong.accessKey, wrong.secretKey]) expect(said).not.toContain(secret);
    });

    it("reports nothing if all is well", async () => {
      await s3Files(store.bucket).ping();
      expect(await examined(store.bucket)).toContain("ok: the bucket museum-media stores, returns and lists");
    });

    // Swift knows no policies of buckets
    if (name === "SeaweedFS")
      it.each([
        ["put", ["s3:PutObject", "s3:DeleteObject"]],
        ["get", ["s3:GetObject"]],
        ["list", ["s3:ListBucket"]],
        ["delete", ["s3:DeleteObject"]],
      ])("reports that its keys lack the permission to %s", async (permission, denied) => {
        const { bucket } = store.bucket;
        const statement = {
          Effect: "Deny",
          Principal: "*",
          Action: denied,
          Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
        };
        const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
        await store.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
        const says = `does not permit them to ${permission} in the bucket museum-media (AccessDenied)`;
        try {
          for (const [needed, use] of uses(store.bucket)) {
            if (needed !== permission) continue;
            const problem = await problemOf(use());
            expect(problem).toMatchObject({ status: 503, cause: { code: "REFUSES_KEYS" } });
            expect((problem.cause as Error).message).toContain(says);
            expectNoSecrets(store.bucket, problem);
          }
          expect(await examined(store.bucket)).toContain(says);
        } finally {
          await store.client.send(new DeleteBucketPolicyCommand({ Bucket: bucket }));
        }
        const left = [];
        for await (const { key } of s3Files(store.bucket).list("probes/")) left.push(key);
        expect(left).toHaveLength(permission === "delete" ? 1 : 0);
      });

    describe.runIf(authority)("with a certificate of a private authority", () => {
      let fronts: { port: number; close(): void }[];
      const folder = mkdtempSync(join(tmpdir(), "svc-ca-"));
      const caBundle = join(folder, "ca.pem");
      beforeAll(async () => {
        writeFileSync(caBundle, authority!.ca);
        const before = (host: string) => openTlsFront(store.bucket.endpointUrl!, authority!.certify(host));
        fronts = [await before(HOST), await before(`*.${DOMAIN}`)];
      });
      afterAll(() => {
        for (const front of fronts ?? []) front.close();
        rmSync(folder, { recursive: true });
      });
      const opened = (host: string, change: Partial<S3> = {}) => {
        const { port } = fronts[host === DOMAIN ? 1 : 0]!;
        const bucket = { ...store.bucket, endpointUrl: `https://${host}:${port}`, ...change };
        return s3Files(bucket, { lookup: here });
      };

      it("is trusted because of the bundle, and only then", async () => {
        const trusting = opened(HOST, { caBundle });
        await trusting.put("tls/a.jpg", streamOf(numbered(LARGE)));
        expect((await trusting.stat("tls/a.jpg"))!.bytes).toBe(LARGE);
        const problem = await problemOf(opened(HOST).stat("tls/a.jpg"));
        expect(problem).toMatchObject({ status: 503, cause: { code: "NOT_TRUSTED" } });
        expect((problem.cause as Error).message).toContain("S3_CA_BUNDLE names a private CA");
        const elsewhere = await problemOf(opened("store.example.org", { caBundle }).stat("tls/a.jpg"));
        expect(elsewhere).toMatchObject({ cause: { code: "NOT_TRUSTED" } });
      });

      it("is trusted without a check if S3_VERIFY_TLS is false", async () => {
        const blind = opened(HOST, { verifyTls: false });
        expect((await blind.stat("tls/a.jpg"))!.bytes).toBe(LARGE);
      });

      it("gets the name of the bucket in the host if S3_FORCE_PATH_STYLE is false", async () => {
        const named = opened(DOMAIN, { caBundle, forcePathStyle: false });
        await named.put("host/b.jpg", streamOf(numbered(LARGE)));
        const kept = (await opened(HOST, { caBundle }).get("host/b.jpg", { first: 3, last: 7 }))!;
        expect(await bytesOf(kept.content)).toEqual(numbered(8).slice(3));
      });

      it("is refused if the bundle does not exist", () => {
        expect(() => opened(DOMAIN, { caBundle: "/nowhere/ca.pem" })).toThrow(/S3_CA_BUNDLE cannot be read/);
      });
    });
  });
}

async function first(list: AsyncIterable<unknown>): Promise<unknown> {
  for await (const each of list) return each;
}
