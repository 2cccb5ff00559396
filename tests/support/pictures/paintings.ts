/** Oil paintings of the demo museum: Voß, Delaunoy, and the copy. */
import { type Chance, chance, glow, gradient, type Raster, svg } from "./canvas.ts";
import { oil } from "./techniques.ts";

const many = (count: number, seed: number, each: (next: Chance, index: number) => string): string => {
  const next = chance(seed);
  return Array.from({ length: count }, (_, index) => each(next, index)).join("");
};

/** A quay at dusk: houses, masts, closed barrels, one window with light and its broken reflection. */
function eveningHarbour(lamp: string, sky: readonly [string, string, string]): string {
  const houses: [number, number, number, string][] = [
    ...(
      [
        [40, 150, 300, "#39343c"],
        [182, 120, 250, "#443b40"],
        [296, 170, 330, "#2f2d37"],
      ] as const
    ).map((h) => [...h] as [number, number, number, string]),
    ...(
      [
        [462, 130, 270, "#4a4045"],
        [588, 150, 310, "#36323b"],
        [734, 110, 240, "#40393f"],
      ] as const
    ).map((h) => [...h] as [number, number, number, string]),
  ];
  const walls = houses
    .map(
      ([x, width, height, fill]) => `<path fill="${fill}" d="M${x} 470V${470 - height * 0.62}
        L${x + width * 0.14} ${470 - height * 0.62}V${470 - height * 0.78}H${x + width * 0.28}V${470 - height * 0.9}H${x + width * 0.4}V${470 - height}
        H${x + width * 0.6}V${470 - height * 0.9}H${x + width * 0.72}V${470 - height * 0.78}H${x + width * 0.86}V${470 - height * 0.62}H${x + width}V470Z"/>`,
    )
    .join("");
  const panes = many(26, 5, (next, i) => {
    const [x, width, height] = houses[i % houses.length]!;
    const row = Math.floor(i / houses.length);
    return `<rect x="${x + width * (0.2 + 0.22 * (row % 3))}" y="${470 - height * (0.5 - 0.2 * (row % 2)) - next() * 4}" width="13" height="20" fill="#242530"/>`;
  });
  const ripples = many(150, 9, (next) => {
    const y = 545 + next() ** 1.4 * 250;
    return `<rect x="${next() * 1200}" y="${y}" width="${40 + next() * 130}" height="${2 + (y - 540) / 60}" fill="${next() > 0.5 ? "#8d8a8c" : "#3b4150"}" opacity="${0.15 + next() * 0.3}"/>`;
  });
  const broken = many(34, 12, (next, i) => {
    const y = 540 + i * 7.6;
    const wide = 8 + next() * (14 + i * 1.6);
    return next() > 0.22
      ? `<rect x="${389 + (next() - 0.5) * (10 + i) - wide / 2}" y="${y}" width="${wide}" height="4.6" fill="${lamp}" opacity="${0.95 - i * 0.018}"/>`
      : "";
  });
  const barrels = [660, 706, 752, 683, 729, 800, 850, 896]
    .map((x, i) => {
      const y = i === 3 || i === 4 ? 452 : 492;
      return `<g transform="translate(${x},${y})"><path d="M-20 -22Q-25 0 -20 22H20Q25 0 20 -22Z" fill="#4b3b30"/><ellipse cy="-22" rx="20" ry="6" fill="#75604b"/><path d="M-22 -8H22M-22 9H22" stroke="#2b2321" stroke-width="3"/></g>`;
    })
    .join("");
  const mast = (x: number, top: number, lean: number) =>
    `<path d="M${x} 560L${x + lean} ${top}" stroke="#262129" stroke-width="8"/><path d="M${x + lean * 0.7} ${top + 90}L${x - 120} 545M${x + lean} ${top + 6}L${x + 130} 552M${x + lean * 0.8} ${top + 70}H${x + 90}" stroke="#2c2830" stroke-width="2.4" fill="none"/>`;
  return svg(
    1200,
    790,
    `<rect width="1200" height="540" fill="url(#sky)"/><rect y="520" width="1200" height="270" fill="url(#sea)"/>
    <g filter="url(#b16)"><path d="M0 250Q300 200 640 262T1200 220V300Q800 320 500 300T0 320Z" fill="#c79c7f" opacity=".5"/><path d="M500 120Q800 80 1200 140V180Q800 150 500 170Z" fill="#6d6f82" opacity=".6"/></g>
    ${walls}${panes}<rect x="846" y="350" width="354" height="122" fill="#413a40"/><path d="M846 350L1010 292L1200 330V354Z" fill="#332f37"/>
    <rect y="468" width="1200" height="58" fill="#5b5250"/><rect y="514" width="1200" height="26" fill="#2a2a33"/>
    <g opacity=".55" transform="translate(0,1065) scale(1,-1)" filter="url(#b8)">${walls}</g>${ripples}
    <circle cx="389" cy="372" r="80" fill="url(#lamp)"/><rect x="378" y="354" width="24" height="36" fill="${lamp}"/><path d="M390 354V390M378 372H402" stroke="#6b4a28" stroke-width="2.5"/>
    <ellipse cx="389" cy="484" rx="90" ry="10" fill="${lamp}" opacity=".28" filter="url(#b8)"/>${broken}${barrels}
    <path d="M940 560Q1080 590 1190 552L1170 612Q1060 640 968 610Z" fill="#241f27"/><path d="M944 562Q1080 590 1188 555" stroke="#a7866a" stroke-width="5" fill="none"/>${mast(1080, 120, -14)}${mast(1010, 210, -8)}
    <path d="M958 612Q1060 650 1172 614L1150 760Q1060 780 990 750Z" fill="#24242e" opacity=".6" filter="url(#b8)"/>
    <path d="M1042 742l10 -16M1058 744c-9 -14 -16 4 -5 6M1072 742l8 -15l7 14" stroke="#8a3b2b" stroke-width="3" fill="none"/>`,
    gradient("sky", [
      [0, sky[0]],
      [0.55, sky[1]],
      [1, sky[2]],
    ]) +
      gradient("sea", [
        [0, "#8c7770"],
        [0.35, "#595d6c"],
        [1, "#2c3240"],
      ]) +
      glow("lamp", [
        [0, lamp, 0.75],
        [0.4, lamp, 0.22],
        [1, lamp, 0],
      ]),
  );
}

