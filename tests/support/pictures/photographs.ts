/** Photographs of the demo museum, from albumen to autochrome. */
import {
  across,
  blend,
  chance,
  clamp,
  css,
  glow,
  gradient,
  noise,
  type Raster,
  raster,
  repaint,
  svg,
} from "./canvas.ts";
import { ALBUMEN, autochrome, CYANOTYPE, PLATE, photograph, SILVER } from "./techniques.ts";

const grey = (tone: number): string => css([tone, tone, tone]);
const many = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => each(i)).join("");

const BRICKS = `<filter id="rough"><feTurbulence baseFrequency=".06 .1" numOctaves="4" seed="3" result="t"/><feColorMatrix in="t" values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  .9 .5 0 0 -.45"/><feComposite in2="SourceGraphic" operator="in"/><feComposite in2="SourceGraphic" operator="over"/></filter>`;

/** The boat on the roof of the net store, in water that the long exposure made smooth. */
function flood(): Promise<Raster> {
  const next = chance(81);
  const shingles = many(15, (row) =>
    many(
      44,
      (i) =>
        `<rect x="${170 + i * 20 - row * 4 + (row % 2) * 9}" y="${392 + row * 13}" width="18.6" height="12" fill="${grey(78 + next() * 44)}"/>`,
    ),
  );
  const planks = many(
    34,
    (i) => `<rect x="${196 + i * 22}" y="585" width="20.5" height="160" fill="${grey(48 + next() * 30)}"/>`,
  );
  const drift = many(
    46,
    () =>
      `<rect x="${next() * 1200}" y="${735 + next() ** 2 * 130}" width="${18 + next() * 80}" height="${3 + next() * 7}" fill="${grey(50 + next() * 60)}" transform="rotate(${next() * 14 - 7} 600 800)"/>`,
  );
  return photograph(
    svg(
      1200,
      930,
      `<rect width="1200" height="930" fill="url(#sky)"/><g filter="url(#b8)" fill="${grey(168)}"><path d="M0 560V470L70 410L140 470V560ZM960 590V440L1010 390L1060 440V590ZM1070 590V470H1200V590Z"/><path d="M1120 470V300H1126V470ZM1160 480V260H1166V480Z"/></g>
      <g filter="url(#rough)"><path d="M130 590L250 392H930L1052 590Z" fill="${grey(84)}"/><clipPath id="roof"><path d="M130 590L250 392H930L1052 590Z"/></clipPath><g clip-path="url(#roof)">${shingles}</g>${planks}<rect x="196" y="583" width="748" height="12" fill="${grey(30)}"/><rect x="420" y="630" width="92" height="120" fill="${grey(22)}"/><rect x="700" y="630" width="70" height="60" fill="${grey(26)}"/><path d="M735 630V690M700 660H770" stroke="${grey(110)}" stroke-width="5"/></g>
      <path d="M330 330Q560 420 860 318Q842 400 780 424Q560 470 404 420Q350 396 330 330Z" fill="url(#hull)"/><path d="M330 330Q560 420 860 318L852 340Q560 442 340 352Z" fill="${grey(206)}"/><path d="M356 372Q560 452 838 366M378 398Q560 458 812 396" stroke="${grey(30)}" stroke-width="3" fill="none"/><path d="M400 346L640 352M470 372V352M600 376V354M720 362V342" stroke="${grey(40)}" stroke-width="9"/>
      <path d="M420 338L800 300M440 350L812 318" stroke="${grey(226)}" stroke-width="6"/><path d="M400 342l40 -6l4 14l-40 6Z" fill="${grey(230)}"/><path d="M596 360V130" stroke="${grey(36)}" stroke-width="9"/><path d="M596 140L430 352M596 140L770 330" stroke="${grey(60)}" stroke-width="2"/><path d="M596 170Q650 180 640 300L600 322Z" fill="${grey(120)}" opacity=".8"/>
      <path d="M250 424L900 412" stroke="#000" opacity=".45" stroke-width="22" filter="url(#b8)"/><rect y="735" width="1200" height="195" fill="url(#water)"/><g filter="url(#b2)">${drift}</g><g opacity=".35" filter="url(#b8)"><rect x="196" y="740" width="748" height="120" fill="${grey(30)}"/></g>
      <path d="M1040 760L1064 520M1090 770L1100 560" stroke="${grey(40)}" stroke-width="11"/><path d="M60 900Q220 860 420 930H60Z" fill="${grey(34)}"/>`,
      BRICKS +
        gradient("sky", [
          [0, grey(222)],
          [1, grey(196)],
        ]) +
        gradient("hull", [
          [0, grey(120)],
          [1, grey(34)],
        ]) +
        gradient("water", [
          [0, grey(176)],
          [1, grey(120)],
        ]),
    ),
    { seed: 82, ...ALBUMEN, vignette: 0.75, age: 1.1, grain: 0.05, blur: 0.9 },
  );
}

