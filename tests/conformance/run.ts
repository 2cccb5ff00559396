/**
 * `npm run conformance`: checks the running service, with the demo museum, against the schemas of standards. We may
 * not ship these: they are read from CONFORMANCE_SCHEMAS, by default beside the checkout. Prints what was checked and
 * what could not be; ends with 1 when something does not conform.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { runtimeName } from "../../src/runtimes/serve.ts";
import { type Ask, started } from "../runtimes/started.ts";
import { findPackage, packageMissing, SCHEMATHESIS } from "../servers/packages.ts";
import { Findings } from "./findings.ts";
import { fuzz } from "./fuzz.ts";
import { checkIiif } from "./iiif.ts";
import { checkOntology } from "./ontology.ts";
import { checkOpenApi } from "./openapi.ts";

const { CONFORMANCE_SCHEMAS } = process.env;
const schemas = CONFORMANCE_SCHEMAS
  ? pathToFileURL(`${CONFORMANCE_SCHEMAS}/`)
  : new URL("../../../shared/schemas/", import.meta.url);

const findings = new Findings();
const home = await mkdtemp(join(tmpdir(), "svc-conformance-"));
// the demo museum deletes its own data
const demo = [process.execPath, "cli/svc-manage.mjs", "demo"];
const service = await started(demo, { TMPDIR: home }, runtimeName());
try {
  // the demo museum has the usual limits
  const ask: Ask = async (path, options) => {
    for (;;) {
      const answer = await service.ask(path, options);
      if (answer.status !== 429) return answer;
      await setTimeout(Number(answer.headers.get("Retry-After")) * 1_000);
    }
  };
  const [, email, password] = /sign in +(\S+) \/ (\S+)/.exec(await service.said(/sign in/)) ?? [];
  const { json: login } = await ask("/v1/auth/login", { json: { email, password } });
  const asStaff: Ask = (path, options) => ask(path, { token: login.access_token, ...options });
  await checkOpenApi(ask, asStaff, schemas, findings);
  await checkIiif(ask, schemas, findings);
  checkOntology(schemas, findings);
} finally {
  await service.stop();
  await rm(home, { recursive: true, force: true });
}
const schemathesis = findPackage(SCHEMATHESIS);
if (schemathesis === null) findings.notChecked("answers to made-up requests", packageMissing(SCHEMATHESIS));
else {
  for await (const { who, cases, faults } of fuzz(schemathesis, 75, "examples,coverage,fuzzing,stateful"))
    findings.judged(`answers to ${cases} made-up requests of a ${who}`, faults);
}
process.exitCode = findings.failed ? 1 : 0;