function lighthouseSnow(): string {
  const tracks = many(15, 4, (next, i) => {
    const t = i / 14;
    const [x, y] = [470 - 330 * t ** 0.8 + Math.sin(i * 2.1) * 8, 1150 - 390 * t ** 0.62];
    const size = 1.25 - t * 0.85;
    return `<ellipse cx="${x + (i % 2 ? 17 : -17) * size}" cy="${y}" rx="${8.5 * size}" ry="${13 * size}" fill="#8592a6" transform="rotate(${-30 + next() * 8} ${x} ${y})"/>`;
  });
  const flakes = many(190, 6, (next) => {
    const size = 2.2 + next() * 4.6;
    return `<circle cx="${next() * 770}" cy="${next() * 1200}" r="${size}" fill="#fbf7ee" opacity="${0.55 + next() * 0.45}"/>`;
  });
  return svg(
    770,
    1200,
    `<rect width="770" height="1200" fill="url(#sky)"/>
    <g filter="url(#b32)"><path d="M300 200Q560 150 770 260V420Q520 340 300 420Z" fill="#aeb4bd" opacity=".8"/></g>
    <path d="M0 770Q240 720 470 742T770 720V1200H0Z" fill="#e4e6e6"/><path d="M0 840Q300 770 770 812V1200H0Z" fill="#eeece6"/>
    <path d="M0 980Q330 900 770 960V1200H0Z" fill="#dfe3e8"/><path d="M420 790Q600 760 770 784V800Q600 790 430 812Z" fill="#bcc6d2"/>
    <path d="M-80 800L-40 170H118L160 800Z" fill="#c9b6a4"/><path d="M60 800L70 170H118L160 800Z" fill="#8d8586"/>
    <path d="M-70 690L-64 560H142L152 690Z" fill="#9c4f3e"/><path d="M58 690L64 560H142L152 690Z" fill="#6d3d39"/><path d="M-52 420L-46 300H126L134 420Z" fill="#9c4f3e"/><path d="M64 420L68 300H126L134 420Z" fill="#6d3d39"/>
    <rect x="-60" y="150" width="206" height="24" fill="#4a4a52"/><path d="M-60 148Q40 132 146 148V156H-60Z" fill="#f6f2ea"/><path d="M-60 118H146M-40 150V118M0 150V118M40 150V118M80 150V118M120 150V118" stroke="#4a4a52" stroke-width="5"/>
    <rect x="-30" y="34" width="132" height="112" fill="#6a6f78"/><rect x="0" y="44" width="80" height="96" fill="#e6cf98"/><path d="M28 44V140M56 44V140" stroke="#4f5057" stroke-width="5"/>
    <path d="M-44 36L34 -40L116 36Z" fill="#5b5f68"/><path d="M30 -40L116 36H92L20 -24Z" fill="#f4f1ea"/>
    <path d="M96 800V716Q116 690 138 716V800Z" fill="#3f3a40"/><path d="M150 806Q240 770 330 800L300 826Q220 800 160 826Z" fill="#b9c3cf"/>
    ${tracks}<path d="M560 790L566 640M540 690L566 668M592 676L566 700M560 740L520 712" stroke="#5a5256" stroke-width="6" fill="none"/><path d="M540 686L566 662M592 672L568 692" stroke="#f4f1ea" stroke-width="4"/>
    ${flakes}<path d="M642 1150l9 -15M658 1152c-9 -13 -15 4 -5 6M672 1150l8 -15l7 14" stroke="#7d4a3c" stroke-width="3" fill="none"/>`,
    gradient("sky", [
      [0, "#7f8894"],
      [0.5, "#a9aeb4"],
      [1, "#cfcbc4"],
    ]),
  );
}

