/** Operations on the configuration as a file. */
import { z } from "zod";
import { bodyText, readBytes } from "../http/request/body.ts";
import { applyConfiguration } from "../staff/configuration-apply.ts";
import { configurationIn, readConfiguration } from "../staff/configuration-file.ts";
import { Nothing, operation } from "./operation.ts";

/** Bytes of a file. */
const LARGEST = 256 * 1024 * 1024;

const Options = z.strictObject({ commit: z.boolean(), remove: z.boolean() });

export const configurationOperations = {
  "schema-export": operation(Nothing, ({ sql }) => readConfiguration(sql)),
  /** The content is the file; the result is the plan. */
  "schema-apply": operation(Options, async (services, options, { content }) => {
    const sent = { method: "POST", body: content, duplex: "half" } as RequestInit;
    const bytes = await readBytes(new Request("http://localhost", sent), LARGEST);
    return applyConfiguration(services, configurationIn(bodyText(bytes)), options);
  }),
};
