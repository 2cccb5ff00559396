/** The files behind pages where there is no disk: the build has put them beside the program, under their names here. */
import type { Assets } from "../../services.ts";

/** What a Worker is given to read its static assets with. */
export type AssetBinding = { fetch(address: string): Promise<Response> };

export function boundAssets(binding: AssetBinding): Assets {
  return {
    async read(name) {
      const answer = await binding.fetch(`http://assets/${name}`);
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
      await answer.body?.cancel();
      if (answer.status === 404) return null;
      throw new Error(`The file ${name} cannot be read: ${answer.status}`);
    },
  };
}
