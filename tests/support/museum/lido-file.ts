/** LIDO-like XML of any size, with records that resemble real exports and all differ. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";

export const LIDO = "http://www.lido-schema.org";

const WORDS =
  "harbour mill bridge winter portrait study garden storm lamp quay boat letter market river".split(" ");
const PLACES = ["Hafen", "Mühle", "Brücke", "Garten", "Fluss", "Markt", "Küste"];

const word = (n: number) => WORDS[n % WORDS.length]!;

/** The element of record `n`; about 2.5 kB. */
function lidoRecord(n: number): string {
  const note = Array.from({ length: 60 }, (_, at) => word(n * 7 + at * at)).join(" ");
  const hand = n % 300;
  const maker = `${word(hand)} ${word(hand * 3 + 1)} ${hand}`;
  return `  <lido:lido>
    <lido:lidoRecID lido:type="local">M ${n}</lido:lidoRecID>
    <lido:descriptiveMetadata xml:lang="en">
      <lido:objectClassificationWrap>
        <lido:objectWorkTypeWrap>
          <lido:objectWorkType><lido:term>painting</lido:term></lido:objectWorkType>
        </lido:objectWorkTypeWrap>
      </lido:objectClassificationWrap>
      <lido:objectIdentificationWrap>
        <lido:titleWrap>
          <lido:titleSet>
            <lido:appellationValue>The ${word(n)} near the ${word(n + 3)}, no. ${n}</lido:appellationValue>
          </lido:titleSet>
          <lido:titleSet>
            <lido:appellationValue xml:lang="de">${PLACES[n % 7]} ${n}</lido:appellationValue>
          </lido:titleSet>
        </lido:titleWrap>
        <lido:objectDescriptionWrap>
          <lido:objectDescriptionSet>
            <lido:descriptiveNoteValue>${note} &amp; more of ${n}</lido:descriptiveNoteValue>
          </lido:objectDescriptionSet>
        </lido:objectDescriptionWrap>
      </lido:objectIdentificationWrap>
      <lido:eventWrap>
        <lido:eventSet>
          <lido:event>
            <lido:eventType><lido:term>production</lido:term></lido:eventType>
            <lido:eventActor>
              <lido:actorInRole>
                <lido:actor><lido:nameActorSet><lido:appellationValue>${maker}</lido:appellationValue></lido:nameActorSet></lido:actor>
              </lido:actorInRole>
            </lido:eventActor>
            <lido:eventDate>
              <lido:date><lido:earliestDate>${1800 + (n % 200)}</lido:earliestDate></lido:date>
            </lido:eventDate>
          </lido:event>
        </lido:eventSet>
      </lido:eventWrap>
    </lido:descriptiveMetadata>
  </lido:lido>
`;
}

const LIDO_HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<lido:lidoWrap xmlns:lido="${LIDO}">\n`;
const LIDO_TAIL = "</lido:lidoWrap>\n";

/** A file with these records, as one text. */
export function lidoText(records: number): string {
  return LIDO_HEAD + Array.from({ length: records }, (_, n) => lidoRecord(n + 1)).join("") + LIDO_TAIL;
}

/** A mapping for the elements that `lidoRecord` writes. */
export function lidoMapping(): Record<string, unknown> {
  const identification = `{${LIDO}}descriptiveMetadata/{${LIDO}}objectIdentificationWrap`;
  return {
    [`{${LIDO}}lidoRecID`]: "__idno__",
    [`.//{${LIDO}}titleSet/{${LIDO}}appellationValue`]: "title",
    [`${identification}/{${LIDO}}objectDescriptionWrap//{${LIDO}}descriptiveNoteValue`]: "description",
    [`.//{${LIDO}}event[{${LIDO}}eventType/{${LIDO}}term = 'production']//{${LIDO}}earliestDate`]: "date",
    [`.//{${LIDO}}eventActor//{${LIDO}}appellationValue`]: "__relation:created_by:entity__",
  };
}

/** Writes a file of about so many megabytes; answers the number of records. */
export async function writeLido(path: string, megabytes: number): Promise<number> {
  const file = createWriteStream(path);
  let records = 0;
  let bytes = 0;
  file.write(LIDO_HEAD);
  while (bytes < megabytes * 1e6) {
    let text = "";
    for (let n = 0; n < 200; n++) text += lidoRecord(++records);
    bytes += text.length;
    if (!file.write(text)) await once(file, "drain");
  }
  file.end(LIDO_TAIL);
  await once(file, "finish");
  return records;
}
