/** Drawings, plans, pages and sheets of the demo museum. */
import { centred, chance, letters, type Raster, scrawl, svg } from "./canvas.ts";
import { dry, onPaper } from "./techniques.ts";

const many = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => each(i)).join("");
const INK = "#3b2c20";

function comet(): Promise<Raster> {
  const paper = [74, 92, 112] as const;
  const next = chance(111);
  const tail = many(300, () => {
    const [far, wide] = [next(), (next() + next() - 1) * 0.5];
    const [x, y] = [430 + far * 40 + wide * (60 + far * 420), 800 - far * 640];
    return `<path d="M${430 + wide * 40} ${812 - far * 120}L${x} ${y}" stroke="#f2efe4" stroke-width="${2 + next() * 3}" opacity="${(0.2 * (1.15 - far)).toFixed(3)}"/>`;
  });
  const grid = `<g stroke="#dfe3e2" stroke-width="2.4" opacity=".8">${many(9, (i) => `<path d="M${i * 118} 0V1200"/>`)}${many(11, (i) => `<path d="M0 ${i * 118}H950"/>`)}</g>`;
  const stars = many(
    26,
    () =>
      `<circle cx="${40 + next() * 870}" cy="${40 + next() * 820}" r="${2.5 + next() * 3.5}" fill="#f4f1e8"/>`,
  );
  return dry(
    svg(
      950,
      1200,
      `<rect width="950" height="1200" fill="rgb(74,92,112)"/><g filter="url(#b8)">${tail}<path d="M430 810Q470 400 610 120Q480 300 410 800Z" fill="#f2efe4" opacity=".7"/><path d="M430 820Q520 420 760 200Q700 380 440 830Z" fill="#f2efe4" opacity=".4"/></g><g filter="url(#b4)"><path d="M430 812L400 560M426 812Q470 500 560 270M436 812Q520 560 690 330" stroke="#f6f3ea" stroke-width="11" fill="none" opacity=".75"/></g>
      <circle cx="430" cy="820" r="44" fill="#f4f1e8" opacity=".6" filter="url(#b8)"/><circle cx="430" cy="820" r="15" fill="#fffdf6"/><path d="M384 824Q390 872 430 874Q472 872 476 822" stroke="#f6f3ea" stroke-width="5" fill="none"/>${stars}
      <path d="M0 1050Q200 1030 380 1040Q520 1000 700 1030T950 1020V1200H0Z" fill="#25303d"/><path d="M730 1030L742 930H764L776 1030Z" fill="#25303d"/><circle cx="753" cy="922" r="8" fill="#fffdf6"/><path d="M0 1050Q200 1030 380 1040Q520 1000 700 1030" stroke="#dfe0da" stroke-width="3" fill="none"/>${grid}
      ${letters("H. P.  5. JULI 1874", 40, 1092, 24, 3.4, "#eeebe0")}${letters("11 H 20. VERGR. 84. KALTE FINGER.", 40, 1142, 20, 3, "#eeebe0")}`,
    ),
    { seed: 112, paper, tooth: 0.5 },
  );
}

