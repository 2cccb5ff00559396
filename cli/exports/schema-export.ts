/** svc-manage schema-export: prints the configuration as JSON. */
import { defineCommand } from "citty";
import { knock, withDoor } from "../catalogue/door.ts";
import { meta } from "../terminal/options.ts";

export const schemaExport = defineCommand({
  meta: meta("schema-export", "cli.help.schema_export.about"),
  async run() {
    const configuration = await withDoor(knock(), (door) => door.call("schema-export", {}));
    console.log(JSON.stringify(configuration, null, 2));
  },
});
