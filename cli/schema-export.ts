/** svc-manage schema-export: the configuration as a JSON file. */
import { defineCommand } from "citty";
import { readConfiguration } from "../src/staff/configuration-file.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";

export const schemaExport = defineCommand({
  meta: {
    name: "schema-export",
    description: `Write the configuration as JSON to standard output

Contains fields, subtypes, vocabularies with their terms, relation types, roles and settings, always in the same order,
so that two files can be compared. svc-manage schema-apply makes another installation the same. Accounts, keys,
records, the logo and the highlights of the first page are not included.`,
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
