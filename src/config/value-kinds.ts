/** Reads the texts of variables. There is one kind per type of value, which says what is expected. */
import { asIri } from "../iri.ts";
import { type Said, said } from "../messages/said.ts";
import { type Network, parseAddress, parseNetwork } from "./networks.ts";

export type Parsed<T> = { value: T } | { expected: Said };

/** `type`: the word in the documentation. `multiline`: line breaks are allowed. */
export type Kind<T> = {
  readonly type: string;
  readonly multiline?: boolean;
  readonly parse: (text: string) => Parsed<T>;
};

/** `limit` requests within any `windowSeconds`. */
export type RateLimit = { readonly limit: number; readonly windowSeconds: number };

/** A time of day in the time zone of TZ. */
export type TimeOfDay = { readonly hour: number; readonly minute: number };

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  1: true,
  0: false,
  yes: true,
  no: false,
  on: true,
  off: false,
};
const WINDOWS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86400 };
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function kind<T>(type: string, expected: Said, read: (text: string) => T | undefined): Kind<T> {
  return {
    type,
    parse: (text) => {
      const value = read(text);
      return value === undefined ? { expected } : { value };
    },
  };
}

/** A string that matches a pattern. `expected` completes "it must be …". */
export const matching = (pattern: RegExp, expected: Said, type = "string") =>
  kind(type, expected, (text) => (pattern.test(text) ? text : undefined));

export const string = matching(/./, said("setting.expected.text"));
export const text: Kind<string> = { type: "string", multiline: true, parse: (value) => ({ value }) };

export const boolean = kind("boolean", said("setting.expected.boolean"), (value) => {
  const word = value.toLowerCase();
  return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined;
});

export const integer = (least: number, most: number) =>
  kind("integer", said("setting.expected.integer", { least: String(least), most: String(most) }), (value) => {
    const number = /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  });

export const number = (least: number, most: number) =>
  kind("number", said("setting.expected.number", { least: String(least), most: String(most) }), (value) => {
    const read = /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
    return read >= least && read <= most ? read : undefined;
  });

export const bytes = kind("bytes", said("setting.expected.bytes"), (value) => {
  const [, amount = "", unit = ""] = /^([1-9]\d{0,15})([kmg]?)b?$/i.exec(value) ?? [];
  const total = Number(amount) * (UNITS[unit.toLowerCase()] ?? 1);
  return total > 0 && Number.isSafeInteger(total) ? total : undefined;
});

export const rate = kind("rate", said("setting.expected.rate"), (value): RateLimit | undefined => {
  const [, amount, unit = ""] = /^([1-9]\d{0,8})\/(second|minute|hour|day)$/i.exec(value) ?? [];
  const windowSeconds = WINDOWS[unit.toLowerCase()];
  return windowSeconds ? { limit: Number(amount), windowSeconds } : undefined;
});

export const time = kind("time", said("setting.expected.time"), (value): TimeOfDay | undefined => {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
  return hour ? { hour: Number(hour), minute: Number(minute) } : undefined;
});

export const oneOf = <const T extends string>(...words: T[]) =>
  kind(`enum: ${words.join(", ")}`, said("setting.expected.one_of", { known: words.join(", ") }), (value) =>
    words.find((word) => word === value.toLowerCase()),
  );

/** `http(s)://host[:port][/path]`; the value has no slash at its end. `new URL` alone is too forgiving. */
function readUrl(value: string): string | undefined {
  if (!/^https?:\/\/[^/]/i.test(value) || /[?#\\\s]/.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.username || url.password || /^[^/]*\/\/[^/]*@/.test(value)) return undefined;
  return asIri(url.origin + url.pathname)?.replace(/\/+$/, "");
}

export const url = kind("url", said("setting.expected.url"), readUrl);

/** An address of PostgreSQL. Other faults show when connecting. */
export const databaseUrl = kind("url", said("setting.expected.database_url"), (value) => {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value) || value.includes("#")) return undefined;
  try {
    decodeURIComponent(new URL(value).password);
    return value;
  } catch {
    return undefined;
  }
});

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

export const host = kind("string", said("setting.expected.host"), (value) =>
  parseAddress(value) || (HOST_NAME.test(value) && !/^[\d.]+$/.test(value)) ? value : undefined,
);

/** As in the schema of OAI-PMH (a dot in the domain), and no stricter: only a mail proves an address. */
const EMAIL = /^[^\s@<>,;"]+@[^\s@<>,;".]+(\.[^\s@<>,;".]+)+$/;

export const email = matching(EMAIL, said("setting.expected.email"), "email");

export const sender = kind("email", said("setting.expected.sender"), (value) => {
  const [, name, inner] = /^([^<>]*)<([^<>]+)>$/.exec(value) ?? [];
  return EMAIL.test(name === undefined ? value : (inner ?? "")) ? value : undefined;
});

export const path = kind("path", said("setting.expected.path"), (value) => {
  if (/^~/.test(value)) return undefined;
  return value.replace(/(?<=.)\/+$/, "");
});

export const timeZone = kind("string", said("setting.expected.time_zone"), (value) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone && value;
  } catch {
    return undefined;
  }
});

/** Comma-separated, or a JSON array, which some installations use. Keeps the order, drops repetitions. */
function list<T>(type: string, expected: Said, read: (item: string) => T | undefined): Kind<readonly T[]> {
  return {
    type,
    parse: (value) => {
      const items = splitList(value)?.map(read);
      if (!items || items.length === 0 || items.includes(undefined)) return { expected };
      return { value: [...new Set(items as T[])] };
    },
  };
}

function splitList(value: string): string[] | undefined {
  if (!value.startsWith("[")) {
    return value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  }
  try {
    const items: unknown = JSON.parse(value);
    if (!Array.isArray(items) || !items.every((item) => typeof item === "string")) return undefined;
    return items.map((item) => item.trim());
  } catch {
    return undefined;
  }
}

export const wordList = list("list", said("setting.expected.names"), (item) =>
  /^[\w.-]+$/.test(item) ? item : undefined,
);

export const someOf = <const T extends string>(...words: T[]) =>
  list("list", said("setting.expected.some_of", { known: words.join(", ") }), (item) =>
    words.find((word) => word === item),
  );

export const originList = list("list", said("setting.expected.origins"), (item) => {
  const address = readUrl(item);
  return address !== undefined && new URL(address).origin === address ? address : undefined;
});

export const pathList = list("list", said("setting.expected.paths"), (item) =>
  /^\/\S*$/.test(item) ? item : undefined,
);

export const networkList: Kind<readonly Network[]> = list(
  "cidr-list",
  said("setting.expected.networks"),
  (item) => parseNetwork(item) ?? undefined,
);

export const word = matching(/^\S+$/, said("setting.expected.word"));
