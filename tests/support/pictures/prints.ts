/** Woodcuts, linocut, letterpress and other prints of the demo museum. */
import {
  blend,
  centred,
  chance,
  clamp,
  gradient,
  light,
  noise,
  type Raster,
  type Rgb,
  raster,
  repaint,
  svg,
} from "./canvas.ts";
import { carved, cut, MARGIN, onPaper, woodcut } from "./techniques.ts";

/** The block's edge on its sheet; the nail holes of the planks stay white. */
const block = (
  width: number,
  height: number,
  body: string,
  nails: readonly [number, number][] = [],
): string =>
  svg(
    width,
    height,
    `<rect width="${width}" height="${height}" fill="${MARGIN}"/><svg x="70" y="70" width="${width - 140}" height="${height - 190}" viewBox="0 0 ${width - 140} ${height - 190}">${body}
    ${nails.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="7" fill="${cut(1)}"/>`).join("")}</svg>`,
  );

function fogSignal(): Promise<Raster> {
  const [x, y] = [330, 560];
  const body = `<rect width="760" height="1010" fill="${carved(0.46)}"/><path d="M0 0H760V300Q420 260 0 420Z" fill="${carved(0.6)}"/><path d="M0 820Q300 790 760 830V1010H0Z" fill="${carved(0.24)}"/>
    <path d="M90 1010L140 330H262L312 1010Z" fill="${cut(0.02)}"/><path d="M96 1010L144 330H168L140 1010Z" fill="${cut(0.72, 90)}"/><path d="M120 300H282V334H120Z" fill="${cut(0.02)}"/><path d="M150 210H252V298H150Z" fill="${cut(0.97)}"/><path d="M176 206V300M202 206V300M228 206V300" stroke="${cut(0)}" stroke-width="9"/><path d="M132 214L201 140L270 214Z" fill="${cut(0)}"/><path d="M200 150V110" stroke="${cut(0)}" stroke-width="7"/>
    <path d="M190 700h30v52h-30ZM186 440h26v44h-26Z" fill="${cut(0.95)}"/><path d="M250 536L${x} ${y - 44}V${y + 44}L250 586Z" fill="${cut(0.96)}"/><path d="M250 536L${x} ${y - 44}V${y + 44}L250 586Z" fill="none" stroke="${cut(0)}" stroke-width="10"/><ellipse cx="${x}" cy="${y}" rx="13" ry="44" fill="${cut(0)}"/>
    <path d="M0 900Q120 850 220 880T470 960L520 1010H0Z" fill="${cut(0.03)}"/><path d="M520 905h120l-22 34h-80ZM570 900V800L620 890Z" fill="${cut(0.02)}"/>`;
  return woodcut(
    block(900, 1200, body, [
      [700, 60],
      [60, 60],
      [640, 950],
    ]),
    {
      seed: 31,
      step: 15,
      field: (px, py) => {
        const far = Math.hypot(px - x - 70, (py - y - 70) * 1.04);
        // far from the horn the rings straighten into the grain of the plank
        const share = clamp((far - 330) / 300);
        return far * (1 - share) + (py * 0.97 + Math.sin(px / 140) * 16 + 110) * share;
      },
    },
  );
}

function smokehouse(): Promise<Raster> {
  const herring = (x: number, y: number, i: number) =>
    `<path transform="translate(${x},${y}) rotate(${(i % 3) * 4 - 4})" d="M0 0Q15 28 9 66L18 92L0 80L-18 92L-9 66Q-15 28 0 0Z" fill="${cut(0.42, 90)}"/>`;
  const rod = (y: number, from: number, to: number) =>
    `<path d="M${from} ${y}H${to}" stroke="${cut(0.6)}" stroke-width="7"/>${Array.from({ length: Math.floor((to - from) / 44) }, (_, i) => herring(from + 24 + i * 44, y, i)).join("")}`;
  const woman = (
    x: number,
    y: number,
    size: number,
    side: number,
  ) => `<g transform="translate(${x},${y}) scale(${size * side},${size})">
    <path d="M-88 330Q-110 160 -64 92Q-40 58 6 60Q66 66 84 140Q104 230 108 330Z" fill="${cut(0)}"/><path d="M4 60Q70 70 86 150Q100 230 106 330H88Q84 200 62 140Q44 90 4 60Z" fill="${cut(0.97)}"/>
    <path d="M-42 20Q-50 -52 8 -56Q60 -50 54 8Q50 60 8 66Q-36 64 -42 20Z" fill="${cut(0)}"/><path d="M30 -46Q62 -26 54 14Q50 50 26 62Q38 30 34 0Z" fill="${cut(0.98)}"/><path d="M44 150Q110 140 150 90" stroke="${cut(0)}" stroke-width="40" fill="none"/><path d="M60 168Q124 156 164 104" stroke="${cut(0.95)}" stroke-width="9" fill="none"/><circle cx="156" cy="86" r="19" fill="${cut(0.85, 45)}"/></g>`;
  const body = `<rect width="760" height="1010" fill="${cut(0.04)}"/><path d="M0 0H760V260H0Z" fill="${cut(0.12, 8)}"/><path d="M0 300Q300 420 560 380V1010H0Z" fill="${cut(0.3, 166)}"/>${rod(46, 30, 730)}${rod(176, 60, 700)}
    <path d="M760 420L560 470V860L760 960Z" fill="${cut(0.24, 150)}"/><path d="M470 1010L560 800L690 1010Z" fill="${cut(0.93)}"/><path d="M330 1010L560 700L560 880L480 1010Z" fill="${cut(0.55, 124)}"/><path d="M560 520Q640 470 700 540V860L560 850Z" fill="${cut(0)}"/><path d="M572 540Q636 500 684 556V842L572 834Z" fill="${cut(1)}"/><path d="M572 834Q590 700 608 780Q622 640 640 770Q656 690 684 842Z" fill="${cut(0.62, 90)}"/><path d="M684 540L760 500V900L684 860Z" fill="${cut(0.02)}"/>
    ${woman(170, 560, 1.25, 1)}${woman(400, 620, 1.0, 1)}<path d="M300 690L540 640" stroke="${cut(0.9)}" stroke-width="8"/>${[0, 1, 2, 3].map((i) => herring(410 + i * 36, 664 - i * 8, i)).join("")}<path d="M0 960Q160 930 330 1010H0Z" fill="${cut(0.3, 10)}"/>`;
  return woodcut(
    block(900, 1200, body, [
      [50, 320],
      [700, 330],
    ]),
    { seed: 33, step: 10 },
  );
}

function observatory(): Promise<Raster> {
  const next = chance(41);
  const marks = Array.from({ length: 330 }, () => {
    const [x, y] = [next() * 760, next() ** 1.1 * 640];
    const angle = Math.atan2(y - 250, x - 330) * (180 / Math.PI) + 90 + (next() - 0.5) * 24;
    const size = 12 + next() * 26;
    return `<path transform="translate(${x},${y}) rotate(${angle})" d="M${-size} 0Q0 ${-3 - next() * 4} ${size} 0Q0 ${2 + next() * 3} ${-size} 0Z" fill="${cut(1)}"/>`;
  });
  const body = `<rect width="760" height="1010" fill="${cut(0)}"/>${marks.join("")}<path d="M0 720Q200 640 400 660T760 690V1010H0Z" fill="${cut(0.02)}"/>
    <path d="M176 620Q176 400 380 390Q584 400 584 620Z" fill="${cut(0)}"/><path d="M188 612Q190 412 380 402Q470 408 520 460Q400 430 300 470Q210 520 206 612Z" fill="${cut(0.74, 70)}"/><path d="M206 612Q210 520 300 470Q400 430 520 460Q572 520 574 612Z" fill="${cut(0.3, 70)}"/><path d="M160 614H600V650H160Z" fill="${cut(0.93)}"/><path d="M190 650H570V860H190Z" fill="${cut(0.52, 0)}"/><path d="M430 650H570V860H430Z" fill="${cut(0.2, 0)}"/><path d="M340 720H420V860H340Z" fill="${cut(0)}"/><path d="M332 712H428M332 860V712M428 860V712" stroke="${cut(0.96)}" stroke-width="7"/><circle cx="404" cy="796" r="6" fill="${cut(1)}"/><path d="M366 780l26 26M392 780l-26 26" stroke="${cut(0.9)}" stroke-width="5"/>
    <path d="M230 700h60v70h-60ZM480 700h54v70h-54Z" fill="${cut(0)}"/><path d="M0 880Q240 820 380 860T760 850V1010H0Z" fill="${cut(0.4, 12)}"/><path d="M340 860H420L520 1010H280Z" fill="${cut(0.9)}"/><path d="M60 890V760M60 800L20 764M60 786L96 750M700 880V740M700 790L660 750M700 770L742 730" stroke="${cut(0.98)}" stroke-width="6"/>`;
  return woodcut(
    block(900, 1200, body, [
      [56, 700],
      [706, 60],
    ]),
    { seed: 35, step: 11 },
  );
}

function titleSheet(): Promise<Raster> {
  const ink = cut(0);
  const body = `<rect width="760" height="1010" fill="${cut(1)}"/><path d="M0 0H760V1010H0Z" fill="none" stroke="${ink}" stroke-width="22"/>
    <path d="M60 470H700V830H60Z" fill="${ink}"/><path d="M60 720Q200 690 380 716T700 708V830H60Z" fill="${cut(0.5, 4)}"/><path d="M150 700L210 560H230L238 700Z" fill="${cut(0.97)}"/><path d="M204 556H238V528H204ZM196 528L221 500L246 528Z" fill="${cut(0.97)}"/><path d="M330 716Q450 752 600 708L570 764Q460 790 372 760Z" fill="${cut(0.95)}"/><path d="M450 730V520M540 726V560" stroke="${cut(1)}" stroke-width="8"/><path d="M462 530Q540 600 530 700L462 706ZM440 540L360 704L440 712Z" fill="${cut(0.82, 60)}"/>
    <g>${centred("ZEHN", 380, 110, 86, 17, ink)}${centred("HAFEN", 380, 230, 86, 17, ink)}${centred("BLÄTTER", 380, 350, 66, 13, ink)}${centred("HOLZSCHNITTE", 380, 872, 30, 7, ink)}${centred("STERNHÖFT · 1926", 380, 934, 26, 6, ink)}</g>`;
  return woodcut(
    block(900, 1200, body, [
      [650, 520],
      [104, 790],
    ]),
    { seed: 37, step: 10 },
  );
}

function japanese(): Promise<Raster> {
  const flakes = noise(51);
  const next = chance(52);
  const snow = Array.from(
    { length: 230 },
    () => `<circle cx="${next() * 760}" cy="${next() * 1120}" r="${2 + next() * 3.6}" fill="#f7f2e6"/>`,
  ).join("");
  const umbrella = (x: number, y: number, size: number, top: string) =>
    `<g transform="translate(${x},${y}) scale(${size})"><path d="M-26 40Q-34 130 -40 190H44Q34 120 26 40Z" fill="#3c4a5c"/><path d="M-30 190l-6 24M24 190l8 24" stroke="#2b2724" stroke-width="9"/><path d="M-110 50Q-90 -34 0 -46Q90 -34 110 50Q56 30 0 40Q-56 30 -110 50Z" fill="${top}" stroke="#2b2724" stroke-width="4"/><path d="M0 -46V38M0 -46Q-46 -10 -56 34M0 -46Q46 -10 56 34" stroke="#2b2724" stroke-width="2.4" fill="none"/><path d="M-100 26Q-84 -28 0 -44Q40 -40 62 -24Q-20 -30 -100 26Z" fill="#f7f2e6"/></g>`;
  const drawing = svg(
    820,
    1200,
    `<rect width="820" height="1200" fill="#e6dabd"/><svg x="34" y="34" width="752" height="1132" viewBox="0 0 752 1132"><rect width="752" height="1132" fill="url(#sky)"/>
    <path d="M0 640Q160 560 330 620T752 560V760H0Z" fill="#93a0a5"/><path d="M0 700Q260 620 752 700V1132H0Z" fill="#f1ebdc"/><path d="M0 690Q260 612 752 690" stroke="#2b2724" stroke-width="3" fill="none"/><path d="M0 900Q300 820 752 920" stroke="#7d8790" stroke-width="3" fill="none"/><path d="M300 1132Q420 1010 752 1000V1132Z" fill="#dcdcd6"/>
    <path d="M560 760L600 120H860V760Z" fill="#efe7d3" stroke="#2b2724" stroke-width="4"/><path d="M680 760L690 120H860V760Z" fill="#c3bfb4"/><path d="M572 560L583 430H860V560ZM590 300L597 200H860V300Z" fill="#a8473a"/><path d="M566 124H860V96H566Z" fill="#2b2724"/><path d="M620 94V0H860V94Z" fill="#e8c877"/><path d="M660 94V0M700 94V0" stroke="#2b2724" stroke-width="5"/><path d="M566 96Q640 78 760 92V100H566Z" fill="#f7f2e6"/>
    <path d="M-20 250Q120 210 200 120M60 236Q130 250 190 300M120 196Q110 130 130 60" stroke="#2b2724" stroke-width="15" fill="none"/><path d="M-20 238Q120 196 192 112M66 226Q130 238 186 288M112 180Q104 130 124 62" stroke="#f7f2e6" stroke-width="8" fill="none"/>
    ${umbrella(420, 740, 0.62, "#b4553f")}${umbrella(270, 800, 0.8, "#d3b163")}${umbrella(150, 880, 1, "#47606e")}
    ${snow}<rect x="30" y="880" width="54" height="190" fill="#f1ebdc" stroke="#a8473a" stroke-width="3" transform="translate(612,0)"/><path d="M656 904h26M669 896v40M652 950h34M660 962l16 22M676 962l-16 22M656 1004h28v34h-28ZM656 1020h28" stroke="#2b2724" stroke-width="4.4" fill="none"/></svg>`,
    gradient("sky", [
      [0, "#2f4660"],
      [0.2, "#5c7180"],
      [0.55, "#a9b0ac"],
      [1, "#c9c6b8"],
    ]),
  );
  return onPaper(drawing, 53, 1.2, 0.6).then((sheet) =>
    repaint(sheet, (old, x, y) => {
      const grain = (flakes(x / 160, y / 1.9) - 0.5) * 12 * (1 - light(old));
      // the soot of Voß's stove
      const soot = clamp(1 - y / 90) * (0.35 + 0.4 * flakes(x / 50, y / 30));
      return blend([old[0] + grain, old[1] + grain, old[2] + grain], [40, 34, 30], soot);
    }),
  );
}

/** Three blocks, printed one after another; that of the sails a little aside. */
async function regatta(): Promise<Raster> {
  const [w, h] = [850, 1200];
  const sail = (x: number, y: number, size: number) =>
    `<g transform="translate(${x},${y}) scale(${size})"><path d="M0 -300Q120 -130 130 40H8ZM-14 -270Q-70 -120 -104 40H-14Z"/></g>`;
  const boats: [number, number, number][] = [
    [250, 700, 1.25],
    [560, 640, 0.9],
    [420, 560, 0.55],
    [705, 560, 0.5],
  ];
  const sheet = (body: string) => raster(svg(w, h, `<rect width="${w}" height="${h}" fill="#fff"/>${body}`));
  const waves = Array.from(
    { length: 9 },
    (_, i) =>
      `<path d="M60 ${740 + i * 30}${Array.from({ length: 9 }, () => `q20 ${-12 - i} 41 0t41 0`).join("")}" stroke="#fff" stroke-width="${4 + i}" fill="none"/>`,
  ).join("");
  const blue = await sheet(
    `<rect x="56" y="56" width="738" height="930"/><circle cx="610" cy="260" r="92" fill="#fff"/><g fill="#fff">${boats.map(([x, y, s]) => sail(x, y, s)).join("")}</g>${waves}<path d="M96 96H150V420H96Z" fill="#fff" opacity="0"/>`,
  );
  const red = await sheet(
    `<g>${boats.map(([x, y, s]) => sail(x + 13, y - 9, s)).join("")}</g>${centred("REGATTA", 425, 1030, 104, 25, "#000")}`,
  );
  const black = await sheet(
    `${boats.map(([x, y, s]) => `<path transform="translate(${x},${y}) scale(${s})" d="M-130 56Q0 84 160 50L132 96Q0 116 -96 92ZM-8 -310H2V60H-8Z"/>`).join("")}<path d="M80 600L100 420H134L152 600ZM96 414H138V384H96ZM90 384L117 352L144 384Z"/>${centred("STERNHÖFT · 18. JULI 1926", 425, 1152, 24, 5, "#000")}`,
  );
  const [rough, press] = [noise(61, 2), noise(62, 3)];
  const inks: readonly [Raster, Rgb][] = [
    [blue, [54, 94, 118]],
    [red, [200, 92, 58]],
    [black, [32, 30, 30]],
  ];
  return repaint(blue, (_old, x, y) => {
    let colour: Rgb = [238, 229, 206];
    inks.forEach(([plate, ink], index) => {
      const at = 3 * (y * w + x);
      const amount =
        (1 - plate.px[at]! / 255) *
        clamp(
          0.76 +
            0.34 * press(x / 50 + index * 40, y / 50) +
            (rough(x / 3, y / 3 + index * 90) - 0.72) * -0.35,
        );
      const over: Rgb = [(colour[0] * ink[0]) / 238, (colour[1] * ink[1]) / 229, (colour[2] * ink[2]) / 206];
      colour = blend(colour, index === 1 ? blend(over, ink, 0.72) : over, clamp(amount));
    });
    return colour;
  });
}

function broadside(): Promise<Raster> {
  const ink = "#2b2521";
  const word = (x: number, y: number, size: number, words: string, more = "") =>
    `<text x="${x}" y="${y}" font-family="DejaVu Serif Condensed, DejaVu Serif, serif" font-size="${size}" fill="${ink}" ${more}>${words}</text>`;
  const stanza = (x: number, y: number, number: number, lines: readonly string[]) =>
    word(x, y, 19, `${number}.`) +
    lines.map((line, i) => word(x + 24 + (i % 2) * 10, y + i * 26, 16.5, line)).join("");
  const verse = [
    [
      "De Mast is hoch, de Nacht is swart,",
      "dat Füür steiht op dat Höft;",
      "wi fahrt, wo nüms den Weg mehr weet,",
      "un nüms na uns to röpt.",
    ],
    [
      "Wi sünd uns twölf, un twölf sünd noog,",
      "de Lood geiht in de Grund;",
      "dree Faden Sand, twee Faden Slick,",
      "un een in Schippers Mund.",
    ],
    [
      "De Wind weiht ut Noordost, mien Jung,",
      "de Floot löppt in de Straat;",
      "hol fast den Pinn, hol fast dat Leed,",
      "för Klagen is dat laat.",
    ],
    [
      "Uns Vadder hett den Weg uns wiest,",
      "sien Vadder hett em em;",
      "un wokeen nu de Neegste is,",
      "de höört de See un swemm.",
    ],
    [
      "De Nevel kümmt, de Nevel geiht,",
      "de Steern blifft, wo he is;",
      "wi seht em nich, wi weet em doch,",
      "dat is dat eenzig Wiss.",
    ],
    [
      "Un blifft een ut, so singt wi elf",
      "un laat sien Stimm em free;",
      "wat in den Vers denn fehlt un fehlt,",
      "dat is de See, de See.",
    ],
    [
      "Nu slaap, mien Stadt, de Lamp is an,",
      "de Kutter liggt an Tau;",
      "wi sünd uns twölf, un twölf sünd noog,",
      "un morgen warrt dat grau.",
    ],
  ];
  const cutter = `<g transform="translate(250,190)"><rect width="300" height="216" fill="${ink}"/><path d="M8 150Q70 138 150 150T292 146V208H8Z" fill="#e9ddbf"/>${Array.from({ length: 6 }, (_, i) => `<path d="M10 ${158 + i * 9}q24 -7 48 0t48 0t48 0t48 0t48 0t36 0" stroke="${ink}" stroke-width="3" fill="none"/>`).join("")}${Array.from({ length: 10 }, (_, i) => `<path d="M${10 + (i % 3) * 14} ${16 + i * 12}H${290 - (i % 4) * 18}" stroke="#e9ddbf" stroke-width="${2 + (i % 2)}"/>`).join("")}<path d="M60 128Q150 158 246 122L226 164Q150 178 88 162Z" fill="${ink}" stroke="#e9ddbf" stroke-width="5"/><path d="M150 140V14" stroke="#e9ddbf" stroke-width="6"/><path d="M158 22L238 120H158ZM142 34Q76 70 70 120H142Z" fill="#e9ddbf" stroke="${ink}" stroke-width="3"/><path d="M170 60l44 52M168 84l24 28M132 56q-40 30 -46 58" stroke="${ink}" stroke-width="3" fill="none"/></g>`;
  const folds = `<g stroke="#8c7444" fill="none" opacity=".4" filter="url(#b2)"><path d="M0 420H800M0 842H800M400 0V1270" stroke-width="7"/></g><g stroke="#fff8e2" opacity=".5" filter="url(#b1)"><path d="M0 424H800M0 846H800M404 0V1270" stroke-width="3"/></g>`;
  return onPaper(
    svg(
      800,
      1270,
      `<rect width="800" height="1270" fill="#e9ddbf"/><g filter="url(#w2)">${word(400, 110, 62, "Dat Lootsenleed", 'text-anchor="middle" font-weight="bold"')}${word(400, 152, 21, "sungen op dat Höft bi Storm un bi Stillen", 'text-anchor="middle" font-style="italic"')}${cutter}
      <path d="M120 436H680M120 442H680" stroke="${ink}" stroke-width="2"/>${[0, 1, 2, 3, 4, 5, 6].map((i) => stanza(i < 4 ? 64 : 426, 494 + (i < 4 ? i : i - 4) * 140 + (i < 4 ? 0 : 70), i + 1, verse[i]!)).join("")}
      <path d="M402 470V1040" stroke="${ink}" stroke-width="1.6"/><path d="M300 1110H500" stroke="${ink}" stroke-width="2"/>${word(400, 1160, 22, "Gedruckt in diesem Jahr", 'text-anchor="middle"')}</g>${folds}<path d="M0 842L26 836L20 850Z" fill="#8c7444" opacity=".7"/>`,
    ),
    71,
    2,
  );
}

function rumLabel(): Promise<Raster> {
  const dots = Array.from(
    { length: 40 },
    (_, i) => `<circle cx="${60 + i * 28.2}" cy="52" r="6"/><circle cx="${60 + i * 28.2}" cy="862" r="6"/>`,
  ).join("");
  const palm = [-152, -112, -66, -24, 16, 48]
    .map(
      (turn, i) =>
        `<path transform="translate(880,300) rotate(${turn})" d="M0 0Q110 ${-56} 236 ${i % 2 ? 26 : 8}Q120 ${-14} 0 14Z" fill="${i % 2 ? "#4d7453" : "#37593f"}" stroke="#22352a" stroke-width="3"/>`,
    )
    .join("");
  return onPaper(
    svg(
      1200,
      920,
      `<rect width="1200" height="920" fill="#ece0c0"/><rect x="30" y="30" width="1140" height="860" rx="40" fill="#8f2f2a"/><g fill="#d9ae54">${dots}</g><rect x="66" y="84" width="1068" height="750" rx="24" fill="#e8d6a4" stroke="#d9ae54" stroke-width="10"/>
      <svg x="86" y="104" width="1028" height="520" viewBox="86 104 1028 520"><rect x="86" y="104" width="1028" height="520" fill="url(#sky)"/><circle cx="430" cy="470" r="150" fill="#f6dd92"/>${Array.from({ length: 13 }, (_, i) => `<path d="M430 470L${430 + 900 * Math.cos((i * Math.PI) / 12)} ${470 - 900 * Math.sin((i * Math.PI) / 12)}" stroke="#f6dd92" stroke-width="12" opacity=".45"/>`).join("")}
      <path d="M86 490H1114V624H86Z" fill="#3f6d78"/><path d="M120 520h190M380 540h260M200 570h300M640 520h170M560 590h200" stroke="#e8d6a4" stroke-width="5" opacity=".8"/><path d="M86 560Q330 480 520 540Q700 500 1114 560V624H86Z" fill="#7c6a43"/>
      <path d="M560 556L584 210H666L692 556Z" fill="#f2e8d0" stroke="#3a2a22" stroke-width="4"/><path d="M632 556L634 210H666L692 556Z" fill="#c4b28b"/><path d="M568 440L574 352H676L683 440Z" fill="#8f2f2a"/><path d="M570 210H680V192H570ZM590 190V136H660V190ZM580 138L625 96L670 138Z" fill="#3a2a22"/><rect x="600" y="142" width="50" height="44" fill="#f6dd92"/><path d="M650 164L1114 110V230ZM600 164L86 120V220Z" fill="#f6dd92" opacity=".6"/>
      <path d="M846 590Q900 440 872 300H894Q930 440 890 590Z" fill="#6b4a2f" stroke="#3a2a22" stroke-width="4"/>${palm}<circle cx="872" cy="318" r="16" fill="#6b4a2f"/><circle cx="898" cy="322" r="15" fill="#543822"/></svg>
      <path d="M86 624H1114V630H86Z" fill="#3a2a22"/>${centred("STERNHÖFTER", 600, 662, 46, 10, "#8f2f2a")}${centred("LEUCHTFEUER-RUM", 600, 742, 58, 14, "#3a2a22")}`,
      gradient("sky", [
        [0, "#b9543f"],
        [0.5, "#dc9b5c"],
        [1, "#efcf8c"],
      ]),
    ),
    73,
    1.2,
    0.7,
  ).then((sheet) => {
    const dots = noise(74);
    return repaint(sheet, (old, x, y) => {
      const dot = (dots(x / 2.3, y / 2.3) - 0.5) * 26;
      return [old[0] + dot, old[1] + dot, old[2] + dot * 0.6];
    });
  });
}

export const PRINTS: Record<string, () => Promise<Raster>> = {
  "fog-signal": fogSignal,
  "smokehouse-at-four": smokehouse,
  "observatory-closed": observatory,
  "ten-harbour-sheets-title": titleSheet,
  "lighthouse-in-the-snow": japanese,
  "regatta-poster": regatta,
  "pilots-song-broadside": broadside,
  "rum-label": rumLabel,
};