function ice(): Promise<Raster> {
  const next = chance(83);
  const person = (x: number, y: number, size: number) => {
    const tone = grey(18 + next() * 22);
    const skirt = next() > 0.5;
    const turn = next() > 0.5 ? 1 : -1;
    return `<g transform="translate(${x},${y}) scale(${size * turn},${size})" fill="${tone}" stroke="${tone}"><circle cy="-76" r="7" stroke="none"/><path d="M-9 -84H9L6 -90H-6Z"/>${skirt ? '<path d="M-9 -68H9L20 -8H-20Z"/>' : '<path d="M-10 -68H10L9 -34H-9Z"/><path d="M-4 -36L-14 0M4 -36L18 -10L10 0" stroke-width="8" fill="none"/>'}<path d="M-8 -62L-22 -42M8 -62L24 -48" stroke-width="6" fill="none"/><ellipse cx="0" cy="3" rx="24" ry="3" fill="#000" opacity=".25" stroke="none"/></g>`;
  };
  const skaters = [
    [150, 640, 1.1],
    [214, 646, 1.05],
    [380, 600, 0.75],
    [470, 590, 0.66],
    [520, 596, 0.7],
    [610, 570, 0.5],
    [660, 574, 0.52],
    [318, 566, 0.46],
    [820, 700, 1.5],
    [1010, 590, 0.7],
    [1064, 586, 0.66],
    [900, 566, 0.46],
    [740, 566, 0.44],
    [56, 580, 0.6],
  ]
    .map(([x, y, size]) => person(x!, y!, size!))
    .join("");
  const file = many(
    9,
    (i) => `<path d="M${830 + i * 13} ${523 - (i % 2)}v-13" stroke="${grey(60)}" stroke-width="4"/>`,
  );
  const ship = (x: number, size: number) =>
    `<g transform="translate(${x},548) scale(${size})" stroke="${grey(44)}" fill="${grey(40)}"><path d="M-150 -36Q0 -6 170 -46L150 4H-130Z"/><path d="M-70 -20V-340M50 -26V-380" stroke-width="8"/><path d="M-130 -260H-10M-116 -170H-20M-10 -300H112M-6 -200H110M-70 -330L-180 -40M50 -370L220 -60M-70 -330L50 -60M50 -370L-70 -60" stroke-width="3" fill="none"/><path d="M-130 -260q60 22 120 0v14q-60 20 -120 0ZM-10 -300q60 22 122 0v14q-60 20 -122 0Z" fill="${grey(150)}" stroke="none"/></g>`;
  return photograph(
    svg(
      1200,
      900,
      `<rect width="1200" height="520" fill="url(#sky)"/><rect y="500" width="1200" height="400" fill="url(#ice)"/><path d="M0 512Q200 496 420 508T1200 502V520H0Z" fill="${grey(150)}" filter="url(#b4)"/>
      <path d="M0 540V420L40 380L80 420V400L130 350L180 400V540Z" fill="${grey(104)}" filter="url(#b2)"/>${ship(330, 0.9)}${ship(560, 0.55)}${file}
      <g stroke="${grey(236)}" fill="none" opacity=".6">${many(60, () => `<path d="M${next() * 1200} ${560 + next() ** 1.5 * 330}q${60 + next() * 90} ${-8 + next() * 16} ${120 + next() * 180} 0" stroke-width="${1 + next() * 2}"/>`)}</g><path d="M600 700Q760 660 1200 720V760Q800 700 600 712Z" fill="${grey(150)}" opacity=".6" filter="url(#b4)"/>
      ${skaters}<g transform="translate(500,760)" fill="${grey(26)}"><path d="M-110 -120Q-40 -140 60 -120L96 -180L120 -186L146 -150L130 -138L112 -146L90 -70Q90 -40 84 0H68L64 -60H-70L-80 0H-98L-104 -60Q-130 -100 -110 -120Z"/><path d="M-108 -112Q-136 -90 -130 -40" stroke="${grey(26)}" stroke-width="8" fill="none"/><path d="M-330 -20H-150L-140 -6H-350Z"/><path d="M-310 -22V-70H-180V-22M-150 -16L-110 -90" stroke="${grey(30)}" stroke-width="7" fill="none"/><ellipse cx="-100" cy="4" rx="250" ry="6" opacity=".3"/></g>
      <g fill="${grey(40)}" opacity=".6" filter="url(#b8)"><ellipse cx="720" cy="806" rx="54" ry="15"/><ellipse cx="762" cy="792" rx="15" ry="12"/></g><g fill="${grey(60)}" opacity=".4" filter="url(#b4)"><ellipse cx="680" cy="808" rx="34" ry="11"/></g>`,
      gradient("sky", [
        [0, grey(178)],
        [1, grey(226)],
      ]) +
        gradient("ice", [
          [0, grey(214)],
          [0.4, grey(196)],
          [1, grey(156)],
        ]),
    ),
    { seed: 84, ...PLATE, dark: [24, 22, 20], bright: [226, 220, 206], age: 0.8, vignette: 0.45 },
  );
}

