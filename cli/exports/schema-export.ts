/** svc-manage schema-export: the configuration as a JSON file. */
import { defineCommand } from "citty";
import { knock } from "../catalogue/door.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { help } from "../terminal/words.ts";

export const schemaExport = defineCommand({
  meta: {
    name: "schema-export",
    description: help("cli.help.schema_export.about"),
  },
  async run() {
    const door = await knock(openCommandConfig());
    try {
      console.log(JSON.stringify(await door.call("schema-export", {}), null, 2));
      return 0;
    } finally {
      await door.close();
    }
  },
});
