/** People who only read: what they get is compared at once with what the ledger allows. */
import { headersIn, tokenOf } from "../support/oai.ts";
import { COMMON, type Entry, type Ledger, now } from "./ledger.ts";
import type { Traffic } from "./traffic.ts";

const QUERIES = [
  "q=girl",
  "q=street+school",
  "q=por*",
  "q=woman&facets=material",
  `q=${COMMON}&page=2`,
  "q=note",
];

/** Reads records again and again: hidden ones are hidden at once, public ones are as last saved. */
export async function readRecords(traffic: Traffic, ledger: Ledger): Promise<void> {
  while (!traffic.over) {
    const entry = ledger.any();
    if (!entry || Math.random() < 0.3) {
      await traffic.visitor(Math.random() < 0.5 ? "/v1/objects?page_size=20" : "/v1/entities");
      continue;
    }
    const moves = entry.moves;
    const isPage = Math.random() < 0.3;
    const answer = await traffic.visitor(`${isPage ? "" : "/v1"}/objects/${entry.id}`);
    if (!answer || moves !== entry.moves || moves % 2 === 1) continue;
    const fault = misread(entry, answer.status, answer.text);
    if (fault) traffic.wrong.add(`a visitor of ${entry.number} (${entry.id}) ${fault}`);
  }
}

function misread(entry: Entry, status: number, text: string): string | undefined {
  const { status: state, deleted, note } = now(entry);
  if (state === "draft" || deleted)
    return [404, 410].includes(status) ? undefined : `got ${status}, though it is not public`;
  if (status !== 200) return `got ${status}, though it is public`;
  return text.includes(note) ? undefined : "saw an old version";
}

export async function search(traffic: Traffic, ledger: Ledger): Promise<void> {
  for (let n = 0; !traffic.over; n++) {
    const entry = n % 2 ? undefined : ledger.any();
    const moves = entry?.moves;
    const query = entry ? `q=${entry.mark}` : QUERIES[n % QUERIES.length];
    const answer = await traffic.visitor(`/portal/v1/search?${query}`);
    if (!entry || answer?.status !== 200 || moves !== entry.moves || entry.moves % 2 === 1) continue;
    const isFound = answer.json.items.some(({ id }: { id: string }) => id === entry.id);
    const { status, deleted } = now(entry);
    if (isFound && (status === "draft" || deleted))
      traffic.wrong.add(`a visitor found ${entry.number}, which is not public`);
  }
}

/** Zooms into pictures. */
export async function viewImages(traffic: Traffic, ledger: Ledger): Promise<void> {
  while (!traffic.over) {
    const shown = ledger.entries.filter(({ images }) => images.length > 0);
    const image = ledger.any(shown)?.images[0];
    if (!image) {
      await traffic.visitor("/");
      continue;
    }
    for (const end of ["info.json", "full/200,/0/default.jpg", "0,0,256,256/256,256/0/default.jpg"])
      await traffic.visitor(`/iiif/3/${image}/${end}`);
  }
}

/** Harvests changes for ever; at the end, the copy must contain exactly what is public. */
export async function harvest(traffic: Traffic, ledger: Ledger): Promise<void> {
  while (!traffic.over) await harvestOnce(traffic, ledger);
}

/** False: it was interrupted, and the next one begins at the same point. */
export async function harvestOnce(
  traffic: Traffic,
  harvester: Pick<Ledger, "harvested" | "from">,
): Promise<boolean> {
  let query = `metadataPrefix=oai_dc&set=object${harvester.from && `&from=${harvester.from}`}`;
  for (let next = ""; ; ) {
    const answer = await traffic.visitor(`/oai?verb=ListRecords&${query}`);
    if (answer?.status !== 200) return false;
    for (const { id, deleted } of headersIn(answer.text)) harvester.harvested.set(id, { deleted });
    next ||= /<responseDate>(.*?)</.exec(answer.text)![1]!;
    const token = tokenOf(answer.text);
    query = `resumptionToken=${token}`;
    if (token) continue;
    harvester.from = next;
    return true;
  }
}