function keeper(): Promise<Raster> {
  const rings = many(17, (i) => {
    const y = 190 + i * 27 + (i > 7 ? 80 : 0);
    const bend = (y - 480) / 9;
    return `<path d="M330 ${y}Q600 ${y + bend} 870 ${y}V${y + 19}Q600 ${y + bend + 19} 330 ${y + 19}Z" fill="url(#glass)"/>`;
  });
  const selves = many(
    11,
    (i) =>
      `<g transform="translate(${342 + i * 35},${470 + ((i * 7) % 3) * 5})" fill="${grey(36)}"><rect x="-6" y="-14" width="12" height="12"/><path d="M-8 18L-3 -2H3L8 18M12 18L9 -8Q12 -16 16 -8L18 18Z"/></g>`,
  );
  return photograph(
    svg(
      1200,
      900,
      `<rect width="1200" height="900" fill="${grey(196)}"/><path d="M0 610H1200V700H0Z" fill="${grey(172)}" filter="url(#b4)"/><g><rect x="310" y="110" width="580" height="640" fill="${grey(70)}"/>${rings}<path d="M330 422Q600 410 870 422V500Q600 488 330 500Z" fill="url(#glass)"/><ellipse cx="600" cy="458" rx="120" ry="44" fill="#fff" opacity=".5" filter="url(#b16)"/>${selves}</g>
      <g stroke="${grey(34)}" fill="none"><path d="M260 90V760M460 90V760M700 90V760M940 90V760" stroke-width="18"/><path d="M240 330H960M240 560H960" stroke-width="9"/></g><path d="M220 100L600 -60L980 100Z" fill="${grey(44)}"/><path d="M220 96H980V122H220Z" fill="${grey(28)}"/><path d="M60 760H1140V812H60Z" fill="${grey(50)}"/><path d="M60 812H1140L1080 900H120Z" fill="${grey(112)}"/>
      <g stroke="${grey(30)}" stroke-width="8">${many(16, (i) => `<path d="M${70 + i * 70} 762V600"/>`)}<path d="M40 600H1160M40 680H1160" stroke-width="11"/></g>
      <g transform="translate(800,766)"><path d="M-70 0L-62 -190Q-78 -330 -30 -352H40Q84 -330 76 -190L70 0H14L4 -180L-14 0Z" fill="${grey(30)}"/><path d="M-40 -330Q-120 -380 -150 -470" stroke="${grey(34)}" stroke-width="40" fill="none" stroke-linecap="round"/><path d="M50 -320Q110 -250 86 -180" stroke="${grey(28)}" stroke-width="38" fill="none" stroke-linecap="round"/><circle cx="-154" cy="-486" r="20" fill="${grey(150)}"/><path d="M-200 -500Q-180 -530 -130 -508L-140 -470L-190 -472Z" fill="${grey(216)}"/><ellipse cx="2" cy="-398" rx="36" ry="44" fill="${grey(146)}"/><path d="M-34 -396Q-36 -350 2 -344Q38 -350 38 -396Q20 -366 0 -366Q-20 -366 -34 -396Z" fill="${grey(214)}"/><path d="M-48 -414H46Q44 -458 0 -460Q-44 -458 -48 -414Z" fill="${grey(22)}"/><path d="M-60 -412H20V-424H-56Z" fill="${grey(14)}"/><path d="M0 -330V-200M-8 -300h2M-8 -262h2M-8 -224h2" stroke="${grey(120)}" stroke-width="6"/></g><path d="M0 0L320 0L40 900H0Z" fill="${grey(230)}" opacity=".25" filter="url(#b32)"/>`,
      gradient("glass", [
        [0, grey(236)],
        [0.4, grey(150)],
        [0.8, grey(78)],
        [1, grey(190)],
      ]),
    ),
    { seed: 86, ...PLATE, age: 0.7, vignette: 0.4 },
  );
}

