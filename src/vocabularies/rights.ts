/** Rights statements (https://rightsstatements.org) and Creative Commons licences: the one official address of each. */
import { asIri } from "../iri.ts";

const BY = ["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"];
/** Ports to national law by version (https://creativecommons.org/licenses/list.en); "": also without a port. */
const PORTS: Readonly<Record<string, string>> = {
  "1.0": " fi il nl",
  "2.0": " au at be br ca cl hr uk fr de it jp nl pl kr es tw za",
  "2.1": "au ca es jp",
  "2.5": " ar au br bg ca cn co hr dk hu in il it mk my mt mx nl pe pl pt scotland si za es se ch tw",
  "3.0":
    " au at br ca cl cn cr hr cz ec eg ee fr de gr gt hk igo ie it lu nl nz no ph pl pt pr ro rs sg za es ch tw th ug us ve vn",
  "4.0": "",
};
const STATEMENTS = [
  ...["InC", "InC-OW-EU", "InC-EDU", "InC-NC", "InC-RUU", "NoC-CR", "NoC-NC", "NoC-OKLR", "NoC-US"],
  ...["CNE", "UND", "NKC"],
];
/** What people choose from where an installation has no list of its own. */
export const COMMON_RIGHTS: readonly string[] = [
  ...["zero", "mark"].map((name) => `http://creativecommons.org/publicdomain/${name}/1.0/`),
  ...BY.map((code) => `http://creativecommons.org/licenses/${code}/4.0/`),
  ...STATEMENTS.map((code) => `http://rightsstatements.org/vocab/${code}/1.0/`),
];
/** Statements that Europeana accepts as `edm:rights` (the Schematron rules of EDM-EXTERNAL). It accepts all licences. */
const EUROPEANA = ["NoC-NC", "NoC-OKLR", "InC", "InC-EDU", "InC-OW-EU", "CNE"];

/** The forms in which people copy an address: of the licence, of its deed or its text, in any language. */
const ADDRESS =
  /^(?:https?:\/\/)?(?:www\.)?(creativecommons\.org\/(?:licenses|publicdomain)|rightsstatements\.org\/(?:vocab|page))\/([a-z-]+)\/(\d\.\d)(?:\/(igo|scotland|[a-z]{2}))?(?:\/(?:deed|legalcode|rdf)[\w.-]*)?\/?(?:[?#]\S*)?$/i;

/** `uri`: the official address. `port`: the jurisdiction, else empty. */
export type Rights = {
  readonly uri: string;
  readonly kind: "licence" | "public_domain" | "statement";
  readonly code: string;
  readonly version: string;
  readonly port: string;
};

/** The statement or licence that an address means; null for every other text, and for one that does not exist. */
export function rightsIn(text: string): Rights | null {
  const [, place, name = "", version = "", as = ""] = ADDRESS.exec(text.trim()) ?? [];
  if (place === undefined) return null;
  const [host, folder] = place.toLowerCase().split("/") as [string, string];
  const port = as.toLowerCase();
  const kind =
    host === "rightsstatements.org" ? "statement" : folder === "licenses" ? "licence" : "public_domain";
  const code = name.toLowerCase();
  const official = {
    licence: () => isLicence(code, version, port) && code,
    public_domain: () => ["zero", "mark"].includes(code) && version === "1.0" && port === "" && code,
    statement: () =>
      version === "1.0" && port === "" && STATEMENTS.find((each) => each.toLowerCase() === code),
  }[kind]();
  if (!official) return null;
  const path = kind === "statement" ? "vocab" : folder;
  const uri = `http://${host}/${path}/${official}/${version}/${port && `${port}/`}`;
  return { uri, kind, code: official, version, port };
}

function isLicence(code: string, version: string, port: string): boolean {
  // the only version with the parts in this order
  const codes = version === "1.0" ? [...BY, "by-nd-nc"] : BY;
  return codes.includes(code) && (PORTS[version]?.split(" ").includes(port) ?? false);
}

/** The official address of a statement or licence; null for other texts. */
export const rightsUri = (text: string): string | null => rightsIn(text)?.uri ?? null;

/** The address that stands for a right where it leaves: the official one, else the given one; null if it is not an address. */
export const rightsIri = (text: string): string | null => rightsUri(text) ?? asIri(text);

/** What people call it: "CC BY 3.0 DE", "InC". */
export function nameOfRights({ kind, code, version, port }: Rights): string {
  if (kind === "statement") return code;
  if (kind === "licence") return `CC ${code.toUpperCase()} ${version}${port && ` ${port.toUpperCase()}`}`;
  return code === "zero" ? `CC0 ${version}` : `Public Domain Mark ${version}`;
}

/** Whether Europeana accepts these as `edm:rights`. */
export const isForEuropeana = ({ kind, code }: Rights): boolean =>
  kind !== "statement" || EUROPEANA.includes(code);