function herring(): Promise<Raster> {
  const next = chance(113);
  const scales = many(9, (row) =>
    many(30, (i) => {
      const x = 330 + i * 20 + (row % 2) * 10;
      const half = 74 * Math.sin(Math.min(1, (x - 190) / 300) * 1.57) * (x > 640 ? 1 - (x - 640) / 460 : 1);
      const y = 380 + (row - 4) * (half / 4.6);
      return `<path d="M${x} ${y - 7}q8 7 0 14" stroke="#2c2a28" stroke-width="${1.4 + next() * 1.6}" fill="none" opacity="${row < 4 ? 0.9 : 0.45}"/>`;
    }),
  );
  return dry(
    svg(
      1200,
      780,
      `<rect width="1200" height="780" fill="rgb(226,217,198)"/><ellipse cx="560" cy="404" rx="470" ry="150" fill="#c9b98f" opacity=".45" filter="url(#b32)"/>
      <path d="M170 396Q300 290 520 292Q760 300 950 372L1050 300Q1030 380 1060 470L950 400Q760 470 520 474Q280 480 170 396Z" fill="#8c8880" opacity=".55"/><path d="M170 390Q300 290 520 292Q760 300 950 372Q760 352 520 350Q300 350 170 390Z" fill="#1f1e1d" opacity=".85" filter="url(#b2)"/>
      <path d="M168 396Q300 288 520 290Q760 298 952 372L1054 296Q1030 380 1064 474L950 402Q760 472 520 476Q280 482 168 396Z" fill="none" stroke="#1b1a19" stroke-width="6" filter="url(#w4)"/>${scales}
      <path d="M306 312Q352 380 312 458" stroke="#1b1a19" stroke-width="7" fill="none"/><path d="M286 326Q326 384 292 444" stroke="#1b1a19" stroke-width="3" fill="none"/><circle cx="236" cy="376" r="21" fill="#1b1a19"/><circle cx="236" cy="376" r="13" fill="rgb(226,217,198)"/><circle cx="238" cy="376" r="8" fill="#111"/><path d="M168 398Q196 408 214 424" stroke="#1b1a19" stroke-width="6" fill="none"/>
      <path d="M530 292L580 236L640 250L660 300M440 474L470 514L500 476M620 468L640 504L664 462M760 446L850 470L820 430" stroke="#1b1a19" stroke-width="5" fill="#8c8880" fill-opacity=".4"/><path d="M960 384L1046 316M964 390L1050 456M962 388L1040 390" stroke="#1b1a19" stroke-width="4"/><path d="M200 520Q560 590 1000 500" stroke="#3a3836" stroke-width="46" fill="none" opacity=".35" filter="url(#b8)"/>
      ${letters("OBRO 31", 1010, 690, 24, 4, "#2a2826")}`,
    ),
    { seed: 114, paper: [226, 217, 198], tooth: 0.6 },
  );
}

function harbourPlan(): Promise<Raster> {
  const ship = (x: number, y: number, turn: number, size = 1) =>
    `<g transform="translate(${x},${y}) rotate(${turn}) scale(${size})"><path d="M-34 0Q-20 -13 14 -11Q34 -8 42 0Q34 8 14 11Q-20 13 -34 0Z" fill="#b99e72" stroke="${INK}" stroke-width="2"/><path d="M-16 -16V16M6 -18V18M-34 0H50" stroke="${INK}" stroke-width="1.8"/><g transform="translate(-36,0)"><rect x="-20" y="-7" width="19" height="14" fill="#b5483c" stroke="${INK}" stroke-width="1"/><path d="M-14 -7V7M-20 0H-1" stroke="#f3ead4" stroke-width="2.6"/></g></g>`;
  const next = chance(115);
  const ships = many(23, (i) =>
    ship(
      330 + (i % 6) * 112 + next() * 26,
      330 + Math.floor(i / 6) * 82 + next() * 20,
      -12 + next() * 24,
      0.9 + next() * 0.25,
    ),
  );
  const houses = (x: number, y: number, count: number, across: boolean) =>
    many(count, (i) => {
      const [w, h] = across ? [34 + next() * 18, 46] : [46, 34 + next() * 18];
      return `<rect x="${x + (across ? i * 60 : next() * 4)}" y="${y + (across ? next() * 4 : i * 60)}" width="${w}" height="${h}" fill="#d79b86" stroke="${INK}" stroke-width="2"/>`;
    });
  const sounding = many(
    36,
    () =>
      `<text x="${300 + next() * 800}" y="${320 + next() * 420}" font-family="DejaVu Serif, serif" font-style="italic" font-size="15" fill="${INK}" opacity=".75">${1 + Math.floor(next() * 4)}</text>`,
  );
  return onPaper(
    svg(
      1300,
      880,
      `<rect width="1300" height="880" fill="#e9dec2"/><g filter="url(#w4)"><rect x="36" y="36" width="1228" height="808" fill="none" stroke="${INK}" stroke-width="5"/><rect x="48" y="48" width="1204" height="784" fill="none" stroke="${INK}" stroke-width="1.6"/>
      <path d="M250 290H1010L1080 360V560Q1180 600 1250 590V830H420Q420 760 380 720L250 640Z" fill="#a9c0bd" opacity=".85"/><path d="M250 290H1010L1080 360V560Q1180 600 1250 590" fill="none" stroke="#5d8a8c" stroke-width="15" opacity=".55" filter="url(#b4)"/><path d="M250 290H1010L1080 360V560Q1180 600 1250 590M420 830Q420 760 380 720L250 640V290" fill="none" stroke="${INK}" stroke-width="4"/>
      <path d="M50 640Q160 600 250 640L380 720Q420 760 420 830H50Z" fill="#c3c79a" opacity=".8"/><path d="M1080 560Q1180 600 1250 590V200Q1150 180 1080 360Z" fill="#c3c79a" opacity=".7"/>${houses(110, 300, 5, false)}${houses(172, 300, 5, false)}${houses(270, 220, 4, true)}
      <rect x="540" y="186" width="380" height="92" fill="#b5604f" stroke="${INK}" stroke-width="4"/><path d="M540 232H920" stroke="${INK}" stroke-width="2"/>${many(12, (i) => `<path d="M${560 + i * 30} 186V278" stroke="${INK}" stroke-width="1"/>`)}<path d="M940 214h60v60h-60Z" fill="#d79b86" stroke="${INK}" stroke-width="2"/>
      ${ships}${ship(1130, 700, -30, 1.3)}${ship(760, 770, 10, 1.1)}${ship(600, 720, -6, 1.1)}${sounding}
      <path d="M420 812L720 802M420 812v-16M520 809v-10M620 805v-10M720 802v-16" stroke="${INK}" stroke-width="2.5"/>
      <g transform="translate(1150,300)"><circle r="62" fill="none" stroke="${INK}" stroke-width="2"/><path d="M0 -82L13 -13L62 0L13 13L0 82L-13 13L-62 0L-13 -13Z" fill="#e9dec2" stroke="${INK}" stroke-width="2.5"/><path d="M0 -82L13 -13L0 0ZM62 0L13 13L0 0ZM0 82L-13 13L0 0ZM-62 0L-13 -13L0 0Z" fill="${INK}"/></g>
      <path d="M90 84H800Q830 120 800 156H90Q66 120 90 84Z" fill="#efe5cb" stroke="${INK}" stroke-width="2.5"/>${letters("GRUNDTEGNING AF HAVNEN", 116, 96, 22, 2.6, INK)}${letters("VED STIERNEHOVED  1784", 116, 130, 16, 2, INK)}</g>${centred("NYE TOLDPAKHUS", 730, 244, 18, 2.4, "#f0e4cb")}`,
    ),
    116,
    1.4,
  );
}

