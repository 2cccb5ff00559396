/** Things of the demo museum, as its own studio takes them, and two as draughtsmen do. */
import {
  across,
  blend,
  centred,
  chance,
  clamp,
  glow,
  gradient,
  letters,
  noise,
  type Raster,
  raster,
  repaint,
  round,
  svg,
} from "./canvas.ts";
import { onPaper, studio } from "./techniques.ts";

const many = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => each(i)).join("");

const BACKDROP = gradient("drop", [
  [0, "#c9c8c4"],
  [0.62, "#dddbd6"],
  [0.7, "#cfcdc8"],
  [1, "#b3b1ac"],
]);
const before = (width: number, height: number, body: string, defs = ""): string =>
  svg(width, height, `<rect width="${width}" height="${height}" fill="url(#drop)"/>${body}`, BACKDROP + defs);
const shadow = (x: number, y: number, rx: number, ry: number): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx * 1.1}" ry="${ry * 1.5}" fill="#26221e" opacity=".34" filter="url(#b16)"/><ellipse cx="${x}" cy="${y}" rx="${rx * 0.92}" ry="${ry * 0.6}" fill="#1a1714" opacity=".5" filter="url(#b8)"/>`;

/** Line engraving: the optic with eleven rings above its drum and five below, two prisms cracked. */
function lens(): Promise<Raster> {
  const ink = "#2a2623";
  const ring = (y: number, half: number, height: number) => {
    const dip = half * 0.085;
    const side = (edge: number) =>
      `M${600 - half} ${y + edge}Q600 ${y + edge + dip * 2} ${600 + half} ${y + edge}`;
    const hatch = many(30, (i) => {
      const t = -1 + (i / 29) * 0.9;
      const x = 600 + half * Math.sin((t * Math.PI) / 2);
      const drop = dip * Math.cos((t * Math.PI) / 2) ** 1;
      return `<path d="M${x} ${y + drop}V${y + height + drop}" stroke-width="1"/>`;
    });
    return `<path d="${side(0)}M${600 - half} ${y}V${y + height}M${600 + half} ${y}V${y + height}" stroke-width="2.4"/><path d="${side(height)}" stroke-width="3.4"/><path d="${side(height * 0.45)}" stroke-width=".9"/>${hatch}`;
  };
  const above = many(11, (i) =>
    ring(150 + i * 39 + i * i * 0.2, 150 + 150 * Math.sin(((i + 1) / 12) * 1.57), 27),
  );
  const below = many(5, (i) => ring(930 + i * 40, 302 - i * i * 7, 28));
  const drum = many(9, (i) =>
    ring(632 + i * 31, 308 + 14 * Math.sin(((i + 1) / 10) * Math.PI), i === 4 ? 30 : 24),
  );
  return onPaper(
    svg(
      1200,
      1400,
      `<rect width="1200" height="1400" fill="#ece5d3"/><g fill="none" stroke="${ink}" filter="url(#w2)">${above}${drum}${below}
      <path d="M352 470l14 12l-6 10l18 14M804 560l-10 16l12 8" stroke-width="3.4" transform="translate(60,-214)"/>
      <g stroke-width="6"><path d="M430 150Q300 300 286 620V912Q300 1080 350 1140M770 150Q900 300 914 620V912Q900 1080 850 1140"/></g><path d="M450 118Q600 150 750 118V150Q600 182 450 150Z" stroke-width="4" fill="${ink}" fill-opacity=".2"/><path d="M280 604Q600 664 920 604V628Q600 690 280 628ZM280 908Q600 966 920 908V930Q600 990 280 930Z" stroke-width="3.4" fill="${ink}" fill-opacity=".22"/>
      <path d="M340 1138Q600 1186 860 1138V1176Q600 1226 340 1176Z" stroke-width="4" fill="${ink}" fill-opacity=".24"/><path d="M470 1200L440 1300H760L730 1200M420 1300Q600 1336 780 1300V1326Q600 1360 420 1326Z" stroke-width="4"/>${many(13, (i) => `<path d="M${478 + i * 9} 1208L${452 + i * 9} 1300" stroke-width="1.2"/>`)}<path d="M600 60V118M560 78Q600 40 640 78Q620 118 600 118Q580 118 560 78Z" stroke-width="4"/>
      <path d="M1010 150V1176M994 150H1026M994 1176H1026" stroke-width="2.4"/>${letters("1576", 1040, 640, 22, 2.4, ink)}</g>${centred("VAUTRIN & FILS · PARIS · Nº 418".replace("& ", "").replace("º", "o"), 600, 1364, 17, 2.2, ink)}`,
    ),
    141,
    0.9,
    0.4,
  );
}

