/** Addresses and networks (RFC 4632, RFC 4291) as bytes, so that IPv4 and IPv6 are compared alike. */
import { hex } from "../bytes.ts";

/** `bytes` has 4 members for IPv4 and 16 for IPv6. Bits after the prefix are zero. */
export type Network = { readonly bytes: readonly number[]; readonly prefix: number };

function parseIpv4(text: string): number[] | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function parseGroups(text: string): number[] | null {
  if (text === "") return [];
  const bytes: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes(".")) {
      const tail = parseIpv4(part);
      if (!tail) return null;
      bytes.push(...tail);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return null;
      const group = Number.parseInt(part, 16);
      bytes.push(group >> 8, group & 255);
    }
  }
  return bytes;
}

function parseIpv6(text: string): number[] | null {
  const halves = text.split("::");
  const head = parseGroups(halves[0] ?? "");
  if (!head || text === "" || halves.length > 2) return null;
  if (halves.length === 1) return head.length === 16 ? head : null;
  if (halves[0]?.includes(".")) return null;
  const tail = parseGroups(halves[1] ?? "");
  if (!tail || head.length + tail.length > 14) return null;
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

/** The bytes of an address. `::ffff:10.0.0.1` stays 16 bytes here. */
function parseBytes(text: string): number[] | null {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

/** A dual-stack socket shows an IPv4 client as `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2). */
function withoutMapping(bytes: number[]): number[] {
  const mapped = bytes.length === 16 && bytes.slice(0, 12).every((byte, at) => byte === (at < 10 ? 0 : 255));
  return mapped ? bytes.slice(12) : bytes;
}

/** The bytes of an address, an IPv4-mapped one as IPv4; null if the text is not an address. */
export function parseAddress(text: string): readonly number[] | null {
  const bytes = parseBytes(text);
  return bytes && withoutMapping(bytes);
}

/**
 * The part of an address that identifies one visitor: a whole IPv4 address, or the /64 network of an IPv6 address,
 * since every household has one. Empty, and so shared by all, if the address is unknown.
 */
export function bucketOf(client: string): string {
  if (!client.includes(":")) return client;
  const bytes = parseAddress(client.replace(/%.*$/, ""));
  if (bytes === null) return "";
  if (bytes.length === 4) return bytes.join(".");
  return hex(Uint8Array.from(bytes.slice(0, 8)));
}

/** Reads `10.0.0.0/8`, `fd00::/8`, or an address, which is a network of one. Null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [address = "", length, ...rest] = text.split("/");
  const bytes = parseBytes(address);
  if (!bytes || rest.length > 0) return null;
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  let prefix = length === undefined ? bytes.length * 8 : Number(length);
  if (prefix > bytes.length * 8) return null;
  const unmapped = prefix >= 96 ? withoutMapping(bytes) : bytes;
  if (unmapped.length < bytes.length) prefix -= 96;
  return { bytes: unmapped.map((byte, index) => byte & maskOf(prefix, index)), prefix };
}

function maskOf(prefix: number, index: number): number {
  const bits = Math.min(8, Math.max(0, prefix - index * 8));
  return (0xff << (8 - bits)) & 0xff;
}

/** Whether an address is in one of the networks; false if the text is not an address. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const bytes = parseAddress(address);
  if (!bytes) return false;
  return networks.some(
    (network) =>
      network.bytes.length === bytes.length &&
      network.bytes.every((byte, index) => ((bytes[index] ?? 0) & maskOf(network.prefix, index)) === byte),
  );
}
