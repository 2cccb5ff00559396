/** Finds the parts of an XML record that no XPath has read. The report names them, like unmapped columns of a list. */
import { type Attr, type CharacterData, type Element, Node } from "slimdom";

/** How many records are searched, and how many places in them are reported. */
export const LOOKED_THROUGH = 1_000;
const MOST_PLACES = 200;

/** The paths of texts and attributes of the record that are not in `seen`, without namespaces: `maker/name`, `size/@unit`. */
export function unmappedIn(record: Element, seen: ReadonlySet<Node>): string[] {
  const places = new Set<string>();
  const open: [element: Element, path: string][] = [[record, ""]];
  for (let next = open.pop(); next && places.size < MOST_PLACES; next = open.pop()) {
    const [element, path] = next;
    for (const attribute of element.attributes) {
      if (!seen.has(attribute) && isOwn(attribute))
        places.add(`${path && `${path}/`}@${attribute.localName}`);
    }
    for (const child of element.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE)
        open.push([child as Element, `${path && `${path}/`}${(child as Element).localName}`]);
      else if (isText(child) && !seen.has(child)) places.add(path || ".");
    }
  }
  return [...places];
}

const isOwn = ({ namespaceURI, value }: Attr): boolean =>
  value.trim() !== "" &&
  !/^http:\/\/www\.w3\.org\/(XML|2000\/xmlns|2001\/XMLSchema-instance)/.test(namespaceURI ?? "");

const isText = (node: Node): boolean =>
  [Node.TEXT_NODE, Node.CDATA_SECTION_NODE].includes(node.nodeType) &&
  (node as CharacterData).data.trim() !== "";