function flag(): Promise<Raster> {
  const star = Array.from({ length: 16 }, (_, i) => {
    const [angle, far] = [(i * Math.PI) / 8, i % 2 ? 44 : i % 4 ? 92 : 138];
    return `${600 + Math.sin(angle) * far} ${300 - Math.cos(angle) * far}`;
  }).join("L");
  const wave = (i: number) => {
    const y = 486 + Math.floor(i / 2) * 54;
    const x = 110 + (i % 2) * 495;
    const fresh = i === 7;
    return `<path d="M${x} ${y}${many(4, () => "q30 -32 61 0t61 0")}" stroke="${fresh ? "#f4f1e6" : "#d8d2bd"}" stroke-width="${fresh ? 18 : 15}" fill="none" stroke-linecap="round"/>`;
  };
  const body = `<rect width="1200" height="870" fill="#d5d3ce"/><path d="M64 74H1140V806H64Z" fill="#000" opacity=".35" filter="url(#b8)"/><g filter="url(#w14)"><path d="M56 60H1130L1136 800H60Z" fill="#37506f"/><path d="M${star}Z" fill="#dcd6c2"/>${many(12, wave)}<path d="M56 60H92V800H60Z" fill="#b8ab8a"/>${many(9, (i) => `<circle cx="74" cy="${100 + i * 82}" r="7" fill="#6d6250"/>`)}<path d="M1060 720l60 -6l8 30l-70 8ZM960 100l44 6l-4 38l-44 -4Z" fill="#425b79"/></g>`;
  return raster(svg(1200, 870, body), 0.7).then((model) => {
    const [weave, folds] = [noise(143), noise(144, 2)];
    return repaint(model, (old, x, y) => {
      const silk = Math.sin(x * 1.6) * 1.7 + Math.sin(y * 1.6) * 1.7 + (weave(x / 1.4, y / 40) - 0.5) * 12;
      const fold = (folds(x / 190 + y / 800, y / 420) - 0.5) * 62 + (folds(x / 70 + 30, y / 500) - 0.5) * 22;
      const lit = silk + fold;
      return [old[0] + lit, old[1] + lit, old[2] + lit];
    });
  });
}

/** Pressed or struck metal: `relief` is grey on grey, the light comes from the top left. */
async function metal(
  relief: string,
  seed: number,
  colour: readonly [number, number, number],
  worn: number,
): Promise<Raster> {
  const size = 1000;
  const model = await raster(
    svg(size, size, `<rect width="${size}" height="${size}" fill="#000"/>${relief}`),
    2.2 + worn,
  );
  const [wear, fine] = [noise(seed, 4), noise(seed + 1, 2)];
  const ground = await raster(
    before(size, size, `<circle cx="512" cy="522" r="440" fill="#1d1a17" opacity=".5" filter="url(#b16)"/>`),
  );
  const disc = (x: number, y: number) =>
    Math.hypot(x - 500, y - 500) < 436 + wear(x / 160 + 9, y / 160) * 9 - 4;
  const at = (x: number, y: number) => model.px[3 * (clamp(y, 0, size - 1) * size + clamp(x, 0, size - 1))]!;
  return repaint(ground, (old, x, y) => {
    if (!disc(x, y)) return old;
    const slope = at(x + 3, y + 3) - at(x - 3, y - 3);
    const scratch = (fine(x / 3, y / 3) - 0.5) * 0.14 + (wear(x / 120, y / 120) - 0.5) * 0.5;
    const sheen =
      0.72 +
      0.22 * clamp(1.3 - Math.hypot(x - 340, y - 330) / 560) +
      scratch * 0.55 +
      slope / 170 +
      (at(x, y) - 128) / 900;
    const dirt = clamp((wear(x / 40 + 50, y / 40) - 0.55) * 3) * clamp((150 - at(x, y)) / 120) * 0.5;
    return blend([colour[0] * sheen, colour[1] * sheen, colour[2] * sheen], [40, 32, 22], dirt);
  });
}
const COIN = `<circle cx="500" cy="500" r="434" fill="#707070"/><circle cx="500" cy="500" r="424" fill="none" stroke="#c8c8c8" stroke-width="16"/>`;
const HIGH = "#e8e8e8";

const token = (): Promise<Raster> =>
  metal(
    `${COIN}${round("LOOTS · STERNHOFT", { x: 500, y: 500, radius: 364, from: -92, to: 92 }, 62, 11, "#202020")}${centred("9", 500, 400, 230, 40, "#101010")}${centred("1742", 500, 700, 84, 14, "#202020")}<circle cx="500" cy="128" r="26" fill="#000"/>`,
    151,
    [214, 172, 96],
    3,
  );
