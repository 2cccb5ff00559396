/** Static files for pages in a Worker, which has no disk: the build has deployed them beside the program. */
import type { Assets } from "../../services.ts";

/** Through this a Worker reads its static files. */
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
