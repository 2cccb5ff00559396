/** Makes media files and uploads them. */
import sharp from "sharp";
import type { Ask } from "./museum.ts";

/** A picture of random noise: no two are the same. */
export async function jpeg(width: number, height: number): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, noise: { type: "gaussian", mean: 128, sigma: 40 } } as never,
  })
    .jpeg()
    .toBuffer();
}

/** A picture of one colour. */
export const plainPicture = async (): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
      .png()
      .toBuffer(),
  );

export function inForm(bytes: Uint8Array, filename: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), filename);
  return form;
}

export async function newObject(ask: Ask): Promise<string> {
  const made = await ask("/v1/objects", {
    json: { object_type: "photograph", metadata_: { title: [{ value: "With media" }] } },
  });
  return ((await made.json()) as { id: string }).id;
}

/** Sent as the body of the request; with fields, in a form. */
export async function send(
  ask: Ask,
  object: string,
  bytes: Uint8Array,
  filename: string,
  fields?: Record<string, string>,
): Promise<Response> {
  const path = `/v1/objects/${object}/media`;
  if (fields) return ask(path, { method: "POST", body: inForm(bytes, filename, fields) });
  return ask(path, {
    method: "POST",
    body: bytes as Uint8Array<ArrayBuffer>,
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    },
  });
}
