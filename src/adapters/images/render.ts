/** Makes one image as the request describes it, without the metadata of the original. */
import type { Sharp as Image } from "sharp";
import type { ImageOrder } from "../../services.ts";
import { engine, READING } from "./engine.ts";

/** Seconds. By then every client has given up. sharp checks this whenever a part of the image is finished. */
const LONGEST = 60;

export async function render(path: string, order: ImageOrder): Promise<Image> {
  const sharp = await engine();
  const { page, region, width, height, mirror, rotation, quality } = order;
  let image = sharp(path, { ...READING, page })
    .autoOrient()
    .timeout({ seconds: LONGEST });
  if (region) {
    image = image.extract({ left: region.x, top: region.y, width: region.width, height: region.height });
  }
  image = image.resize(width, height, { fit: "fill" }).flatten({ background: "#fff" });
  if (mirror) image = image.flop();
  if (rotation !== 0) image = image.rotate(rotation, { background: backgroundOf(order) });
  image = image.toColourspace("srgb");
  if (quality === "gray" || quality === "bitonal") image = image.greyscale().toColourspace("b-w");
  if (quality === "bitonal") image = image.threshold(128);
  return encoded(image, order.format);
}

/** Colour of the corners of a rotated picture. */
function backgroundOf({ format }: ImageOrder): string {
  return format === "jpg" ? "#ffffff" : "#ffffff00";
}

function encoded(image: Image, format: ImageOrder["format"]): Image {
  switch (format) {
    case "jpg":
      // optimised tables would need the whole picture in memory
      return image.jpeg({ quality: 85, optimizeCoding: false });
    case "png":
      return image.png();
    case "webp":
      return image.webp({ quality: 82 });
    case "tif":
      return image.tiff({ compression: "lzw" });
  }
}