function trench(): Promise<Raster> {
  const next = chance(117);
  const crayon = (path: string, colour: string, more = "") =>
    `<path d="${path}" fill="${colour}" fill-opacity=".5" stroke="${colour}" stroke-width="3" ${more}/>`;
  const posts = many(16, (i) => {
    const [x, y] = [330 + (i % 8) * 92 + next() * 16, 380 + Math.floor(i / 8) * 116 + next() * 18 - i * 4];
    return `<circle cx="${x}" cy="${y}" r="${13 + next() * 7}" fill="#7a4a2a" fill-opacity=".7" stroke="#5a3319" stroke-width="3"/><circle cx="${x}" cy="${y}" r="4" fill="none" stroke="#5a3319"/>`;
  });
  const paws = many(17, (i) => {
    const [x, y] = [250 + i * 46, 640 - Math.sin(i / 3) * 60 + (i % 2 ? 12 : -12)];
    const toes = [-9, -3, 3, 9]
      .map((dx, n) => `<ellipse cx="${dx}" cy="${n === 0 || n === 3 ? -9 : -14}" rx="3" ry="4.6"/>`)
      .join("");
    return `<g transform="translate(${x},${y}) rotate(${80 + Math.cos(i / 3) * -20})" fill="#c23a2e"><ellipse rx="9" ry="7"/>${toes}</g><path d="M${x + 16} ${y - 22}h22" stroke="#c23a2e" stroke-width="1.4"/>`;
  });
  const shells = many(260, () => {
    const x = 180 + next() * 900;
    return `<path d="M${x} ${560 + Math.sin(x / 110) * 44 + (next() - 0.5) * 120}q5 -8 10 0" stroke="#b98f1e" stroke-width="2" fill="none"/>`;
  });
  return onPaper(
    svg(
      1300,
      930,
      `<rect width="1300" height="930" fill="#e6e8e2"/><g stroke="#a9b6b8" stroke-width="1">${many(26, (i) => `<path d="M${i * 52} 0V930"/>`)}${many(18, (i) => `<path d="M0 ${i * 52}H1300"/>`)}</g>
      <path d="M156 208H1144V780H156Z" fill="none" stroke="#2c2c2c" stroke-width="4"/><g filter="url(#w4)">${crayon("M160 560Q260 470 420 520T760 540T1140 500V640Q900 690 700 640T380 650T160 690Z", "#dcb63c")}${shells}${crayon("M300 320Q600 290 1080 300L1084 330Q600 330 304 352Z", "#8a5a34")}${posts}${crayon("M940 420Q1010 380 1060 430Q1080 490 1010 510Q940 500 940 420Z", "#8b9093")}${crayon("M200 260Q240 236 270 262Q276 300 236 306Q200 300 200 260Z", "#8b9093")}</g>${paws}
      <g stroke="#2c2c2c" stroke-width="2">${many(6, (i) => `<path d="M${156 + i * 197} 196v24M${156 + i * 197} 768v24"/>`)}</g><path d="M1190 300V230M1176 252L1190 222L1204 252" stroke="#2c2c2c" stroke-width="4" fill="none"/>${letters("N", 1182, 190, 22, 3, "#2c2c2c")}
      ${letters("KRUMMWIK 1962  SCHNITT 4  PLANUM 2", 156, 90, 28, 3.2, "#2c2c2c")}${letters("1 · 20", 156, 144, 20, 2.6, "#2c2c2c")}${letters("HUND", 1050, 690, 18, 2.6, "#c23a2e")}
      <path d="M156 850H556" stroke="#2c2c2c" stroke-width="3"/><path d="M156 842h100v16h-100ZM356 842h100v16h-100Z" fill="#2c2c2c"/>${letters("0", 150, 872, 14, 2, "#2c2c2c")}${letters("2 M", 546, 872, 14, 2, "#2c2c2c")}`,
    ),
    118,
    0.4,
  );
}

