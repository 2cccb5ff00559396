/** Makes the files of the demo museum that are not pictures: `npx tsx tests/support/pictures/others.ts`. */
import { writeFile } from "node:fs/promises";
import { chance } from "./canvas.ts";

const HOME = new URL("../../../cli/demo/media/", import.meta.url);

/** Three seconds at 8 kHz, 8 bit: four voices, one of them late, and the hiss of wax. */
function song(): Buffer {
  const [rate, seconds] = [8000, 3];
  const next = chance(201);
  // a line of the song: steps above A, each a third of a second
  const tune = [0, 0, 3, 5, 7, 5, 3, 5, 0];
  const voices = [
    { base: 220, late: 0 },
    { base: 165, late: 0.012 },
    { base: 110, late: 0.03 },
    { base: 221.5, late: 0.17 },
  ];
  const data = Buffer.alloc(rate * seconds);
  let hiss = 0;
  for (let at = 0; at < data.length; at++) {
    let sum = 0;
    for (const { base, late } of voices) {
      const time = at / rate - late;
      const index = Math.floor(time / 0.33);
      if (time < 0 || index >= tune.length) continue;
      const within = (time % 0.33) / 0.33;
      const phase = 2 * Math.PI * base * 2 ** (tune[index]! / 12) * time;
      const swell = Math.min(1, within * 9, (1 - within) * 5);
      sum +=
        swell *
        (Math.sin(phase + Math.sin(time * 34) * 0.5) +
          0.45 * Math.sin(2 * phase) +
          0.2 * Math.sin(3 * phase));
    }
    hiss += ((next() - 0.5) * 26 - hiss) * 0.6;
    const click = at % 3000 < 5 ? (next() - 0.5) * 90 : 0;
    data[at] = Math.max(0, Math.min(255, 128 + sum * 15 + hiss + click));
  }
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

const VERSES = [
  [
    "The mast is high, the night is black,",
    "the fire stands on the Head;",
    "we sail where no one knows the track",
    "and no one calls us back.",
  ],
  [
    "Twelve men we are, and twelve enough,",
    "the lead goes to the ground;",
    "three fathom sand, two fathom mud,",
    "and one in a skipper's mouth.",
  ],
  [
    "And stay one out, then sing eleven,",
    "and leave his verse in peace:",
    "the voice that's wanting in the song",
    "that is the sea, the seas.",
  ],
];

/** One page in a standard font. */
function leaflet(): Buffer {
  const show = (font: string, size: number, x: number, y: number, words: string) =>
    `BT /${font} ${size} Tf ${x} ${y} Td (${words.replace(/[()\\]/g, "\\$&")}) Tj ET\n`;
  const page =
    show("B", 20, 96, 520, "The Pilots' Song") +
    show("I", 11, 98, 498, "done into English for our Visitors") +
    VERSES.flatMap((verse, i) =>
      verse.map((line, j) => show("R", 12, 72 + (j % 2) * 10, 450 - i * 96 - j * 17, line)),
    ).join("") +
    "160 130 m 220 130 l S\n" +
    show("I", 10, 108, 100, "Sternhoeft 1889. Translated by I. Rennie.");
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 383 595] /Contents 4 0 R /Resources << /Font << /R 5 0 R /I 6 0 R /B 7 0 R >> >> >>",
    `<< /Length ${page.length} >>\nstream\n${page}endstream`,
    ...["Times-Roman", "Times-Italic", "Times-Bold"].map(font),
    "<< /Title (The Pilots' Song) >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R /Info ${count - 1} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    "latin1",
  );
}

/** The lens as a body that was turned: its outline, with a notch for each ring, once round (glTF 2.0, binary). */
function lens(): Buffer {
  const [rings, round] = [24, 32];
  const places = Buffer.alloc(rings * round * 12);
  const corners: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    const height = (ring / (rings - 1)) * 1.576;
    const belly = 0.3 + 0.2 * Math.sin(((height + 0.12) / 1.75) * Math.PI) - (ring % 2) * 0.022;
    for (let step = 0; step < round; step++) {
      const angle = (step / round) * 2 * Math.PI;
      [Math.cos(angle) * belly, height, Math.sin(angle) * belly].forEach((value, part) => {
        places.writeFloatLE(value, (ring * round + step) * 12 + part * 4);
      });
      if (ring === rings - 1) continue;
      const [here, beside] = [ring * round + step, ring * round + ((step + 1) % round)];
      corners.push(here, here + round, beside, beside, here + round, beside + round);
    }
  }
  const faces = Buffer.alloc(corners.length * 2);
  corners.forEach((corner, index) => {
    faces.writeUInt16LE(corner, index * 2);
  });
  const least = [Infinity, Infinity, Infinity];
  const most = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < places.length; at += 4) {
    const part = (at / 4) % 3;
    least[part] = Math.min(least[part]!, places.readFloatLE(at));
    most[part] = Math.max(most[part]!, places.readFloatLE(at));
  }
  const description = {
    asset: { version: "2.0", copyright: "CC0 1.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: "Fresnel lens" }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [
      {
        pbrMetallicRoughness: {
          baseColorFactor: [0.72, 0.86, 0.82, 0.75],
          metallicFactor: 0,
          roughnessFactor: 0.15,
        },
        alphaMode: "BLEND",
        doubleSided: true,
      },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: rings * round, type: "VEC3", min: least, max: most },
      { bufferView: 1, componentType: 5123, count: corners.length, type: "SCALAR" },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: places.length, target: 34962 },
      { buffer: 0, byteOffset: places.length, byteLength: faces.length, target: 34963 },
    ],
    buffers: [{ byteLength: places.length + faces.length }],
  };
  const text = Buffer.from(JSON.stringify(description));
  const json = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const body = Buffer.concat([places, faces]);
  const head = (length: number, kind: number) => {
    const eight = Buffer.alloc(8);
    eight.writeUInt32LE(length, 0);
    eight.writeUInt32LE(kind, 4);
    return eight;
  };
  const start = Buffer.alloc(12);
  start.write("glTF", 0);
  start.writeUInt32LE(2, 4);
  start.writeUInt32LE(12 + 8 + json.length + 8 + body.length, 8);
  return Buffer.concat([start, head(json.length, 0x4e4f534a), json, head(body.length, 0x004e4942), body]);
}

await writeFile(new URL("pilots-song.wav", HOME), song());
await writeFile(new URL("pilots-song.pdf", HOME), leaflet());
await writeFile(new URL("lens.glb", HOME), lens());