/** Half a moon: light from the right, maria, craters along the terminator; and the dome's dust. */
async function moon(): Promise<Raster> {
  const [w, h] = [900, 1200];
  const [surface, maria] = [noise(91, 4), noise(92, 3)];
  const next = chance(93);
  const craters = Array.from({ length: 190 }, () => {
    const [angle, far] = [next() * Math.PI * 2, Math.sqrt(next()) * 0.96];
    return { x: Math.cos(angle) * far, y: Math.sin(angle) * far, size: 0.012 + next() ** 5 * 0.085 };
  });
  const heightOf = (x: number, y: number) => {
    let sum = surface(x * 9 + 30, y * 9 + 30) * 0.035;
    for (const crater of craters) {
      const far = Math.hypot(x - crater.x, y - crater.y) / crater.size;
      if (far < 1.7)
        sum +=
          crater.size * (far < 1 ? -0.55 * (1 - far * far) : 0.3 * (1.7 - far)) +
          (far < 0.16 ? crater.size * 0.22 : 0);
    }
    return sum;
  };
  const plate = await raster(svg(w, h, `<rect width="${w}" height="${h}" fill="#000"/>`));
  const sky = repaint(plate, (_old, px, py) => {
    const [x, y] = [(px - 430) / 352, (py - 590) / 352];
    const far = x * x + y * y;
    if (far > 1) return [7, 7, 7];
    const sea = clamp((maria(x * 1.7 + 8, y * 1.7 + 8.4) - 0.52) * 6);
    const slope = (heightOf(x + 0.006, y) - heightOf(x - 0.006, y)) / 0.012;
    const lit = clamp((x + 0.02) * 1.15 - slope * 0.42 * Math.sqrt(Math.max(0.05, 1 - far)));
    const tone =
      lit ** 0.62 * (0.9 - 0.36 * sea) * (0.82 + 0.3 * surface(x * 30, y * 30)) * 235 + (x < 0 ? 5 : 0);
    return [tone, tone, tone];
  });
  const dust = many(
    26,
    () =>
      `<circle cx="${next() * w}" cy="${next() * h}" r="${1.5 + next() * 3.4}" fill="none" stroke="${grey(190)}" stroke-width="1.6"/>`,
  );
  const rim = await raster(
    svg(
      w,
      h,
      `<rect width="${w}" height="${h}" fill="#000"/>${dust}<path d="M0 0H${w}V${h}H0Z" fill="none" stroke="${grey(52)}" stroke-width="34"/><path d="M60 1140l90 -14M120 70l40 200" stroke="${grey(90)}" stroke-width="1.5"/>`,
    ),
  );
  const both = repaint(sky, (old, x, y) => {
    const more = rim.px[3 * (y * w + x)]!;
    return [Math.max(old[0], more), Math.max(old[1], more), Math.max(old[2], more)];
  });
  const [fine] = [noise(94)];
  return repaint(both, (old, x, y) =>
    blend(PLATE.dark, PLATE.bright, clamp(old[0] / 255 + (fine(x / 1.8, y / 1.8) - 0.5) * 0.07)),
  );
}

