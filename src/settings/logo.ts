/** The museum's logo: a picture in MEDIA_ROOT of this machine, even if media are in a bucket (contract §8.6, rule 1). */
import { hex, sha256 } from "../bytes.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { ByteSource } from "../records/media/byte-source.ts";
import { privateParts } from "../records/media/private/parts.ts";
import { cover } from "../records/media/private/withheld.ts";
import { typeOf } from "../records/media/type.ts";
import type { Services } from "../services.ts";
import type { Logo } from "./settings.ts";

export const LARGEST_LOGO = 1024 * 1024;
const MOST_PIXELS = 4_000_000;
const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
};
export const LOGO_TYPES = Object.values(TYPES);
const WANTED = said("problem.logo.type");
const UNREADABLE = said("problem.logo.unreadable");

export const keyOfLogo = (file: string): string => `logos/${file}`;

type Place = Pick<Services, "localFiles" | "images">;

/** Stores the file without what cameras and programs wrote into it; 415 if it cannot be a logo, and then no file is left. */
export async function takeLogo(place: Place, sent: Uint8Array): Promise<Logo> {
  const { localFiles, images } = place;
  const bytes = await withoutPrivateParts(sent);
  if (/<svg[\s>]/i.test(new TextDecoder().decode(bytes.subarray(0, 1024)))) {
    throw new Problem("unsupported_type", said("problem.logo.svg"));
  }
  const file = await nameOf(bytes);
  const key = keyOfLogo(file);
  await localFiles.put(key, new Blob([bytes as Uint8Array<ArrayBuffer>]).stream());
  const facts = await images.describe(key);
  const refused =
    "refused" in facts
      ? facts.unreadable
        ? UNREADABLE
        : facts.refused
      : TYPES[facts.format] === undefined || facts.animated
        ? WANTED
        : facts.width * facts.height > MOST_PIXELS
          ? said("problem.logo.too_large")
          : null;
  if (refused !== null || "refused" in facts) {
    await localFiles.remove(key);
    throw new Problem("unsupported_type", refused ?? WANTED);
  }
  return { file, type: TYPES[facts.format]!, width: facts.width, height: facts.height };
}

async function withoutPrivateParts(bytes: Uint8Array): Promise<Uint8Array> {
  const type = typeOf(bytes);
  if (type === null) return bytes;
  const source: ByteSource = {
    bytes: bytes.length,
    read: async (at, length) => bytes.subarray(at, at + length),
    stream: async (at) => new Blob([bytes.slice(at)]).stream(),
  };
  try {
    return cover(bytes, 0, await privateParts(type.mime, source));
  } catch (cause) {
    if (cause instanceof RangeError) throw new Problem("unsupported_type", UNREADABLE, { cause });
    throw cause;
  }
}

async function nameOf(bytes: Uint8Array): Promise<string> {
  return hex((await sha256(bytes as Uint8Array<ArrayBuffer>)).subarray(0, 12));
}
