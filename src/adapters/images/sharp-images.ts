/** The built-in image server: sharp, on files of this machine. */
import type { Images } from "../../services.ts";
import { describe } from "./describe.ts";
import { engine } from "./engine.ts";
import { mediaDirectory } from "./media-root.ts";

export type SharpImages = {
  mediaRoot: string;
  maxPixels: number;
  /** Where the file with this key can be read on this machine. */
  localPath(key: string): Promise<string>;
};

export function sharpImages({ mediaRoot, maxPixels, localPath }: SharpImages): Images {
  const directory = mediaDirectory(mediaRoot);
  return {
    describe: async (key) => describe(await localPath(key), maxPixels),
    async ping() {
      await directory.ping();
      const sharp = await engine();
      await sharp({ create: { width: 1, height: 1, channels: 3, background: "white" } })
        .jpeg()
        .toBuffer();
    },
  };
}