const PENCIL = "#4a4744";

function sketchMasts(): Promise<Raster> {
  const next = chance(119);
  const mast = (x: number, top: number) =>
    `<path d="M${x} 600L${x + 6} ${top}" stroke-width="5"/><path d="M${x - 70} ${top + 120}L${x + 90} ${top + 100}M${x - 50} ${top + 60}L${x + 66} ${top + 50}" stroke-width="3.4"/><path d="M${x + 6} ${top}L${x - 130} 580M${x + 6} ${top}L${x + 130} 590M${x} ${top + 120}L${x - 60} 590M${x} ${top + 120}L${x + 60} 590" stroke-width="1.6"/>${many(8, (i) => `<path d="M${x - 96 + i * 8} ${530 - i * 34}h${40 - i * 3}" stroke-width="1.4"/>`)}`;
  return dry(
    svg(
      1200,
      790,
      `<rect width="1200" height="790" fill="rgb(236,228,209)"/><path d="M0 560Q300 530 600 570T1200 560V700H0Z" fill="#8ea3ae" opacity=".55" filter="url(#b8)"/><path d="M80 600Q300 640 560 596L540 660Q300 690 120 656Z" fill="#8b6f55" opacity=".6" filter="url(#b2)"/><path d="M0 200Q400 120 800 190T1200 150V300H0Z" fill="#c9b7a6" opacity=".4" filter="url(#b32)"/>
      <g stroke="${PENCIL}" fill="none" filter="url(#w4)">${mast(220, 120)}${mast(400, 80)}${mast(690, 170)}${mast(840, 240)}${mast(1000, 210)}<path d="M70 596Q300 640 572 590L548 664Q300 700 116 660Z" stroke-width="4"/><path d="M600 620Q860 660 1120 610L1096 660Q860 690 640 664Z" stroke-width="3.4"/>${many(40, () => `<path d="M${next() * 1150} ${690 + next() * 60}h${30 + next() * 90}" stroke-width="1.6"/>`)}${many(30, (i) => `<path d="M${110 + i * 15} 650l18 -40" stroke-width="1.6"/>`)}</g>${scrawl(920, 750, 180, 24, 5, PENCIL)}`,
    ),
    { seed: 120, paper: [236, 228, 209], tooth: 0.5 },
  );
}

