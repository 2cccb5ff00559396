/** Years after names: which are those of a life, which of a reign, an office, a firm or of activity. */
import { describe, expect, it, test } from "vitest";
import { isFirm } from "../../src/imports/mapping/firms.ts";
import { lifeIn } from "../../src/imports/mapping/written-lives.ts";

/** The name, then birth and death or the words of activity; "-" if the text stays a name as a whole. */
function readOf(text: string): string {
  if (isFirm(text)) return "a firm";
  const found = lifeIn(text);
  if (!found) return "-";
  const { name, birth = "", death = "", active = `${birth} ${death}` } = found;
  return `${name} | ${active}`;
}

const partsOf = (texts: string) => texts.trim().split(/\s*;\s+/);
/** Nothing is read in any of the texts. */
const nothing = (texts: string) => partsOf(texts).map((text): [string, string] => [text, "-"]);
/** The life of 1811–1869 is read behind each name, and the name is what stands before it. */
const lives = (names: string) =>
  partsOf(names).flatMap((name) =>
    [`${name}, 1811-1869`, `${name} (1811-1869)`].map((text): [string, string] => [
      text,
      `${name} | 1811 1869`,
    ]),
  );
const read = (texts: Record<string, string>) => Object.entries(texts);

describe("the years after a name", () => {
  const few = [
    ...nothing(`
      Brander, Oluf (1911-1919); Brander, Oluf, Lehrer 1911-1922; Brander, Oluf, 1911–1912; Brander (1851-1855);
      Brander, Oluf (12.3.1911–4.5.1919); Brander, Oluf (um 1911-1919); Blauer Reiter (1911-1914)`),
    ...read({
      "Brander, Oluf (1911-1923)": "Brander, Oluf | 1911 1923",
      "Brander, Oluf (1911–nach 1919)": "Brander, Oluf | 1911 1919/..",
      "Brander, Oluf (1911-?)": "Brander, Oluf | 1911 ",
      "Brander, Anna (* 1911, † 1919)": "Brander, Anna | 1911 1919",
      "Brander, Anna, born 1911, died 1919": "Brander, Anna | 1911 1919",
      "Brander, Oluf, tätig 1911-1914": "Brander, Oluf | tätig 1911-1914",
    }),
  ];
  const many = [
    ...nothing(`
      Gorham, 1831-1990; Ginori (1735-1896); VOC (1602-1799); Meissen (1710-); Kodak (1888-); Ming (1368-1644);
      Brander, Oluf (1811-1925); Brander, Oluf, 1811-`),
    ...read({
      "Brander, Oluf (1811-1920)": "Brander, Oluf | 1811 1920",
      "Brander, Oluf (1626-?)": "Brander, Oluf | 1626 ",
      "Brander, Oluf (1958-)": "Brander, Oluf | 1958 ",
      "Meissen AG (1710-)": "a firm",
    }),
  ];
  const words = [
    ...nothing(`
      Anna Müller, geb. 1850-1920; John Smith, born 1790-1845; Karl Müller – 1815–1905; Müller, Karl - 1815-1905; Müller, Karl: 1815-1905;
      John Smith, clockmaker 1750-1780; Jean Dupont, orfèvre à Paris 1750-1780; Karl Müller, wirkte 1880-1930`),
    ...read({
      "Currier, Nathaniel, 1813-1888.": "Currier, Nathaniel | 1813 1888",
      "Dupont, Jean, né en 1850, mort en 1920": "Dupont, Jean | 1850 1920",
      "Dupont, Jean (décédé en 1920)": "Dupont, Jean |  1920",
    }),
  ];
  it.each(words)("do not follow a word that says more than the name: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  it.each(many)("are no life if they are more than 110: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  const others = [
    ...nothing(`
      Spode (1770-1833); Worcester, 1751-1862; Kangxi (1662-1722); Victoria (1837-1901); WMF (1853-1914); Vitra (1950-);
      Style of Rembrandt (1606-1669); im Stil von Rembrandt (1606-1669); dans le style de David (1748-1825); Kreis um Rembrandt, 1606-1669;
      Nachahmer Rembrandts (1606-1669); Rubens, Peter Paul (Umkreis) (1577-1640); Rubens, Peter Paul (Kopie nach), 1577-1640;
      Rubens, Peter Paul, Umkreis (1577-1640); Meyer, Karl (Zuschreibung), 1850-1920; Smith, John (Attributed to) 1790-1845; Smith, John (After), 1790-1845;
      Raphael Morghen nach Leonardo da Vinci (1452-1519); Karl Meyer / Hans Schmidt (1850-1920); Karl Meyer oder Hans Schmidt (1850-1920);
      Smith, John, 12 High Street, Leeds (1850-1870); John Smith (?) (1790-1845); Entwurf: Karl Meyer (1850-1920);
      Unknown (1850-1900); Unbekannt (1850-1900); Anonyme, 1800-1869; Ignoto (1600-1650); Onbekende meester (1650-1700);
      Circle of Rembrandt (1640-1660); Umkreis Rembrandt (1640-1660); Ambito veneto (1600-1649); After Rembrandt (1606-1669);
      nach Rembrandt, 1606-1669; d'après Raphaël (1483-1520); naar Rembrandt (1606-1669); Kopie nach Rembrandt (1606-1669);
      Villeroy und Boch (1836-1890); Currier and Ives (1857-1907); Muller et Dupont (1850-1900); Begeer en Vos (1850-1900);
      Karl Meyer mit Hans Müller (1810-1880); Karl Meyer bzw. Hans Müller, 1810-1880; John Smith + James Brown (1800-1860); Mario Rossi - Luigi Bianchi (1860-1920);
      Juan García y Pedro López (1880-1930); Jan Jansen met Piet Vos (1860-1930);
      William Sharp after a drawing by Benjamin West (1738-1820); Hans Müller nach einem Entwurf von Karl Meyer (1800-1870); Sold by John Smith (1790-1845);
      Hester Bateman, silversmith, London, 1761-1790; Jan Jansen, uitgever, Amsterdam (1750-1790);
      Meister des Marienlebens (1460-1490); Master of Flémalle, 1375-1444; Maître de Moulins (1480-1500); Monogrammist AC (1500-1530)`),
    ...[
      "Fa. Karl Meyer (1880-1930)",
      "Karl Meyer OHG (1880-1930)",
      "Brüder Thonet (1853-1921)",
      "Meiji era (1868-1912)",
    ].map((text): [string, string] => [text, "a firm"]),
    ...nothing(`
      Unknown photographer (active 1860-1870); Ignoto (attivo 1650-1700); Southworth and Hawes (active 1843-1863);
      Anonymous, German (1500-1550); Anonimo fiorentino (1500-1550); Unbekannt, Nürnberg (1600-1650);
      Schüler des Rembrandt (1640-1660); Élève de David (1780-1810); In der Art von Rembrandt (1640-1660); Según Murillo (1617-1682);
      Rubens, Peter Paul (after), 1577-1640; Rubens, Peter Paul (follower of) (1577-1640); Reni Guido, copia da, 1575-1642;
      M. et Mme Dupont (1900-1980); Karl u. Anna Müller (1900-1980); Sr. y Sra. García (1900-1980); Dhr. en mevr. Jansen (1900-1980)`),
    ...lives(
      "Maler, Hans; Hans Maler; Goethe, Johann Wolfgang von; Cranach, Lucas, d. Ä.; Brueghel, Pieter, de Oude",
    ),
    ...read({ "Meister von Meßkirch (tätig 1515-1540)": "Meister von Meßkirch | tätig 1515-1540" }),
    ...read({ "Spode (* 1770, † 1833)": "Spode | 1770 1833", "Nadar (um 1820-1910)": "Nadar | 1820~ 1910" }),
    ...lives(
      "Afterman, Bo; Kane, Art; Art Kane; Leonardo da Vinci; Kreis, Wilhelm; Nachmann, Bo; Ortega y Gasset, José; José Ortega y Gasset; Karl Bruder; Kopierski, Bo; Sandro and, Bo",
    ),
  ];
  it.each(others)("are of nobody, or of somebody else: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  it.each(few)("are no life if they are few: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  it("are those of a firm, however few", () => {
    expect(lifeIn("Werft AG (1851–1858)")).toEqual({ name: "Werft AG", birth: "1851", death: "1858" });
    const group = { name: "Blauer Reiter", birth: "1911", death: "1914" };
    expect(lifeIn("Blauer Reiter (1911–1914)", true)).toEqual(group);
  });

  const reigns = [
    ...nothing(`
      François Ier (1515-1547); Kurfürst Clemens August (1723-1761); Friedrich der Große (1740-1786); Shah Abbas (1588-1629); DDR (1949-1990);
      Pius IX. (1846-1878); Louis XIV (1643-1715); Louis XIV 1643-1715; Elizabeth I, 1558-1603; Charles X (1804-1830);
      Friedrich II. von Preußen (1740-1786); Friedrich Wilhelm III. (1797-1840); Karl V. (1519-1556); Pius IX. (-1878);
      Kaiser Ferdinand II. 1619-1637; Queen Victoria (1837-1901); Kaiser Qianlong (1736-1795); Vittorio Emanuele II (1849-1878); Isabel II, Queen of Spain (1833-1868);
      Abt Martin Gerbert (1764-1793); Governor John Smith (1850-1870); Markgraf Karl Wilhelm (1709-1738); Prinz Eugen (1683-1736);
      Karl V. von Spanien (1519-1556); Vittorio Emanuele III re (1900-1943); Willem III, 1672-1702`),
    ...lives(`
      Brander, Oluf V.; Oluf V. Brander; Brander, O. I.; Bruegel, Pieter II; Brander, Oluf, III; Xi Lin; Ivi Brander;
      Brander, Ivo; Vivi Brander; King, Martin; König, Franz; Smith, John, Jr; Reg Butler; Regina Auer`),
    ...read({ "Friedrich II. (* 1712, † 1786)": "Friedrich II. | 1712 1786" }),
  ];
  it.each(reigns)("may be those of a reign: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  const offices = [
    ...nothing(`
      Antonio Venier, doge (1382-1400); Antonio Venier doge 1382-1400; Antonio Venier, LXII doge (1382-1400);
      Carlo Alberto re di Sardegna (1831-1849); Umberto, re d'Italia (1878-1900); Pio, papa, 1846-1878;
      Louis, roi de France (1643-1715); Felipe, rey de España (1700-1746); Isabel, reina (1833-1868);
      Leopold, King of the Belgians, 1831-1865; Antonio de Mendoza, virrey (1535-1550); Ada, Queen of X, 1837-1901;
      Lothar von Metternich, Erzbischof von Trier 1599-1623; Ferdinand von Bayern, Kurfürst 1612-1650;
      Brander, Oluf, Pfarrer 1911-1930; Schmidt, Karl, Meister 1750-1780; Smith, John, photographer in Leeds 1900-1920; Brander, Oluf, Direktor, 1911-1930; Brander, Oluf, Landrat 1911-1930;
      Smith, John, Mayor of Leeds 1911-1930; Smith, John, curator (1911-1930); Smith, John, vicar 1911-1930;
      Jansen, Piet, pastoor 1911-1930; Jansen, Piet, burgemeester (1911-1930); Dupont, Pierre, maire 1850-1870;
      Dupont, Pierre, reçu maître 1750-1780; Dupont, Pierre, évêque de Lyon (1850-1870);
      Rossi, Mario, vescovo di Asti (1850-1870); Rossi Mario, podestà 1850-1870; García, Juan, alcalde (1850-1870);
      Louis, règne 1643-1715; Louis, règne de (1774-1792); Fernando, reinado (1808-1833);
      Pio, pontificato 1775-1799; Victoria, reigned 1837-1901; Friedrich reg. 1740-1786`),
    ...lives(`
      König, Hans; Bishop, John; King, Anna; Papa, Mario; Maire, Jean; Pfarrer, Oluf; Hans König; Jean Maître;
      Vidor, King; Gillette, King Camp; Auer, Regina; García, Reina; Auer, Pastor; Butler, Reg; Ellington, Duke; Leroy, Rex;
      Brander, Oluf, Maler; Smith, John, Sir; Zeppelin, Ferdinand, Graf von; Brander, Oluf, Professor`),
    ...read({ "Wilhelm, Kaiser, * 1859, † 1941": "Wilhelm, Kaiser | 1859 1941" }),
  ];
  it.each(offices)("may be those of an office: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  const active = partsOf(`
    notizie 1489-1517; Notizie 1489-1517; notizie dal 1489 al 1517; doc. 1489-1517; documentato 1489-1517;
    operante 1489-1517; operoso 1489-1517; menzionato nel 1489; att. 1489-1517; not. 1489-1517; attivo a Roma, 1489-1517;
    documentato a Roma, 1489-1517; documenté 1750-1780; documenté de 1750 à 1780; connu 1750-1780; cité en 1750;
    mentionné vers 1750; exposa 1750-1780; en activité de 1750 à 1780; documentado desde 1850; trabajó 1850-1860;
    documentado entre 1850 y 1860; citado 1850-1860; conocido hacia 1850; mencionado en 1850; documented 1850-1860;
    nachweisbar 1850-1860; nachgewiesen um 1850; erwähnt 1850; erw. 1850-1860; vermeld 1850-1860; genoemd in 1850;
    working 1850-1900`);
  it.each(active)("may say when somebody was active: %s", (words) => {
    for (const name of ["Bo, Ada", "Ada Bo"])
      for (const text of [`${name}, ${words}`, `${name} (${words})`, `${name} [${words}]`])
        expect([text, lifeIn(text)]).toEqual([text, { name, active: words }]);
  });

  const wordless = [
    ...nothing(`
      Rossi Mario notizie (1489-1517); Rossi Mario, doc., 1489-1517; Bo, Ada, vermeld te Gent, 1811-1869;
      Bo, Ada, connue sous le nom de Max, 1811-1869; Bo, Ada, conocida como Max, 1811-1869; Bo, Ada, actif, 1811-1869;
      Dupont, Pierre, expose au Salon 1850-1870; Bo, Ada, documented (1811-1869); Rossi Mario, n. 1850-1900;
      Brander, Oluf, probably, 1811-1869; Brander, Oluf, wohl (1811-1869); García, Juan, h. 1850-1855`),
    ...lives("Smith, John H.; Smith, H.; Smith, John C.; John N. Smith; Smith, J. N.; Müller, Hans R."),
    ...read({
      "Rossi Mario notizie 1489-1517": "Rossi Mario | notizie 1489-1517",
      "Rossi Mario (notizie 1650/ 1680)": "Rossi Mario | notizie 1650/ 1680",
      "García, Juan, h. 1850-1900": "García, Juan | 1850~ 1900",
      "García, Juan (h. 1510-1586)": "García, Juan | 1510~ 1586",
      "García, Juan (h. 1510 - h. 1586)": "García, Juan | 1510~ 1586~",
      "Smith, John H. 1811-1869": "Smith, John H. | 1811 1869",
      "Smith, John C. 1811-1869": "Smith, John C. | 1811 1869",
      "Smith, John, c. 1811-1869": "Smith, John | 1811~ 1869",
    }),
  ];
  it.each(wordless)("leave no word behind in the name: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  const commas = [
    ...lives(`
      Goethe, Johann Wolfgang von; Humboldt, Alexander von; Gogh, Vincent van; Velde, Henry van de; Goya, Francisco de;
      Conegliano, Cima da; Steen, Jan; Macke, August; Vos, Mei; Brown, May; Ende, Michael; Michael Ende; Jubal Early;
      Hans Winter; Auer, Juni; Wellington, Arthur Wellesley, Duke of; Cranach, Lucas d. Ä.; Vecellio, Tiziano di`),
    ...nothing(`
      Stein, August 1811-1869; Berlin, Mai 1811-1869; Brander, Oluf von 1811-1869; Brander, Oluf, um und 1811-1869`),
    ...read({ "August Stein 1811-1869": "August Stein | 1811 1869" }),
  ];
  it.each(commas)("may follow a comma: %s", (text, expected) => {
    expect(readOf(text)).toBe(expected);
  });

  const slashes = [
    ...nothing("Reni Guido, 1575/1642; Brander (1811/1812); Brander (1811/12); Brander (1811/12/1869)"),
    ...read({
      "Reni Guido (1575/ 1642)": "Reni Guido | 1575 1642",
      "Reni Guido (1575/1642)": "Reni Guido | 1575 1642",
      "Bellini Giovanni (1430 ca./ 1516)": "Bellini Giovanni | 1430~ 1516",
      "Rossi, Mario (1850 ca. - 1900 ca.)": "Rossi, Mario | 1850~ 1900~",
      "Dupont, Pierre, 1850 env. - 1900": "Dupont, Pierre | 1850~ 1900",
    }),
  ];
  it.each(slashes)(
    "may be parted by a slash, and say behind that they are approximate: %s",
    (text, expected) => {
      expect(readOf(text)).toBe(expected);
    },
  );
});

const FIRMS = {
  de: `
    Sammlung Bo; Grabung Bo; Deutsche Südpolar-Expedition; SMS Gazelle; Deutsche Werkstätten Hellerau; Wiener Werkstätte;
    Glashütte Bo; Glaswerke Bo; Kunstanstalt Bo; Lithographische Anstalt Bo; Fotohaus Bo; Kaufhaus Bo; Warenhaus Bo;
    Bauhaus; Buchhandlung Bo; Galerie Bo; Gießerei Bo; Glockengießerei Bo; Brauerei Bo; Weberei Bo; Töpferei Bo;
    Reederei Bo; Deutscher Werkbund; Künstlergruppe Brücke; Münzstätte Berlin; Königreich Bayern; Deutsche Reichsbahn;
    Hofdruckerei Bo; Werkstatt Bo; Kunstverein Bo; Deutsches Reich; Loetz Witwe; Bo G.m.b.H.; Turnverein Bo e.V.; Ehepaar Bo`,
  en: `
    Challenger Expedition; HMS Challenger; USS Albatross; Great Western Railway; Morris Singer Foundry; Bank of England;
    Worcester Porcelain; Omega Workshops; Royal Academy; Guild of Handicraft; Dowdeswell Gallery; British Army; Royal Navy;
    Bo & Fry; Ironworks Bo; Tiffany Studios; House of Worth; Bo Potteries; Fiat S.p.A.`,
  nl: `
    Siboga-expeditie; Kunsthandel Bo; Boekhandel Bo; Plateelbakkerij Bo; Gieterij Bo; Weverij Bo; Rijksmunt;
    Koninklijke Begeer; Nederlandse Spoorwegen; Uitgeverij Bo; Glasfabriek Leerdam`,
  fr: `
    Fabrique Bo; Compagnie des Indes; Bo et Fils; Librairie Bo; Lithographie Bo; Ministère de la Guerre;
    Banque de France; École de Bo; Chemins de fer de l'Ouest`,
  it: `
    Real Fabbrica di Capodimonte; Rossi e figli; Stamperia Bo; Libreria Bo; Litografia Bo; Zecca di Milano;
    Ministero della Guerra; Banca d'Italia; Istituto Luce; Regno d'Italia; Comune di Asti; Scuola di Capodimonte`,
  es: `
    Ceca de México; Ayuntamiento de Madrid; Litografía Bo; Librería Bo; Reino de España; Banco de España; Bo y Cía.;
    Escuela de Bo`,
};

test.each(Object.entries(FIRMS))(
  "firms and other groups are known by their words (%s)",
  (_language, names) => {
    for (const name of partsOf(names)) expect([name, isFirm(`${name} (1850-1900)`)]).toEqual([name, true]);
  },
);

const PEOPLE = lives(`
  Haus, Anna; Althaus, Bo; Steinhaus, Bo; Rathaus, Karol; Munt, Bo; China, Bo; Stadt, Bo; Reich, Wilhelm;
  Händel, Georg Friedrich; Handel, Bo; Auer, Valerie; Mérei, Ferenc; Schütte, Bo; Handwerk, Bo; Guild, Lurelle;
  Zecca, Ferdinand; Guerra, Tonino; Church, Frederic; Dumas fils, Alexandre; Nanni di Banco; Banco, Nanni di;
  Cour, Janus la; Burbank, Luther; Banks, Bo; Mills, Bo`);

test.each(PEOPLE)("people are no firms for their names: %s", (text, expected) => {
  expect(readOf(text)).toBe(expected);
});