function flood(): string {
  const waves = many(130, 21, (next) => {
    const depth = next() ** 1.2;
    const y = 330 + depth * 460;
    const wide = 40 + depth * 190;
    const x = next() * 1300 - 60;
    const colour = next() > 0.55 ? "#98a08f" : next() > 0.4 ? "#3d4a4b" : "#6a7468";
    return `<path d="M${x} ${y}q${wide / 2} ${-8 - depth * 22} ${wide} 0q${-wide / 2} ${4 + depth * 8} ${-wide} 0Z" fill="${colour}" opacity="${0.35 + next() * 0.4}"/>`;
  });
  return svg(
    1200,
    780,
    `<rect width="1200" height="340" fill="url(#sky)"/><rect y="320" width="1200" height="460" fill="url(#sea)"/>
    <g filter="url(#b16)"><path d="M0 70Q300 20 560 90T1200 60V170Q900 200 600 150T0 190Z" fill="#4d5257" opacity=".8"/><path d="M700 230Q900 200 1200 240V280H700Z" fill="#d9c79a" opacity=".65"/></g>
    <path d="M60 352V262L150 196L240 262V352ZM300 356V286L372 232L444 286V356Z" fill="#4a4340"/><path d="M44 268L150 188L256 268L240 274L150 208L60 274ZM286 292L372 224L458 292L444 296L372 240L300 296Z" fill="#7b4b3c"/>
    <path d="M980 350L1000 150H1034L1052 350Z" fill="#8b8377"/><rect x="1000" y="118" width="34" height="32" fill="#e7d08a"/><path d="M994 120L1017 92L1040 120Z" fill="#43474c"/>
    <path d="M130 352V250" stroke="#2f2a2a" stroke-width="0"/>${waves}
    <g transform="translate(610,520) rotate(-5)">
      <path d="M-330 30L-300 -24H300L340 30L310 62H-310Z" fill="#7a4a36"/><path d="M-330 30H340L310 62H-310Z" fill="#4a2d26"/><path d="M-240 -24L-262 58M-120 -24L-130 60M0 -24V60M120 -24L130 60M240 -24L262 58" stroke="#3d2620" stroke-width="5"/><path d="M-290 -10L290 30" stroke="#93624a" stroke-width="12"/>
      <path d="M-236 -30Q-220 20 -150 20H-76Q-24 12 -20 -40Z" fill="#a98857"/><path d="M-240 -36Q-238 -104 -182 -104Q-150 -100 -150 -42Z" fill="#c19c66"/><path d="M-246 22Q-130 60 -10 14" stroke="#5c4027" stroke-width="11" fill="none"/><path d="M-200 -40Q-120 -66 -34 -42L-40 -24H-200Z" fill="#ebe4d2"/><circle cx="-172" cy="-56" r="17" fill="#d9a98b"/>
      <path d="M56 16V-176L60 -212Q98 -248 136 -212L140 -176V16Z" fill="#5a3527"/><circle cx="98" cy="-176" r="31" fill="#ecdfb8"/><path d="M98 -176V-198M98 -176L114 -168" stroke="#2c211c" stroke-width="4"/><rect x="80" y="-124" width="36" height="112" fill="#2f1e19"/><path d="M98 -118V-56" stroke="#c79c4a" stroke-width="4"/><circle cx="98" cy="-48" r="12" fill="#c79c4a"/>
      <path d="M206 10Q196 -40 222 -62Q222 -92 230 -104L240 -90H258L268 -104Q276 -88 272 -66Q290 -30 284 10Z" fill="#2a2624"/><path d="M282 6Q320 -4 312 -50Q308 -66 300 -56" stroke="#2a2624" stroke-width="12" fill="none"/><path d="M238 -42Q250 -30 258 -44L252 2H234Z" fill="#e6ddca"/><circle cx="240" cy="-76" r="4" fill="#d9c14a"/><circle cx="258" cy="-76" r="4" fill="#d9c14a"/>
    </g>
    <path d="M250 590Q500 560 960 606Q700 660 300 632Z" fill="#2b3436" opacity=".55" filter="url(#b8)"/><g>${many(34, 30, (next) => `<path d="M${next() * 1200} ${640 + next() * 130}q50 -24 120 -2q-60 2 -120 2Z" fill="${next() > 0.5 ? "#c4c4ac" : "#35413f"}" opacity=".55"/>`)}</g>`,
    gradient("sky", [
      [0, "#5c6267"],
      [0.6, "#8f8d80"],
      [1, "#c9bd98"],
    ]) +
      gradient("sea", [
        [0, "#9a9a83"],
        [0.3, "#66726c"],
        [1, "#37444a"],
      ]),
  );
}