function sketchCook(): Promise<Raster> {
  const next = chance(121);
  const gull = (x: number, y: number, size: number) =>
    `<g transform="translate(${x},${y}) scale(${size})"><path d="M-90 -10Q-40 -60 0 -6Q46 -58 96 -20M-90 -10Q-50 -34 -8 10Q10 22 40 14L22 6Q50 -30 96 -20" stroke-width="3"/><path d="M-8 10Q-30 14 -34 2L-48 4" stroke-width="3"/></g>`;
  return dry(
    svg(
      1200,
      790,
      `<rect width="1200" height="790" fill="rgb(236,228,209)"/><path d="M330 520Q460 430 640 470Q760 520 770 640H320Z" fill="#a5acb0" opacity=".4" filter="url(#b8)"/>
      <g stroke="${PENCIL}" fill="none" filter="url(#w4)"><path d="M250 660H880M270 660V740M860 660V740M250 640H880" stroke-width="4"/><path d="M320 640Q310 540 400 500Q470 470 560 500Q720 540 800 640" stroke-width="4"/><path d="M560 500Q640 560 700 640M400 510Q420 580 520 600Q600 610 640 590" stroke-width="3"/>
      <path d="M350 470Q330 400 390 376Q456 366 472 430Q470 490 420 506Q370 510 350 470Z" stroke-width="4"/><path d="M346 420Q340 340 410 336Q480 340 478 400M346 420Q410 376 480 400" stroke-width="4"/><path d="M392 440q14 8 26 0M434 434q12 6 22 -2M424 446q10 18 -4 24M404 482q16 -8 32 0" stroke-width="3"/><path d="M376 462Q400 470 424 464Q444 470 460 456" stroke-width="5"/>
      <path d="M500 596Q560 570 616 596L600 622H520Z" stroke-width="3"/>${many(34, (i) => `<path d="M${350 + i * 12} 630l${16 + next() * 10} ${-50 - next() * 30}" stroke-width="1.6"/>`)}${many(16, (i) => `<path d="M${352 + i * 4} ${500 - i}l12 -24" stroke-width="1.4"/>`)}<path d="M800 640V560H860V640M812 560V540H848V560M820 540q10 -30 -4 -50q-10 -30 8 -50" stroke-width="3"/>${gull(900, 180, 1)}${gull(1060, 280, 0.6)}${gull(720, 130, 0.5)}${gull(200, 200, 0.75)}</g>${scrawl(760, 740, 300, 24, 6, PENCIL)}`,
    ),
    { seed: 122, paper: [236, 228, 209], tooth: 0.5 },
  );
}

