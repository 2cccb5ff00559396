/** Adds media to objects of the demo museum: pictures (cli/demo/media), a film, a sound, a leaflet and a model. */
import { readFile } from "node:fs/promises";
import { OPERATOR } from "../../src/caller.ts";
import { newId } from "../../src/ids.ts";
import { takeIn } from "../../src/media/intake.ts";
import { saveUpload } from "../../src/media/upload.ts";
import type { Visibility } from "../../src/records/media/medium.ts";
import type { Entry } from "../../src/records/record.ts";
import type { Services } from "../../src/services.ts";
import { readDemo } from "./read.ts";

export type DemoMedium = {
  /** Key of the object. Its first medium represents it. */
  object: string;
  file: string;
  visibility?: Visibility;
  caption: Entry[];
  alt_text: Entry[];
};

const CC0 = "https://creativecommons.org/publicdomain/zero/1.0/";

/** Uses the same code as an upload. `ids`: object ids by key. `report` is called with the share done, from 0 to 1. */
export async function loadDemoMedia(
  services: Services,
  ids: ReadonlyMap<string, string>,
  report: (part: number) => void = () => undefined,
  read = readDemo,
): Promise<void> {
  const list = (await read("media")) as DemoMedium[];
  const changed = new Set<string>();
  const saving = { ...services, changed: async () => undefined };
  for (const [at, { object, file, ...fields }] of list.entries()) {
    report(at / list.length);
    const id = ids.get(object);
    if (!id) throw new Error(`The demo museum has no ${object}`);
    const intake = takeIn(services, newId(), services.config.mediaMaxBytes);
    await intake.take(await readFile(new URL(`media/${file}`, import.meta.url)));
    const change = { ...fields, license_uri: CC0 };
    await saveUpload(saving, OPERATOR, id, await intake.end(), { name: file, change });
    changed.add(id);
  }
  // each object is projected once, however many media it has
  await services.changed([...changed]);
}