function netMenders(): string {
  const dress = ["#3c4b62", "#5d3a3a", "#37403c", "#54473f"];
  const scarf = ["#d9cfb8", "#b6643f", "#e4dcc8", "#7f8ba0"];
  const woman = (i: number) => {
    const x = 190 + i * 268 + [0, 14, -12, 6][i]!;
    const lean = [14, -8, 20, 4][i]!;
    return `<g transform="translate(${x},${[0, 10, -6, 4][i]!})">
      <path d="M-104 660Q-112 470 -70 380Q-40 320 10 318Q70 326 88 400Q112 520 118 660Z" fill="${dress[i]}"/><path d="M20 330Q84 350 92 420L112 640L70 640Q70 460 20 330Z" fill="#1e1d22" opacity=".35"/>
      <path d="M-88 640Q-60 520 6 520Q76 520 104 640V690H-96Z" fill="${["#8d8472", "#2e333c", "#7b5a48", "#a39a86"][i]}"/>
      <g transform="translate(${lean},296) rotate(${lean * 1.1})"><ellipse rx="44" ry="52" fill="#b98468"/><path d="M-50 22Q-64 -62 2 -64Q62 -60 50 26Q30 -26 -6 -26Q-38 -20 -50 22Z" fill="${scarf[i]}"/><path d="M-16 2q6 4 12 0M14 2q6 4 12 0M2 26q8 4 14 0" stroke="#6d4434" stroke-width="4" fill="none"/><path d="M-44 20Q-50 60 -30 70L30 68Q50 50 48 18Q40 56 0 58Q-36 54 -44 20Z" fill="${scarf[i]}"/></g>
      <path d="M-66 410Q-108 500 -30 546" stroke="${dress[i]}" stroke-width="44" fill="none"/><path d="M70 410Q112 500 44 540" stroke="${dress[i]}" stroke-width="40" fill="none"/>
      <ellipse cx="-20" cy="548" rx="27" ry="19" fill="#cf987b"/><ellipse cx="38" cy="542" rx="26" ry="18" fill="#c68c6f"/><path d="M-34 540l26 12M-30 530l30 12M26 550l26 -14M30 536l24 -12" stroke="#8a5844" stroke-width="3"/><path d="M34 530L84 500" stroke="#d8b271" stroke-width="6"/></g>`;
  };
  const meshes =
    many(46, 3, (_next, i) => `<path d="M${-80 + i * 30} 540q24 70 -10 250" fill="none"/>`) +
    many(12, 8, (_next, i) => `<path d="M-20 ${556 + i * 20}q300 ${30 + i * 3} 620 4t640 6" fill="none"/>`);
  const planks = many(
    17,
    7,
    (next, i) =>
      `<rect x="${i * 74}" y="0" width="71" height="470" fill="hsl(${24 + next() * 14},${9 + next() * 8}%,${10 + next() * 7}%)"/>`,
  );
  return svg(
    1200,
    745,
    `<rect width="1200" height="745" fill="#1c1917"/>${planks}<rect y="455" width="1200" height="290" fill="#8a7a5c"/><path d="M0 455H1200V480H0Z" fill="#3a332a"/>
    <path d="M0 60L1200 20V90L0 150Z" fill="#4b4238" opacity=".5" filter="url(#b16)"/>${[0, 1, 2, 3].map(woman).join("")}
    <path d="M0 575Q300 545 600 580T1200 570V745H0Z" fill="#5b4a33" opacity=".72"/><g stroke="#ab9468" stroke-width="3.4" opacity=".85">${meshes}</g>
    <path d="M960 716l8 -20l9 20M963 709h10M986 716v-20M992 716q12 -4 10 -12q-4 -8 -10 -6v18M1012 716h10" stroke="#c9a36a" stroke-width="2.6" fill="none"/>`,
  );
}