function sampler(): Promise<Raster> {
  const [cols, rows, size] = [96, 120, 10];
  const stitches: string[] = [];
  const next = chance(123);
  const stitch = (x: number, y: number, colour: string) => {
    const [px, py] = [20 + x * size, 20 + y * size];
    stitches.push(
      `<path d="M${px + 1} ${py + 1}l8 8M${px + 9} ${py + 1}l-8 8" stroke="${colour}" opacity="${0.82 + next() * 0.18}"/>`,
    );
  };
  const art = (left: number, top: number, colour: string, lines: readonly string[]) => {
    lines.forEach((line, y) => {
      [...line].forEach((sign, x) => {
        if (sign !== " ")
          stitch(left + x, top + y, sign === "o" ? "#b08a3c" : sign === "+" ? "#566b4a" : colour);
      });
    });
  };
  const [red, blue, green] = ["#9c3f38", "#3d5570", "#566b4a"];
  for (let x = 2; x < cols - 2; x++)
    for (const y of [2, rows - 5]) stitch(x, y + (x % 6 < 3 ? x % 3 : 2 - (x % 3)), x % 12 < 6 ? green : red);
  for (let y = 6; y < rows - 8; y++)
    for (const x of [2, cols - 5]) stitch(x + (y % 6 < 3 ? y % 3 : 2 - (y % 3)), y, y % 12 < 6 ? green : red);
  const font: Record<string, string> = {
    A: "757 55",
    B: "65656",
    C: "34443",
    D: "65556",
    E: "74647",
    F: "74644",
    G: "34553",
    H: "55755",
    I: "72227",
    K: "55655",
    L: "44447",
    M: "57755",
    N: "57775",
    O: "25552",
    P: "65644",
    Q: "25563",
    R: "65655",
    S: "34216",
    T: "72222",
    U: "55557",
    V: "55552",
    W: "55775",
    X: "55255",
    Y: "55222",
    Z: "71247",
    "0": "75557",
    "1": "26227",
    "2": "71747",
    "3": "71717",
    "4": "55711",
    "5": "74717",
    "6": "74757",
    "7": "71122",
    "8": "75757",
    "9": "75717",
  };
  const write = (words: string, left: number, top: number, colour: string) => {
    [...words].forEach((letter, index) => {
      [...(letter === "A" ? "25755" : (font[letter] ?? "00000"))].forEach((bits, y) => {
        for (let x = 0; x < 3; x++)
          if (Number(bits) & (4 >> x)) stitch(left + index * 4 + x, top + y, colour);
      });
    });
  };
  write("ABCDEFGHIKLMNOPQRSTUV", 7, 10, blue);
  write("WXYZ 0123456789 10 11", 7, 18, red);
  write("12 13 14 15 16 17 18", 7, 26, green);
  write("19", 7, 34, green);
  art(30, 40, red, [
    "        xx        ",
    "      xxxxxx      ",
    "    xxxxxxxxxx    ",
    "  xxxxxxxxxxxxxx  ",
    "xxxxxxxxxxxxxxxxxx",
    " o              o ",
    " o xxx    xxx   o ",
    " o x x    x x   o ",
    " o xxx ++ xxx   o ",
    " o     ++       o ",
    " oooooo++oooooooo ",
  ]);
  art(12, 44, green, [
    "   +   ",
    "  +++  ",
    " +++++ ",
    "  +++  ",
    " +++++ ",
    "+++++++",
    "   o   ",
    "   o   ",
  ]);
  art(60, 44, green, [
    "   +   ",
    "  +++  ",
    " +++++ ",
    "  +++  ",
    " +++++ ",
    "+++++++",
    "   o   ",
    "   o   ",
  ]);
  const ship = [
    "      x      x      ",
    "      xx     xx     ",
    "   xxxxxx xxxxxx    ",
    "   xxxxxx xxxxxx    ",
    "      x      x      ",
    "  xxxxxxx xxxxxxxx  ",
    "  xxxxxxx xxxxxxxx  ",
    "  xxxxxxx xxxxxxxx  ",
    "      x      x      ",
    "ooooooooooooooooooooo",
    " ooooooooooooooooooo ",
    "  ooooooooooooooooo  ",
  ];
  art(14, 64, blue, ship);
  const less = ship
    .filter((_line, y) => y % 3 !== 1)
    .map((line) => [...line].filter((_sign, x) => x % 3 !== 1).join(""));
  art(60, 68, red, [...less].reverse());
  for (let x = 8; x < cols - 8; x++) stitch(x, 84 + (x % 4 === 0 ? 0 : 1), blue);
  write("AMI", 12, 92, red);
  // her age, unpicked and stitched again, larger
  art(38, 90, red, [
    "  xx   xxxxxx ",
    " xxx   xxxxxx ",
    "  xx       xx ",
    "  xx       xx ",
    "  xx     xxxx ",
    "  xx     xxxx ",
    "  xx       xx ",
    "  xx       xx ",
    " xxxx  xxxxxx ",
    " xxxx  xxxxxx ",
  ]);
  write("AAR", 58, 92, blue);
  write("1806", 74, 92, blue);
  for (const [x, y] of [
    [36, 104],
    [44, 105],
    [50, 104],
  ])
    stitch(x!, y!, "#cdbd97");
  return onPaper(
    svg(
      1000,
      1240,
      `<rect width="1000" height="1240" fill="#ddcfae"/><g stroke="#b9a67c" stroke-width="1" opacity=".55">${many(200, (i) => `<path d="M${i * 5} 0V1240"/>`)}${many(248, (i) => `<path d="M0 ${i * 5}H1000"/>`)}</g><g stroke-width="3.6" stroke-linecap="round">${stitches.join("")}</g>`,
    ),
    124,
    1.1,
    0.7,
  );
}

