/** Finds the parts of an XML record that were not read. The report lists them like unmapped columns of a table. */
import { type Attr, type CharacterData, type Element, Node } from "slimdom";

/** How many records are searched, and how many places are reported of each. */
export const LOOKED_THROUGH = 1_000;
const MOST_PLACES = 1_000;
/** Characters of an example. */
const EXAMPLE = 80;

/** The path of a text or attribute without namespaces (`maker/name`, `size/@unit`), and the first text there. */
export type Unmapped = readonly [place: string, example: string];

/** The places of texts and attributes of the record that are not in `seen`. */
export function unmappedIn(record: Element, seen: Pick<ReadonlySet<Node>, "has">): Unmapped[] {
  const places = new Map<string, string>();
  const note = (place: string, text: string) => {
    if (!places.has(place)) places.set(place, text.replace(/\s+/g, " ").trim().slice(0, EXAMPLE));
  };
  const open: [element: Element, path: string][] = [[record, ""]];
  for (let next = open.pop(); next && places.size < MOST_PLACES; next = open.pop()) {
    const [element, path] = next;
    const inside = path && `${path}/`;
    for (const attribute of element.attributes) {
      if (!seen.has(attribute) && isOwn(attribute)) note(`${inside}@${attribute.localName}`, attribute.value);
    }
    for (const child of element.childNodes)
      if (isText(child) && !seen.has(child)) note(path || ".", (child as CharacterData).data);
    for (const child of element.children.toReversed()) open.push([child, `${inside}${child.localName}`]);
  }
  return [...places];
}

const isOwn = ({ namespaceURI, value }: Attr): boolean =>
  value.trim() !== "" &&
  !/^http:\/\/www\.w3\.org\/(XML|2000\/xmlns|2001\/XMLSchema-instance)/.test(namespaceURI ?? "");

const isText = (node: Node): boolean =>
  [Node.TEXT_NODE, Node.CDATA_SECTION_NODE].includes(node.nodeType) &&
  (node as CharacterData).data.trim() !== "";