function geraniums(): Promise<Raster> {
  const next = chance(95);
  const pot = (x: number, size: number) => {
    const leaves = many(30, () => {
      const [dx, dy] = [(next() - 0.5) * 190, -60 - next() * 210];
      return `<g transform="translate(${dx},${dy})"><circle r="${19 + next() * 15}" fill="hsl(${96 + next() * 26},${28 + next() * 14}%,${20 + next() * 20}%)"/></g>`;
    });
    const heads = many(7, () => {
      const [dx, dy] = [(next() - 0.5) * 180, -170 - next() * 180];
      return `<g transform="translate(${dx},${dy})"><path d="M0 10Q4 60 0 130" stroke="#4c5b33" stroke-width="4" fill="none"/>${many(17, () => `<circle cx="${(next() - 0.5) * 58}" cy="${(next() - 0.5) * 46}" r="${8 + next() * 6}" fill="hsl(${356 + next() * 10},${68 + next() * 14}%,${36 + next() * 20}%)"/>`)}</g>`;
    });
    return `<g transform="translate(${x},990) scale(${size})"><ellipse cx="14" cy="118" rx="96" ry="14" opacity=".5"/>${leaves}${heads}<path d="M-76 -26H76L56 116H-56Z" fill="url(#clay)"/><path d="M-86 -52H86V-20H-86Z" fill="url(#clay)"/></g>`;
  };
  return autochrome(
    svg(
      900,
      1200,
      `<rect width="900" height="1200" fill="#2b2622"/>${many(11, (i) => `<rect x="${i * 84}" width="80" height="1080" fill="hsl(${22 + next() * 12},${9 + next() * 7}%,${11 + next() * 6}%)"/>`)}<path d="M560 0L900 0V760Q700 500 560 0Z" fill="#7a6a58" opacity=".25" filter="url(#b32)"/>
      <path d="M0 1080H900V1130H0Z" fill="#9a8a72"/><path d="M0 1130H900V1200H0Z" fill="#3b332b"/><rect x="90" y="90" width="300" height="420" fill="#6f675a"/><rect x="112" y="112" width="256" height="376" fill="#39434a"/><path d="M240 112V488M112 300H368" stroke="#a39a88" stroke-width="13"/><path d="M120 120Q200 260 150 480H120Z" fill="#c9c2b0" opacity=".5"/>
      ${pot(150, 0.98)}${pot(360, 1.1)}${pot(572, 0.95)}${pot(770, 1.05)}`,
      across("clay", [
        [0, "#7b3f28"],
        [0.35, "#b5683f"],
        [1, "#5b2f22"],
      ]),
    ),
    96,
  );
}

/** A page of the pattern album: six vases in blue. */
function patterns(): Promise<Raster> {
  const shapes = [
    "M-34 -150Q-20 -120 -30 -96Q-96 -30 -74 60Q-60 120 -44 136H44Q60 120 74 60Q96 -30 30 -96Q20 -120 34 -150Z",
    "M-46 -150L-30 -70Q-64 20 -50 136H50Q64 20 30 -70L46 -150Z",
    "M-26 -150Q-26 -60 -60 -30Q-110 40 -60 136H60Q110 40 60 -30Q26 -60 26 -150Z",
    "M-70 -60Q-90 40 -50 136H50Q90 40 70 -60Q40 -90 0 -90Q-40 -90 -70 -60Z",
    "M-40 -150Q-60 -40 -36 40Q-30 100 -60 136H60Q30 100 36 40Q60 -40 40 -150Z",
    "M-60 -110Q-110 -20 -80 70Q-60 120 -40 136H40Q60 120 80 70Q110 -20 60 -110Z",
  ];
  const jelly = (x: number, y: number, size: number) =>
    `<g transform="translate(${x},${y}) scale(${size})" fill="none" stroke="${grey(190)}" opacity=".3"><path d="M-26 0Q-24 -32 0 -32Q24 -32 26 0Q13 7 0 0Q-13 7 -26 0Z" fill="${grey(190)}"/><path d="M-16 4q-8 26 2 50M0 4q8 30 -2 60M16 4q10 26 0 46" stroke-width="3.4"/></g>`;
  const sheets = shapes
    .map((shape, i) => {
      const [x, y] = [225 + (i % 3) * 375, 250 + Math.floor(i / 3) * 460];
      return `<g transform="translate(${x},${y}) rotate(${[0.6, -0.8, 0.3, -0.4, 0.9, -0.2][i]})"><rect x="-155" y="-200" width="310" height="400" fill="${grey(236)}"/><rect x="-141" y="-186" width="282" height="372" fill="url(#bg)"/><ellipse cx="14" cy="138" rx="90" ry="10" fill="#000" opacity=".5" filter="url(#b4)"/><path d="${shape}" fill="url(#pot)"/>${i === 2 || i === 4 ? jelly(-8, 20, 0.8) + jelly(22, 84, 0.5) : ""}${i === 0 ? '<path d="M-78 10Q0 40 80 4M-76 36Q0 66 76 30" stroke="#ddd" stroke-width="4" fill="none" opacity=".6"/>' : ""}${i === 5 ? '<path d="M-50 130Q-30 20 20 -90M-16 134Q0 40 46 -60M20 134Q30 60 74 0" stroke="#ddd" stroke-width="4" fill="none" opacity=".55"/>' : ""}<path d="M-120 172h${30 + i * 5}M70 172h50" stroke="#eee" stroke-width="3"/></g>`;
    })
    .join("");
  return photograph(
    svg(
      1200,
      960,
      `<rect width="1200" height="960" fill="${grey(244)}"/>${sheets}`,
      across("pot", [
        [0, grey(40)],
        [0.35, grey(196)],
        [0.6, grey(140)],
        [1, grey(30)],
      ]) +
        gradient("bg", [
          [0, grey(96)],
          [1, grey(52)],
        ]),
    ),
    { seed: 97, ...CYANOTYPE, vignette: 0.15, age: 0.9, grain: 0.06 },
  );
}