function eelgrass(): Promise<Raster> {
  const next = chance(125);
  const blades = many(17, (i) => {
    const [lean, tall] = [(i - 8) * 26 + (next() - 0.5) * 40, 640 + next() * 260];
    const colour = `hsl(${54 + next() * 26},${22 + next() * 14}%,${20 + next() * 16}%)`;
    const bend = (next() - 0.5) * 160;
    return `<path d="M${430 + i * 3} 930Q${430 + lean * 0.4} ${930 - tall * 0.5} ${430 + lean * 1.5 + bend} ${930 - tall}q7 8 ${5 + next() * 4} 16Q${444 + lean * 0.4} ${930 - tall * 0.45} ${443 + i * 3} 930Z" fill="${colour}" opacity=".86"/>`;
  });
  const roots = many(
    26,
    (i) =>
      `<path d="M${360 + i * 8} ${946 + (i % 3) * 5}q${-10 + next() * 20} 40 ${-30 + next() * 60} ${60 + next() * 70}" stroke="#6b5334" stroke-width="${1.4 + next()}" fill="none"/>`,
  );
  return onPaper(
    svg(
      800,
      1250,
      `<rect width="800" height="1250" fill="#e6d9b8"/><g filter="url(#b8)" opacity=".25" transform="translate(8,8)">${blades}</g><path d="M330 952Q440 930 600 958" stroke="#5f4a2c" stroke-width="17" fill="none"/>${many(12, (i) => `<path d="M${345 + i * 21} 940v22" stroke="#3f3120" stroke-width="2"/>`)}${roots}${blades}<path d="M470 820Q500 700 486 600" stroke="#7b7a40" stroke-width="12" fill="none"/>${many(9, (i) => `<ellipse cx="${489 + (i % 2 ? 3 : -3)}" cy="${612 + i * 17}" rx="4" ry="7" fill="#d0c489" stroke="#5d5a30"/>`)}
      <g fill="#f2ead6" stroke="#c9b98f"><rect x="388" y="856" width="112" height="15" transform="rotate(-3 440 860)"/><rect x="320" y="560" width="250" height="13" transform="rotate(4 440 560)"/><rect x="360" y="956" width="15" height="0"/></g>
      <g transform="translate(416,1086)"><rect width="346" height="128" fill="#efe6cd" stroke="#8c7a55" stroke-width="2"/><rect x="8" y="8" width="330" height="112" fill="none" stroke="#8c7a55"/><text x="24" y="42" font-family="DejaVu Serif, serif" font-style="italic" font-size="24" fill="${INK}">Zostera marina</text><text x="24" y="72" font-family="DejaVu Serif Condensed, DejaVu Serif, serif" font-style="italic" font-size="16.5" fill="${INK}">In vado ante promontorium.</text><text x="24" y="102" font-family="DejaVu Serif, serif" font-style="italic" font-size="17" fill="${INK}">Jul. 1829.</text><text x="230" y="102" font-family="DejaVu Serif, serif" font-style="italic" font-size="17" fill="${INK}">J. N. Br.</text></g><circle cx="90" cy="1170" r="40" fill="none" stroke="#59627c" stroke-width="3" opacity=".6"/>${centred("H M S", 90, 1160, 18, 3, "#59627c")}`,
    ),
    126,
    1.8,
  );
}

function seaweed(): Promise<Raster> {
  const next = chance(127);
  let path = "";
  const grow = (x: number, y: number, angle: number, size: number, width: number): void => {
    if (size < 13) return;
    const [toX, toY] = [x + Math.cos(angle) * size, y + Math.sin(angle) * size];
    path += `<path d="M${x.toFixed(1)} ${y.toFixed(1)}Q${(x + Math.cos(angle + 0.3) * size * 0.5).toFixed(1)} ${(y + Math.sin(angle + 0.3) * size * 0.5).toFixed(1)} ${toX.toFixed(1)} ${toY.toFixed(1)}" stroke-width="${width.toFixed(1)}"/>`;
    const branches = size > 60 ? 2 : next() > 0.25 ? 2 : 3;
    for (let i = 0; i < branches; i++)
      grow(
        toX,
        toY,
        angle + (i - (branches - 1) / 2) * (0.62 + next() * 0.3) + (next() - 0.5) * 0.3,
        size * (0.7 + next() * 0.14),
        width * 0.68,
      );
  };
  for (const [turn, size] of [
    [-1.57, 160],
    [-1.9, 136],
    [-1.2, 140],
    [-2.3, 86],
    [-0.8, 90],
  ])
    grow(480, 950, turn!, size!, 9);
  return onPaper(
    svg(
      960,
      1200,
      `<rect width="960" height="1200" fill="#d9c9a4"/><rect x="70" y="60" width="820" height="1060" fill="#efe6cf"/><rect x="70" y="60" width="820" height="1060" fill="none" stroke="#b7a47a" stroke-width="2"/><g stroke="#9a4450" fill="none" stroke-linecap="round" opacity=".3" filter="url(#b4)">${path}</g><g stroke="#8b3a4a" fill="none" stroke-linecap="round" opacity=".85">${path}</g><path d="M470 946Q480 980 500 984Q520 970 494 944Z" fill="#6f2f3a"/>
      <text x="480" y="1064" font-family="DejaVu Serif, serif" font-style="italic" font-size="26" text-anchor="middle" fill="${INK}">Plocamium coccineum</text><text x="820" y="112" font-family="DejaVu Serif, serif" font-style="italic" font-size="22" text-anchor="end" fill="${INK}">17</text>`,
    ),
    128,
    1.2,
  );
}