const tokenBack = (): Promise<Raster> =>
  metal(
    `${COIN}<g fill="${HIGH}"><path d="M300 620Q500 700 716 600L676 700Q500 760 356 712Z"/><path d="M490 620V270H506V620Z"/><path d="M520 290Q640 400 660 580H520ZM478 310Q390 420 350 590H478Z"/></g><path d="M210 750q40 -26 80 0t80 0t80 0t80 0t80 0t80 0t80 0" stroke="${HIGH}" stroke-width="13" fill="none"/><circle cx="500" cy="128" r="26" fill="#000"/>`,
    152,
    [206, 164, 92],
    6,
  );
const medal = (): Promise<Raster> =>
  metal(
    `${COIN}${round("FEUER AUF DEM HÖFT · 1. OKTOBER 1871", { x: 500, y: 500, radius: 396, from: -128, to: 128 }, 44, 8, HIGH)}<g fill="${HIGH}"><path d="M440 760L464 380H536L560 760ZM446 380H554V358H446ZM470 356V300H530V356ZM460 300L500 258L540 300Z"/><path d="M280 790Q420 730 500 760T730 780L700 816Q500 780 300 820Z"/></g><g fill="#b0b0b0"><path d="M540 322L790 250V390ZM460 322L210 250V390Z"/></g><path d="M500 150L512 192L556 192L520 218L534 260L500 234L466 260L480 218L444 192L488 192Z" fill="#fff"/>`,
    153,
    [206, 208, 210],
    0.4,
  );
const medalBack = (): Promise<Raster> =>
  metal(
    `${COIN}${centred("LVCET", 500, 390, 96, 15, HIGH)}${centred("OMNIBVS", 500, 540, 68, 12, HIGH)}<g fill="none" stroke="${HIGH}" stroke-width="11"><path d="M500 850Q180 800 190 440M500 850Q820 800 810 440"/></g><g fill="${HIGH}">${many(
      15,
      (i) => {
        const angle = (100 + i * 6.3) * (Math.PI / 180);
        return [-1, 1]
          .map(
            (side) =>
              `<ellipse rx="34" ry="11" transform="translate(${500 + side * (Math.sin(angle) * 330 - 6)},${520 - Math.cos(angle) * 320}) rotate(${side * (i * 9 - 70 + (i % 2) * 80)})"/>`,
          )
          .join("");
      },
    )}</g>`,
    154,
    [204, 206, 209],
    0.4,
  );
function dirham(): Promise<Raster> {
  const next = chance(155);
  const kufic = (y: number, width: number) =>
    many(
      Math.floor(width / 62),
      (i) =>
        `<path d="M${500 - width / 2 + i * 62} ${y}h52v${next() > 0.55 ? -76 : -30}${next() > 0.6 ? "h-26v24" : ""}" />`,
    );
  const ring = many(
    60,
    (i) =>
      `<path transform="rotate(${i * 6} 500 500)" d="M480 148h34v${next() > 0.6 ? -34 : -16}M488 148v10"/>`,
  );
  return metal(
    `${COIN}<g fill="none" stroke="${HIGH}" stroke-width="13">${kufic(400, 250)}${kufic(510, 380)}${kufic(620, 300)}${kufic(716, 190)}</g><g fill="none" stroke="${HIGH}" stroke-width="8">${ring}<circle cx="500" cy="500" r="318"/><circle cx="500" cy="500" r="300"/></g><path d="M78 480L170 492M920 420L850 440" stroke="#000" stroke-width="16"/>`,
    156,
    [196, 198, 196],
    1.4,
  );
}