/** Two pictures side by side, what is near a little further apart. */
function stereo(): Promise<Raster> {
  const scene = (shift: number) => {
    const next = chance(98);
    const child = (x: number, y: number, size: number, tone: number) =>
      `<g transform="translate(${x + shift * 2},${y}) scale(${size})"><ellipse cy="4" rx="30" ry="6" opacity=".4"/><path d="M-16 0L-20 -60Q-26 -110 0 -112Q26 -110 20 -60L16 0H4L0 -50L-4 0Z" fill="${grey(tone)}"/><circle cy="-128" r="16" fill="${grey(184)}"/><path d="M-19 -130Q-18 -152 0 -152Q18 -152 19 -130Z" fill="${grey(tone + 24)}"/></g>`;
    const stones = many(26, (i) => {
      const angle = (i / 26) * Math.PI * 2;
      const [x, y] = [280 + Math.cos(angle) * 128 + shift * 4, 430 + Math.sin(angle) * 54];
      return `<ellipse cx="${x}" cy="${y}" rx="${17 + next() * 9}" ry="${12 + next() * 6}" fill="${grey(120 + next() * 80)}"/>`;
    });
    return `<rect width="560" height="560" fill="${grey(206)}"/><path d="M0 210Q160 170 320 196T560 180V560H0Z" fill="${grey(132)}"/><path d="M40 196Q60 130 90 150Q130 110 150 190ZM430 186Q450 120 490 140Q520 110 560 180Z" fill="${grey(96)}" filter="url(#b2)"/>${many(120, () => `<path d="M${next() * 560} ${220 + next() * 340}l${6 + next() * 14} ${-4 + next() * 8}" stroke="${grey(80 + next() * 110)}" stroke-width="${2 + next() * 3}"/>`)}
    <path d="M120 430Q140 340 280 336Q430 342 446 430Q440 510 280 516Q120 508 120 430Z" fill="${grey(58)}"/>${stones}<path d="M${246 + shift * 5} 470Q${222 + shift * 5} 420 ${254 + shift * 5} 392H${308 + shift * 5}Q${340 + shift * 5} 420 ${314 + shift * 5} 470Z" fill="${grey(92)}"/><ellipse cx="${281 + shift * 5}" cy="392" rx="28" ry="8" fill="${grey(30)}"/><path d="M${254 + shift * 5} 392Q${240 + shift * 5} 420 ${256 + shift * 5} 462" stroke="${grey(160)}" stroke-width="7" fill="none" opacity=".7"/>
    ${child(90, 330, 0.95, 50)}${child(140, 306, 0.8, 76)}${child(206, 292, 0.72, 40)}${child(268, 286, 0.68, 92)}${child(330, 290, 0.72, 54)}${child(396, 304, 0.8, 36)}${child(462, 330, 0.96, 70)}${child(500, 436, 1.3, 44)}<path d="M${518 + shift * 3} 370l30 22l-8 8l-30 -22ZM${540 + shift * 3} 396l22 24" stroke="${grey(226)}" stroke-width="5" fill="${grey(226)}"/><path d="M${440 + shift * 4} 560l20 -70l14 4l-20 70Z" fill="${grey(190)}"/><path d="M${436 + shift * 4} 540l12 -40M${470 + shift * 4} 548l8 -44" stroke="${grey(20)}" stroke-width="3"/>`;
  };
  return photograph(
    svg(
      1300,
      660,
      `<rect width="1300" height="660" rx="22" fill="${grey(170)}"/><svg x="66" y="46" width="560" height="560">${scene(-3)}</svg><svg x="674" y="46" width="560" height="560">${scene(3)}</svg>`,
    ),
    { seed: 99, ...SILVER, dark: [38, 31, 26], bright: [232, 220, 194], vignette: 0.2, age: 0.7 },
  );
}

