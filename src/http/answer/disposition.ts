/** File names in headers (RFC 6266, RFC 8187). */
import { normalised } from "../../text.ts";

/** The name under which a browser saves a file; in ASCII, too, for old browsers. */
export function contentDisposition(kind: "inline" | "attachment", filename: string): string {
  const plain = normalised(filename, "NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^ -~]|["%\\]/gu, "_");
  const ascii = `${kind}; filename="${plain}"`;
  return plain === filename ? ascii : `${ascii}; filename*=UTF-8''${encoded(filename)}`;
}

/** RFC 8187 §3.2.1: of ASCII, only attr-chars stay unescaped. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The names of a form part and of its file in `Content-Disposition`; empty if missing. */
export function readDisposition(header: string): { name: string; filename: string } {
  const params = new Map<string, string>();
  const parameters = header.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g);
  for (const [, key, quoted, token] of parameters)
    params.set(key!.toLowerCase(), quoted?.replaceAll('\\"', '"') ?? token ?? "");
  const filename = extended(params.get("filename*") ?? "") ?? params.get("filename") ?? "";
  return { name: params.get("name") ?? "", filename };
}

/** Decodes a value such as `UTF-8''%C5%81` (RFC 8187); null if it is not valid. */
function extended(value: string): string | null {
  const [, encoded] = /^utf-8'[^']*'(.+)$/i.exec(value) ?? [];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