function lamp(): string {
  return svg(
    900,
    1100,
    `<rect width="900" height="1100" fill="#16181d"/><path d="M90 0H820V1100H90Z" fill="#1d232c"/><path d="M0 0H100V1100H0ZM800 0H900V1100H800Z" fill="#3a2c22"/><path d="M440 0H462V1100H440Z" fill="#33281f"/><path d="M90 330H810V348H90Z" fill="#33281f"/>
    <circle cx="660" cy="770" r="420" fill="url(#warm)"/>
    <path d="M150 1100Q170 860 330 800Q420 770 520 806Q650 850 680 1100Z" fill="#33323a"/><path d="M430 800Q560 810 640 900Q676 990 680 1100H520Q540 900 430 800Z" fill="#8a5a34"/>
    <path d="M340 640H480L490 830Q420 870 340 822Z" fill="#8a5f45"/><path d="M430 640H480L490 836Q450 850 430 846Z" fill="#c88d5a"/>
    <path d="M290 520Q280 360 410 346Q530 350 536 500Q540 640 470 700Q420 736 366 700Q296 640 290 520Z" fill="#7c5440"/><path d="M420 350Q530 360 536 500Q540 640 470 700Q440 722 418 720Q440 640 428 600Q452 520 424 480Q430 420 420 350Z" fill="#d99c66"/>
    <path d="M280 560Q240 330 400 306Q560 310 552 540Q530 440 470 400Q390 396 340 430Q300 470 280 560Z" fill="#2e211c"/><path d="M470 330Q556 380 548 520Q536 450 490 404Z" fill="#6e4527"/>
    <path d="M336 520q24 -16 50 0M446 520q26 -14 48 2" stroke="#2a1c18" stroke-width="9" fill="none"/><path d="M342 546q22 -14 42 0q-20 12 -42 0ZM452 546q20 -14 38 2q-18 10 -38 -2Z" fill="#231815"/><circle cx="474" cy="545" r="4" fill="#f4dba8"/><path d="M424 540Q414 590 410 614Q426 628 444 616" stroke="#8a4f33" stroke-width="7" fill="none"/><path d="M386 664q32 -8 62 2" stroke="#6a2f28" stroke-width="10" fill="none"/>
    <path d="M640 1010H764L746 950H658Z" fill="#6c5230"/><path d="M650 950Q640 890 702 884Q764 890 754 950Z" fill="#a9803f"/><path d="M676 884Q660 800 690 740V690H714V740Q744 800 728 884Z" fill="#f7dc9a"/><path d="M690 860Q684 800 702 770Q720 800 714 860Z" fill="#fff6d8"/>
    <circle cx="232" cy="236" r="34" fill="url(#far)"/><circle cx="232" cy="236" r="6" fill="#f6e9b8"/><path d="M222 330L227 244H237L242 330Z" fill="#10131a"/>`,
    glow("warm", [
      [0, "#e0a050", 0.75],
      [0.35, "#9a6531", 0.4],
      [1, "#1d232c", 0],
    ]) +
      glow("far", [
        [0, "#f3dc98", 0.8],
        [1, "#f3dc98", 0],
      ]),
  );
}

const DUSK = ["#4a5268", "#8b7f88", "#c9a184"] as const;

export const PAINTINGS: Record<string, () => Promise<Raster>> = {
  "evening-in-the-old-harbour": () => oil(eveningHarbour("#f2c467", DUSK), { seed: 11 }),
  "evening-copy": () =>
    oil(eveningHarbour("#f6e3a6", ["#5d6880", "#a09aa3", "#dcc4ae"]), {
      seed: 12,
      brushes: [22, 11, 7],
      liveliness: 0.5,
    }),
  "lighthouse-under-snow": () => oil(lighthouseSnow(), { seed: 13, liveliness: 0.8 }),
  "the-flood": () => oil(flood(), { seed: 14, brushes: [28, 14, 8, 4] }),
  "the-net-menders": () => oil(netMenders(), { seed: 15, brushes: [26, 13, 7, 3.6] }),
  "self-portrait-with-a-lamp": () => oil(lamp(), { seed: 16, brushes: [30, 16, 9, 5], liveliness: 1.2 }),
};