function sailor(): Promise<Raster> {
  const parrot = (turn: number, opacity: number) =>
    `<g transform="translate(640,470) rotate(${turn})" opacity="${opacity}"><path d="M-36 -40Q-44 -92 4 -96Q48 -92 46 -46Q40 -10 30 0H-26Z" fill="${grey(150)}"/><path d="M-34 -62Q-66 -62 -58 -22Q-44 -24 -30 -40Z" fill="${grey(36)}"/><circle cx="-10" cy="-66" r="7" fill="${grey(20)}"/></g>`;
  return photograph(
    svg(
      800,
      1200,
      `<rect width="800" height="1200" fill="${grey(214)}"/><rect x="50" y="46" width="700" height="1010" fill="url(#back)"/><g filter="url(#b4)" opacity=".75"><path d="M50 560H750V660H50Z" fill="${grey(160)}"/><path d="M60 700H750V728H60Z" fill="${grey(196)}"/>${many(10, (i) => `<path d="M${90 + i * 72} 728q-16 50 0 90h24q16 -40 0 -90Z" fill="${grey(190)}"/>`)}<path d="M600 46Q560 300 640 560H750V46Z" fill="${grey(88)}"/></g>
      <path d="M150 1056Q150 720 250 640Q330 600 400 600Q480 600 550 650Q650 740 650 1056Z" fill="${grey(34)}"/><path d="M300 620L400 760L498 620L440 590H356Z" fill="${grey(216)}"/><path d="M300 620Q280 680 330 730L396 790L398 752Q330 690 330 622ZM500 620Q520 680 470 730L404 790L402 752Q470 690 470 622Z" fill="${grey(60)}"/><path d="M386 760L400 740L416 760L436 900H366Z" fill="${grey(22)}"/>
      <path d="M344 520H452L460 610Q400 660 338 610Z" fill="${grey(148)}"/><path d="M306 400Q300 280 398 274Q496 280 490 400Q490 500 440 548Q398 580 356 548Q306 500 306 400Z" fill="url(#face)"/><path d="M308 450Q310 560 352 584Q398 606 446 584Q486 560 490 450Q470 500 440 496Q398 476 356 496Q326 500 308 450Z" fill="${grey(48)}"/><path d="M372 506q26 -10 52 0q-26 12 -52 0Z" fill="${grey(96)}"/><path d="M334 396q22 -12 44 0M420 396q22 -12 42 0" stroke="${grey(50)}" stroke-width="8" fill="none"/><ellipse cx="358" cy="416" rx="10" ry="7" fill="${grey(34)}"/><ellipse cx="440" cy="416" rx="10" ry="7" fill="${grey(34)}"/><path d="M398 416Q388 452 384 466Q398 476 414 466" stroke="${grey(104)}" stroke-width="6" fill="none"/>
      <path d="M290 350Q280 250 398 240Q516 250 506 350Q400 310 290 350Z" fill="${grey(26)}"/><path d="M286 344Q400 300 510 344V366Q400 322 286 366Z" fill="${grey(44)}"/><path d="M500 350q30 30 22 80M506 346q44 20 40 66" stroke="${grey(26)}" stroke-width="9" fill="none"/>
      <path d="M160 1056Q180 900 300 880Q420 900 560 880L600 1056Z" fill="${grey(28)}"/><path d="M600 720Q580 560 614 470H670Q712 560 690 700Q672 780 650 860Q630 800 600 720Z" fill="${grey(122)}"/><path d="M650 500Q700 600 676 740L650 860Q640 700 650 500Z" fill="${grey(74)}"/>${parrot(-14, 0.62)}${parrot(16, 0.6)}<path d="M560 690Q600 664 660 690L650 724Q600 700 566 724Z" fill="${grey(40)}"/>
      <path d="M260 1112H540M300 1138H500" stroke="${grey(110)}" stroke-width="5"/>`,
      glow(
        "back",
        [
          [0, grey(196), 1],
          [1, grey(124), 1],
        ],
        'cx=".4" cy=".35" r=".8"',
      ) +
        across("face", [
          [0, grey(150)],
          [0.4, grey(206)],
          [1, grey(124)],
        ]),
    ),
    { seed: 101, ...ALBUMEN, vignette: 0.5, age: 1, blur: 1.5 },
  );
}