/** The entry of 13 November 1872: one word, six times. */
function journal(): Promise<Raster> {
  const water =
    "M0 -34Q6 -2 10 0Q18 -6 22 -30Q26 -2 32 0Q44 -6 46 -32q8 6 14 0M84 -24Q66 -32 62 -12Q62 4 74 0Q84 -8 86 -26Q82 0 92 0Q100 -4 106 -20Q116 -26 118 -20Q108 -8 118 0Q106 6 104 -2M122 0Q134 -14 136 -22Q148 -26 148 -18Q138 -6 148 0Q138 6 134 -2M152 0Q166 -6 172 -16Q172 -28 162 -22Q154 -10 164 0Q176 2 182 -10Q186 -20 190 -26Q192 -18 202 -22Q200 -8 206 0Q212 2 222 -8";
  const entry = (y: number, seed: number, date: string, lines: number) =>
    letters(date, 96, y - 18, 17, 2.2, INK) +
    many(lines, (i) => scrawl(190, y + i * 42, i === lines - 1 ? 300 : 560, 22, seed + i, INK));
  const words = many(
    6,
    (i) =>
      `<path transform="translate(${200 + (i % 2) * 292 + i * 4},${640 + Math.floor(i / 2) * 84}) rotate(${-2 + i * 0.8}) scale(${1 + i * 0.06})" d="${water}"/>`,
  );
  const model = `<g transform="translate(800,300)" fill="none" stroke="${INK}" stroke-width="2"><path d="M-34 0Q0 14 40 -4L32 16H-24ZM-8 2V-60M14 2V-50M-30 -50H12M-26 -30H8M-4 -44H30"/></g>`;
  return onPaper(
    svg(
      900,
      1250,
      `<rect width="900" height="1250" fill="#e4d8b9"/><g stroke="#9fb0b4" stroke-width="1.2">${many(26, (i) => `<path d="M60 ${150 + i * 42}H860"/>`)}</g><path d="M172 60V1200M730 60V1200" stroke="#b5685c" stroke-width="1.6"/><path d="M0 0H40V1250H0Z" fill="#8c7a55" opacity=".5" filter="url(#b16)"/>${centred("NOVEMBER 1872", 450, 84, 26, 2.6, INK)}
      ${entry(192, 1, "10.", 3)}${entry(360, 7, "11.", 2)}${entry(486, 12, "12.", 2)}${letters("13.", 96, 612, 17, 2.2, INK)}<g fill="none" stroke="#2e2218" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round">${words}</g>${entry(990, 20, "22.", 3)}${entry(1150, 30, "23.", 1)}${model}
      <path d="M0 1010Q260 960 470 1040Q640 1090 900 1040V1250H0Z" fill="#8a6f43" opacity=".2"/><path d="M0 1010Q260 960 470 1040Q640 1090 900 1040" stroke="#7b6038" stroke-width="4" fill="none" opacity=".35" filter="url(#b2)"/>`,
    ),
    130,
    1.6,
  );
}

export const DRAWINGS: Record<string, () => Promise<Raster>> = {
  "coggias-comet": comet,
  "obro-herring": herring,
  "harbour-plan-1784": harbourPlan,
  "trench-plan-1962": trench,
  "sketchbook-masts": sketchMasts,
  "sketchbook-cook-asleep": sketchCook,
  "sampler-1806": sampler,
  "eelgrass-sheet": eelgrass,
  "seaweed-album-page": seaweed,
  "lighthouse-journal-1872": journal,
};