function dish(): Promise<Raster> {
  const slip = "#e9dcb4";
  const sails = many(11, (i) => {
    const [mast, level] = [i % 3, Math.floor(i / 3)];
    const [x, y, w] = [-120 + mast * 120, 20 - level * 66, 96 - level * 14];
    return `<path d="M${x - w / 2} ${y}Q${x} ${y - 24} ${x + w / 2} ${y}L${x + w / 2 - 8} ${y - 46}H${x - w / 2 + 8}Z" fill="${i % 2 ? "#6f8a4a" : slip}"/>`;
  });
  const dots = many(40, (i) => `<circle transform="rotate(${i * 9} 560 560)" cx="560" cy="118" r="8"/>`);
  return studio(
    before(
      1120,
      1120,
      `<circle cx="580" cy="590" r="486" fill="#1d1712" opacity=".5" filter="url(#b16)"/><circle cx="560" cy="560" r="480" fill="url(#clay)"/><circle cx="560" cy="560" r="330" fill="url(#well)"/><circle cx="560" cy="560" r="330" fill="none" stroke="#4a1f14" stroke-width="9" opacity=".6" filter="url(#b4)"/>
      <g filter="url(#w4)"><g fill="none" stroke="${slip}" stroke-width="10"><circle cx="560" cy="560" r="466"/><circle cx="560" cy="560" r="346"/></g><g fill="#6f8a4a">${dots}</g>${round("EET UN SWIG STILL ·· 1764 ··", { x: 560, y: 560, radius: 432, from: -128, to: 222 }, 58, 13, slip)}
      <g transform="translate(566,560)">${sails}<path d="M-234 70Q0 150 240 50L196 156Q0 210 -180 160Z" fill="#3d2018"/><path d="M-234 70Q0 150 240 50M-222 94Q0 176 226 80" stroke="${slip}" stroke-width="10" fill="none"/><path d="M-120 90V-216M0 110V-236M120 96V-216M240 50L310 -10" stroke="${slip}" stroke-width="9"/><path d="M-120 -216h-46l10 10l-10 10h46ZM0 -236h-46l10 10l-10 10h46ZM120 -216h-46l10 10l-10 10h46Z" fill="#6f8a4a"/><g stroke="${slip}" stroke-width="8" fill="none"><path d="M-250 200q34 -24 68 0t68 0t68 0t68 0t68 0t68 0t68 0M-200 236q34 -24 68 0t68 0t68 0t68 0t68 0"/></g></g></g>
      <path d="M200 380Q330 170 560 140Q420 220 330 360Q260 470 210 470Z" fill="#fff" opacity=".18" filter="url(#b16)"/><ellipse cx="330" cy="300" rx="50" ry="16" fill="#fff" opacity=".5" transform="rotate(-44 330 300)" filter="url(#b8)"/><path d="M950 780l44 26l-8 26l-50 -26Z" fill="#a5583a" opacity=".9"/>`,
      glow("clay", [
        [0, "#9a4a2c", 1],
        [0.7, "#92432a", 1],
        [0.86, "#a9552f", 1],
        [1, "#6b2c1c", 1],
      ]) +
        glow(
          "well",
          [
            [0, "#a5532f", 1],
            [1, "#84391f", 1],
          ],
          'cx=".6" cy=".62"',
        ),
    ),
    161,
    0.1,
  );
}

function jellyfish(): Promise<Raster> {
  const jelly = (x: number, y: number, size: number, turn: number) =>
    `<g transform="translate(${x},${y}) rotate(${turn}) scale(${size})" fill="none" stroke="#f0ead6" stroke-linecap="round"><path d="M-62 0Q-60 -78 0 -80Q60 -78 62 0Q46 16 31 2Q15 16 0 2Q-15 16 -31 2Q-46 16 -62 0Z" fill="#f0ead6" fill-opacity=".42" stroke-width="9"/><path d="M-30 -10Q-30 -46 0 -48Q30 -46 30 -10M0 -8V-46" stroke-width="6"/><path d="M-44 14q-22 60 4 120q14 44 -6 90M-15 14q16 60 -6 120q-14 50 10 110M15 14q-14 60 10 130q12 44 -4 80M44 14q22 54 0 110q-12 40 8 76" stroke-width="7"/></g>`;
  const shape =
    "M390 150Q400 132 450 130Q500 132 510 150Q500 196 500 240Q506 300 580 372Q690 486 664 680Q640 850 560 1000Q552 1026 450 1030Q348 1026 340 1000Q260 850 236 680Q210 486 320 372Q394 300 400 240Q400 196 390 150Z";
  return studio(
    before(
      900,
      1200,
      `${shadow(470, 1026, 190, 24)}<path d="${shape}" fill="url(#glaze)"/><clipPath id="body"><path d="${shape}"/></clipPath><g clip-path="url(#body)"><g filter="url(#w4)">${jelly(420, 520, 1.05, -6)}${jelly(560, 700, 0.7, 12)}${jelly(310, 760, 0.62, -14)}${jelly(450, 900, 0.4, 4)}${jelly(610, 520, 0.4, 20)}${jelly(286, 560, 0.36, -20)}</g>
      <path d="M210 100H360Q300 500 350 1040H210Z" fill="#0c2a30" opacity=".5" filter="url(#b32)"/><path d="M700 100H590Q640 560 560 1040H720Z" fill="#0c2329" opacity=".7" filter="url(#b32)"/><path d="M336 430Q300 560 330 760" stroke="#fff" stroke-width="24" opacity=".5" fill="none" filter="url(#b8)"/><ellipse cx="350" cy="452" rx="13" ry="44" fill="#fff" opacity=".75" transform="rotate(22 350 452)" filter="url(#b4)"/><path d="M300 960Q450 1010 600 960V1040H300Z" fill="#6d4328" opacity=".8" filter="url(#b8)"/></g><ellipse cx="450" cy="149" rx="58" ry="15" fill="#12282b"/><path d="M391 150Q400 133 450 132Q500 133 509 150" stroke="#8fb0a0" stroke-width="5" fill="none"/>`,
      gradient("glaze", [
        [0, "#5d8f82"],
        [0.3, "#2f7076"],
        [0.7, "#1f5762"],
        [1, "#3a6656"],
      ]),
    ),
    163,
    0.09,
  );
}

