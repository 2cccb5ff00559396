/** svc-manage schema-export: the configuration as a JSON file. */
import { defineCommand } from "citty";
import { readConfiguration } from "../src/staff/configuration-file.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { help } from "./words.ts";

export const schemaExport = defineCommand({
  meta: {
    name: "schema-export",
    description: help("cli.help.schema_export.about"),
  },
  async run() {
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      console.log(JSON.stringify(await readConfiguration(services.sql), null, 2));
      return 0;
    } finally {
      await close();
    }
  },
});