/** Light is what the rays did not pass: white lead, the nails of the stretcher, and the boy who was painted out. */
function xRay(): Promise<Raster> {
  const bright = (opacity: number) => `fill="#fff" opacity="${opacity}"`;
  const next = chance(103);
  return photograph(
    svg(
      900,
      1120,
      `<rect width="900" height="1120" fill="${grey(44)}"/>${many(90, (i) => `<path d="M0 ${i * 12.6}H900M${i * 10} 0V1120" stroke="${grey(62)}" stroke-width="2"/>`)}<g filter="url(#b4)"><path d="M180 1120Q190 800 330 700Q420 650 520 690Q680 780 700 1120Z" ${bright(0.2)}/><path d="M330 700Q420 800 520 690L480 640H370Z" ${bright(0.75)}/><path d="M320 470Q316 330 424 320Q534 330 530 470Q520 620 424 660Q330 620 320 470Z" ${bright(0.62)}/><path d="M300 480Q290 270 424 262Q560 270 546 490Q540 380 424 370Q310 380 300 480Z" ${bright(0.26)}/><ellipse cx="620" cy="930" rx="70" ry="36" ${bright(0.55)}/><path d="M560 950H860V1060H520Z" ${bright(0.3)}/><ellipse cx="290" cy="960" rx="54" ry="40" ${bright(0.5)}/></g>
      <g filter="url(#b8)"><path d="M640 760Q650 640 720 620Q800 640 800 780L790 1010H660Z" ${bright(0.22)}/><ellipse cx="716" cy="540" rx="52" ry="66" ${bright(0.36)}/><path d="M660 620Q716 680 776 620L756 600H676Z" ${bright(0.42)}/></g><g fill="${grey(60)}" filter="url(#b4)"><ellipse cx="384" cy="470" rx="22" ry="10"/><ellipse cx="468" cy="470" rx="22" ry="10"/><path d="M390 580q34 12 70 0v10q-36 12 -70 0Z"/><ellipse cx="698" cy="536" rx="9" ry="6"/><ellipse cx="736" cy="536" rx="9" ry="6"/></g>
      ${many(30, (i) => `<circle cx="${i < 15 ? 16 : 884}" cy="${40 + (i % 15) * 74}" r="7" fill="#fff"/>`)}<path d="M60 0V1120M840 0V1120M0 60H900M0 1060H900" stroke="${grey(100)}" stroke-width="5" opacity=".5"/>${many(34, () => `<path d="M${next() * 900} ${next() * 1120}l${20 - next() * 40} ${60 * next()}" stroke="${grey(20)}" stroke-width="1.6"/>`)}`,
    ),
    { seed: 104, dark: [10, 14, 20], bright: [212, 222, 230], vignette: 0.1, age: 0.3 },
  );
}

export const PHOTOGRAPHS: Record<string, () => Promise<Raster>> = {
  "quay-after-the-flood": flood,
  "harbour-in-ice": ice,
  "keeper-on-the-gallery": keeper,
  "moon-first-quarter": moon,
  "geraniums-autochrome": geraniums,
  "pattern-album-page": patterns,
  "krummwik-stereograph": stereo,
  "sailor-with-a-parrot": sailor,
  "portrait-x-ray": xRay,
};