/** As finds are published: the left half in section, the right one as it is seen, stippled. */
function urn(): Promise<Raster> {
  const next = chance(165);
  const half = (t: number) =>
    150 +
    190 * Math.sin(Math.min(1, t * 1.12) * 2.2 + 0.25) * (1 - t * 0.28) -
    (t > 0.75 ? (t - 0.75) * 330 : 0) -
    (t < 0.14 ? (0.14 - t) * 420 : 0);
  const edge = Array.from({ length: 61 }, (_, i) => [half(i / 60), 170 + (i / 60) * 700] as const);
  const right = edge.map(([x, y]) => `${(600 + x).toFixed(1)} ${y.toFixed(1)}`).join("L");
  const left = edge.map(([x, y]) => `${(600 - x).toFixed(1)} ${y.toFixed(1)}`).join("L");
  const inner = [...edge]
    .reverse()
    .map(([x, y]) => `${(600 - x + 26).toFixed(1)} ${Math.min(y, 842).toFixed(1)}`)
    .join("L");
  const stipple = many(5200, () => {
    const t = next();
    const across = next();
    if (next() > 0.1 + across ** 2.4 * 0.95 + (t > 0.7 ? 0.15 : 0)) return "";
    return `<circle cx="${(600 + half(t) * across).toFixed(1)}" cy="${(170 + t * 700).toFixed(1)}" r="${(0.9 + next() * 1.3).toFixed(1)}"/>`;
  });
  const dimples = many(6, (i) => {
    const x = 600 + half(0.3) * Math.sin(((i + 0.4) / 6) * 1.5);
    return `<g transform="translate(${x.toFixed(1)},392)"><ellipse rx="${17 - i * 1.7}" ry="15" fill="#fbf8ef" stroke="#222" stroke-width="2"/><path d="M${-12 + i} -6Q0 -16 ${12 - i} -6" stroke="#222" stroke-width="4" fill="none"/></g>`;
  });
  return onPaper(
    svg(
      1200,
      1080,
      `<rect width="1200" height="1080" fill="#f3efe4"/><g fill="#222" stroke="none">${stipple}</g><path d="M${left}L${inner}Z" fill="#222"/><g fill="none" stroke="#222" stroke-width="3"><path d="M600 170L${right}M600 170V870M600 170L600 170"/><path d="M${600 - edge[0]![0]} 170H${600 + edge[0]![0]}M${600 - edge[60]![0]} 870H${600 + edge[60]![0]}" stroke-width="3.4"/><path d="M600 350Q800 372 ${600 + half(0.24)} 344M600 430Q800 452 ${600 + half(0.37)} 424" stroke-width="2"/></g>${dimples}
      <g stroke="#222" fill="#222"><path d="M430 960H770" stroke-width="2.4" fill="none"/><path d="M430 952h68v14h-68ZM566 952h68v14h-68ZM702 952h68v14h-68Z" stroke="none"/></g>${letters("0", 424, 982, 16, 2.2, "#222")}${letters("10 CM", 756, 982, 16, 2.2, "#222")}${letters("GRAB 17", 60, 60, 20, 2.6, "#222")}`,
    ),
    166,
    0.5,
    0.4,
  );
}

function gnat(): Promise<Raster> {
  const next = chance(167);
  const legs = [
    [-30, 20, -150, 120, -190, 60],
    [-10, 30, -70, 190, -120, 210],
    [14, 30, 60, 180, 30, 250],
    [24, 24, 130, 150, 190, 230],
    [30, 8, 150, 60, 240, 110],
    [-34, 4, -140, 20, -230, -50],
  ]
    .map(
      ([x, y, kneeX, kneeY, footX, footY]) =>
        `<path d="M${x} ${y}Q${(x! + kneeX!) / 2} ${(y! + kneeY!) / 2 - 20} ${kneeX} ${kneeY}L${footX} ${footY}" stroke-width="5"/>${many(9, (i) => `<path d="M${x! + ((kneeX! - x!) * i) / 9} ${y! + ((kneeY! - y!) * i) / 9}l${-7 + next() * 14} ${-12}" stroke-width="1.5"/>`)}`,
    )
    .join("");
  const feeler = (side: number) =>
    many(
      14,
      (i) =>
        `<ellipse cx="${-98 - i * 9}" cy="${-30 + side * (8 + i * 4.4) - i * 2}" rx="6" ry="4" transform="rotate(${side * 10})"/>`,
    );
  const bubbles = many(
    34,
    () =>
      `<circle cx="${220 + next() * 760}" cy="${200 + next() * 520}" r="${2 + next() ** 3 * 15}" fill="#fff1c4" fill-opacity=".25" stroke="#5d2c06" stroke-opacity=".4" stroke-width="2"/>`,
  );
  const shape =
    "M170 470Q150 260 360 190Q560 120 780 170Q1010 210 1040 420Q1060 620 860 710Q640 800 400 740Q190 690 170 470Z";
  return studio(
    before(
      1200,
      900,
      `<ellipse cx="620" cy="720" rx="440" ry="80" fill="#8a4a0c" opacity=".55" filter="url(#b32)"/><ellipse cx="630" cy="730" rx="250" ry="36" fill="#ffcf6a" opacity=".7" filter="url(#b16)"/><path d="${shape}" fill="url(#amber)"/><clipPath id="stone"><path d="${shape}"/></clipPath><g clip-path="url(#stone)"><g filter="url(#b16)"><path d="M120 300Q500 420 1080 240V330Q560 520 140 400Z" fill="#fbd27c" opacity=".5"/><path d="M160 640Q600 560 1060 640V800H160Z" fill="#7a3506" opacity=".55"/><path d="M700 180Q760 400 660 760" stroke="#ffdf9a" stroke-width="18" fill="none" opacity=".4"/></g>${bubbles}
      <g transform="translate(600,430) rotate(-14)" fill="none" stroke="#2a1204" stroke-linecap="round"><g fill="#c98b3a" fill-opacity=".3" stroke-width="3"><path d="M10 -26Q120 -190 290 -170Q330 -120 210 -60Q110 -10 10 -26Z"/><path d="M20 -10Q150 -60 300 -10Q310 50 190 50Q90 40 20 -10Z"/></g><path d="M10 -26Q150 -120 296 -160M40 -34Q150 -80 270 -100M24 -12Q160 -16 300 0M120 -100L240 -130" stroke-width="1.8"/>${legs}<g fill="#2a1204" stroke="none"><ellipse cx="0" cy="-4" rx="52" ry="42"/><circle cx="-72" cy="-22" r="27"/><path d="M36 -20Q140 -10 190 46Q200 74 176 74Q100 50 30 28Z"/>${feeler(-1)}${feeler(1)}</g><path d="M60 -8q10 16 0 36M92 2q10 16 0 38M124 16q8 16 -2 34" stroke="#8a4a12" stroke-width="4"/><circle cx="-82" cy="-28" r="8" fill="#8a4a12" stroke="none"/></g></g>
      <path d="M250 330Q330 220 520 190" stroke="#fff" stroke-width="22" opacity=".65" fill="none" filter="url(#b8)"/><path d="M960 330Q1000 420 980 520" stroke="#fff" stroke-width="12" opacity=".4" fill="none" filter="url(#b4)"/>`,
      glow(
        "amber",
        [
          [0, "#f6bf58", 1],
          [0.5, "#dc8d24", 1],
          [0.85, "#a8560d", 1],
          [1, "#6e2f05", 1],
        ],
        'cx=".5" cy=".62" r=".62"',
      ),
    ),
    168,
    0.05,
  );
}

/** A cast plate or an enamelled sign: the same light on both. */
function plate(): Promise<Raster> {
  return (async () => {
    const model = await raster(
      svg(
        1200,
        700,
        `<rect width="1200" height="700" fill="#3c3c3c"/><rect x="70" y="60" width="1060" height="580" rx="26" fill="#909090"/><rect x="98" y="88" width="1004" height="524" rx="14" fill="#646464"/>${centred("WASSERSTAND", 600, 180, 84, 20, HIGH)}${centred("13. NOV. 1872", 600, 336, 72, 18, HIGH)}<path d="M140 512H1060" stroke="${HIGH}" stroke-width="20"/><path d="M600 560L560 524H640Z" fill="${HIGH}"/>${[
          [120, 110],
          [1080, 110],
          [120, 590],
          [1080, 590],
        ]
          .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="15" fill="${HIGH}"/>`)
          .join("")}`,
      ),
      2.6,
    );
    const [rust, grit, wall] = [noise(171, 4), noise(172, 2), noise(173, 3)];
    const at = (x: number, y: number) => model.px[3 * (clamp(y, 0, 699) * 1200 + clamp(x, 0, 1199))]!;
    return repaint(model, (_old, x, y) => {
      const mortar = y % 176 < 12 || (x + (Math.floor(y / 176) % 2) * 170) % 340 < 12;
      const inside = x > 66 && x < 1134 && y > 56 && y < 644;
      const slope = at(x - 3, y - 3) - at(x + 3, y + 3);
      const shade = grit(x / 2.4, y / 2.4) * 26 - 13;
      if (!inside) {
        const near =
          clamp(1 - Math.hypot(Math.max(66 - x, x - 1140, 0), Math.max(56 - y, y - 652, 0)) / 22) * 0.5;
        const tone = (0.8 + 0.4 * wall(x / 60, y / 60)) * (1 - near);
        return mortar
          ? [(168 + shade) * tone, (158 + shade) * tone, (142 + shade) * tone]
          : [(138 + shade) * tone, (76 + shade) * tone, (58 + shade) * tone];
      }
      const red = clamp((rust(x / 130, y / 130 - 3) - 0.42) * 3.4) * 0.75;
      const iron = 58 + at(x, y) * 0.17 - slope * 0.62 + shade * 0.8;
      return blend(
        [iron, iron, iron * 1.03],
        [112 + shade - slope * 0.5, 62 + shade - slope * 0.4, 36 + shade * 0.6],
        red,
      );
    });
  })();
}

function sign(): Promise<Raster> {
  const fish = (x: number, y: number) =>
    `<g transform="translate(${x},${y})"><path d="M-190 0Q-110 -60 20 -52Q110 -44 160 -6L218 -44Q204 0 218 44L160 6Q110 44 20 52Q-110 60 -190 0Z" fill="#c9a24a" stroke="#14233c" stroke-width="8"/><path d="M-120 -36Q-96 0 -120 36" stroke="#14233c" stroke-width="7" fill="none"/><circle cx="-150" cy="-8" r="9" fill="#14233c"/>${many(6, (i) => `<path d="M${-70 + i * 36} -26q14 26 0 52" stroke="#14233c" stroke-width="4" fill="none"/>`)}</g>`;
  const white = "#eee9d9";
  const chips = [
    [150, 120, 30],
    [1064, 690, 44],
    [90, 640, 24],
    [1120, 140, 20],
    [610, 64, 15],
    [300, 740, 18],
  ]
    .map(
      ([x, y, size]) =>
        `<g transform="translate(${x},${y})"><path d="M${-size! * 1.4} 0Q${-size!} ${-size!} 0 ${-size! * 1.2}Q${size!} ${-size!} ${size! * 1.3} 0Q${size!} ${size!} 0 ${size!}Q${-size!} ${size! * 1.1} ${-size! * 1.4} 0Z" fill="#8a5a3a"/><path d="M${-size!} 0Q${-size! * 0.6} ${-size! * 0.7} 0 ${-size! * 0.8}Q${size! * 0.8} ${-size! * 0.6} ${size! * 0.8} 0Q${size! * 0.5} ${size! * 0.7} 0 ${size! * 0.7}Z" fill="#2f2622"/><path d="M0 ${size}q4 40 -2 ${size! * 3}" stroke="#8a5a3a" stroke-width="6" opacity=".4" fill="none"/></g>`,
    )
    .join("");
  return studio(
    svg(
      1200,
      800,
      `<rect width="1200" height="800" fill="#cfcdc8"/><rect x="50" y="50" width="1110" height="710" rx="22" fill="#000" opacity=".4" filter="url(#b8)"/><rect x="40" y="36" width="1120" height="724" rx="20" fill="url(#blue)"/><rect x="66" y="62" width="1068" height="672" rx="10" fill="none" stroke="${white}" stroke-width="10"/>
      ${centred("J. CLAUSEN", 600, 124, 92, 21, white)}${fish(600, 342)}${centred("SPROTTEN · BÜCKLINGE · AALE", 600, 480, 37, 8, white)}${centred("EIGENE RÄUCHEREI", 600, 604, 60, 13, "#d9b65c")}
      ${[
        [84, 80],
        [1116, 80],
        [84, 716],
        [1116, 716],
      ]
        .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="9" fill="#3a2d26"/>`)
        .join("")}${chips}<path d="M40 36H700L340 760H40Z" fill="#fff" opacity=".1" filter="url(#b16)"/>`,
      gradient("blue", [
        [0, "#24406e"],
        [0.5, "#1d3660"],
        [1, "#182c50"],
      ]),
    ),
    175,
    0.07,
  );
}

function chronometer(): Promise<Raster> {
  const ink = "#1d1b19";
  const ticks = many(
    60,
    (i) =>
      `<path transform="rotate(${i * 6} 560 520)" d="M560 ${178}v${i % 5 ? 14 : 26}" stroke-width="${i % 5 ? 2 : 4}"/>`,
  );
  const hours = many(12, (i) => {
    const angle = ((i + 1) * Math.PI) / 6;
    const roman = ["I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"][i]!;
    return `<text transform="translate(${560 + Math.sin(angle) * 284},${520 - Math.cos(angle) * 284}) rotate(${(i + 1) * 30})" y="16" font-family="DejaVu Serif Condensed, DejaVu Serif, serif" font-size="46" text-anchor="middle" fill="${ink}" textLength="${16 + roman.length * 14}" lengthAdjust="spacingAndGlyphs">${roman}</text>`;
  });
  return studio(
    svg(
      1120,
      1040,
      `<rect width="1120" height="1040" fill="#4b2a1b"/>${many(60, (i) => `<path d="M0 ${i * 18}Q560 ${i * 18 + Math.sin(i) * 22} 1120 ${i * 18 + 6}" stroke="#2f180f" stroke-width="${1 + (i % 3)}" fill="none" opacity=".5"/>`)}<rect x="70" y="40" width="980" height="960" fill="none" stroke="#c69a4c" stroke-width="10"/><circle cx="572" cy="536" r="438" fill="#000" opacity=".6" filter="url(#b16)"/><path d="M40 500H130V560H40ZM990 500H1080V560H990Z" fill="#b98b3f"/>
      <circle cx="560" cy="520" r="432" fill="url(#brass)"/><circle cx="560" cy="520" r="388" fill="#5b4017"/><circle cx="560" cy="520" r="376" fill="url(#dial)"/><g stroke="${ink}"><circle cx="560" cy="520" r="346" fill="none" stroke-width="2.4"/><circle cx="560" cy="520" r="330" fill="none" stroke-width="1.4"/>${ticks}</g>${hours}
      <g stroke="${ink}" fill="none"><circle cx="560" cy="690" r="94" stroke-width="2"/>${many(60, (i) => `<path transform="rotate(${i * 6} 560 690)" d="M560 600v${i % 5 ? 7 : 14}" stroke-width="1.6"/>`)}<circle cx="560" cy="360" r="70" stroke-width="2"/>${many(8, (i) => `<path transform="rotate(${-140 + i * 40} 560 360)" d="M560 294v14" stroke-width="2"/>`)}</g>
      <text x="560" y="470" font-family="DejaVu Serif, serif" font-style="italic" font-size="27" text-anchor="middle" fill="${ink}">Pennard &amp; Lisle</text><text x="560" y="578" font-family="DejaVu Serif, serif" font-size="22" text-anchor="middle" fill="${ink}">LONDON</text><text x="400" y="536" font-family="DejaVu Serif, serif" font-size="22" text-anchor="middle" fill="${ink}">No. 612</text><text x="720" y="536" font-family="DejaVu Serif, serif" font-size="22" text-anchor="middle" fill="${ink}">Two Days</text>
      <g fill="#c89b3f" stroke="#6d4d15" stroke-width="1.5"><path transform="rotate(-62 560 520)" d="M553 540L556 340Q540 310 560 286Q580 310 564 340L567 540Z"/><path transform="rotate(44 560 520)" d="M555 540L558 250L560 216L562 250L565 540Z"/><path transform="rotate(150 560 690)" d="M558 706L559 610H561L562 706Z"/><path transform="rotate(-40 560 360)" d="M557 372L560 302L563 372Z"/><circle cx="560" cy="520" r="15"/></g>
      <path d="M250 420Q330 230 540 180Q400 260 330 420Q290 520 300 620Q240 540 250 420Z" fill="#fff" opacity=".34" filter="url(#b16)"/>`,
      across("brass", [
        [0, "#f0d690"],
        [0.4, "#b98b3f"],
        [0.7, "#8a6226"],
        [1, "#d9b464"],
      ]) +
        glow(
          "dial",
          [
            [0, "#f3efe3", 1],
            [1, "#d4cdbb", 1],
          ],
          'cx=".4" cy=".36" r=".8"',
        ),
    ),
    177,
    0.05,
  );
}

export const THINGS: Record<string, () => Promise<Raster>> = {
  "fresnel-lens": lens,
  "pilots-flag": flag,
  "pilots-token-front": token,
  "pilots-token-back": tokenBack,
  "medal-1871-front": medal,
  "medal-1871-back": medalBack,
  dirham,
  "dish-with-a-ship": dish,
  "vase-with-jellyfish": jellyfish,
  "urn-from-grave-17": urn,
  "amber-with-a-gnat": gnat,
  "high-water-mark": plate,
  "smokehouse-sign": sign,
  "marine-chronometer": chronometer,
};
