/**
 * A place as a dot on a map of the world. The map is part of the program, so that no other server is asked. It was drawn by
 * hand, in rows of three degrees.
 */
import { html, raw } from "hono/html";
import type { Html, View } from "../../pages/view.ts";

const STEP = 3;
/** Land in degrees of longitude: the first and last degree of each stretch, from west to east. The first row is at 82.5° north. */
const LAND: readonly (readonly number[])[] = [
  [-84, -63, -45, -24],
  [-96, -75, -66, -18, 12, 27, 51, 57, 93, 102],
  [-120, -114, -105, -78, -69, -18, 15, 18, 60, 69, 93, 108],
  [-126, -93, -90, -78, -57, -21, 51, 57, 69, 81, 84, 114, 123, 129, 138, 144],
  [-159, -150, -120, -105, -96, -69, -54, -24, 24, 30, 66, 78, 81, 162],
  [-165, -84, -72, -63, -54, -33, 13, 40, 44, 180],
  [-162, -87, -84, -81, -75, -66, -51, -40, -24, -15, 11, 36, 39, 178],
  [-165, -147, -144, -94, -78, -70, -48, -43, 6, 17, 22, 155, 161, 172],
  [-158, -153, -136, -94, -78, -63, -6, -3, 6, 9, 12, 17, 24, 143, 158, 163],
  [-162, -160, -130, -88, -79, -60, -8, -7, -5, -3, 9, 10, 13, 14, 21, 137, 157, 161],
  [-128, -80, -78, -57, -9, -7, -3, 1, 5, 141, 143, 144, 158, 159],
  [-125, -66, -57, -54, -1, 140, 143, 144],
  [-124, -65, -62, -61, -1, 12, 14, 30, 33, 48, 53, 137, 142, 143],
  [-124, -70, -8, 6, 10, 12, 16, 28, 41, 48, 51, 135, 142, 145],
  [-124, -74, -9, 0, 9, 9, 15, 17, 21, 23, 27, 49, 54, 117, 122, 127, 140, 141],
  [-122, -76, -9, -2, 13, 15, 9, 10, 21, 23, 28, 49, 54, 119, 127, 129, 137, 140],
  [-120, -77, -6, 10, 24, 25, 33, 33, 36, 119, 127, 127, 132, 138],
  [-116, -81, -9, 19, 21, 33, 35, 121, 130, 131],
  [-114, -113, -111, -97, -82, -81, -12, 33, 35, 48, 52, 121],
  [-112, -111, -108, -97, -81, -80, -15, 34, 38, 50, 57, 119, 121, 121],
  [-105, -98, -83, -78, -16, 36, 39, 58, 70, 91, 93, 114],
  [-104, -96, -90, -88, -77, -75, -72, -69, -16, 36, 41, 55, 73, 84, 94, 105, 109, 110],
  [-99, -94, -92, -89, -16, 38, 43, 52, 74, 81, 95, 98, 99, 107, 120, 121],
  [-90, -84, -16, 42, 45, 45, 75, 79, 98, 101, 103, 108, 122, 124],
  [-85, -84, -75, -63, -14, 50, 76, 78, 99, 99, 105, 107, 123, 125],
  [-81, -79, -76, -59, -12, 48, 80, 81, 99, 100, 117, 117, 123, 126],
  [-77, -52, -8, -3, 9, 46, 97, 98, 101, 103, 114, 118],
  [-79, -51, 10, 44, 99, 101, 103, 103, 110, 117, 120, 124, 128, 128],
  [-80, -47, 10, 41, 101, 105, 110, 116, 120, 122, 132, 138],
  [-80, -38, 13, 38, 104, 105, 115, 115, 120, 121, 134, 144, 151, 151],
  [-79, -35, 13, 39, 106, 113, 138, 147],
  [-77, -37, 14, 40, 124, 124, 143, 143, 148, 150],
  [-76, -39, 13, 40, 49, 49, 131, 136, 142, 144],
  [-73, -39, 13, 39, 45, 49, 124, 146],
  [-70, -41, 14, 35, 45, 48, 121, 147],
  [-70, -43, 15, 35, 44, 47, 114, 150],
  [-70, -49, 16, 32, 45, 46, 114, 152],
  [-71, -50, 17, 31, 115, 153],
  [-71, -52, 19, 29, 116, 152],
  [-72, -55, 20, 23, 117, 119, 136, 150],
  [-73, -58, 141, 149, 175, 177],
  [-74, -63, 145, 147, 173, 176],
  [-74, -66, 170, 172],
  [-75, -68, 168, 169],
  [-75, -69],
  [-74, -70, -60, -59],
  [-70, -68],
];
const NORTH = 84;
const SOUTH = NORTH - LAND.length * STEP;

/** Each stretch of land is a line of round dashes. */
const PATH = LAND.flatMap((row, index) => {
  const y = NORTH - STEP / 2 - index * STEP;
  return row.flatMap((west, at) => {
    if (at % 2 === 1) return [];
    const first = Math.round(west / STEP) * STEP;
    const last = Math.max(first, Math.round(row[at + 1]! / STEP) * STEP);
    // a line without length would not be drawn
    return `M${first} ${-y}H${last + 0.01}`;
  });
}).join("");

export function worldMap(view: View, lat: number, lon: number, title: string): Html {
  const { t, formats } = view;
  // the map ends in the Bering Strait
  const point = { x: lon < -171 ? lon + 360 : lon, y: -Math.min(NORTH - STEP, Math.max(SOUTH + STEP, lat)) };
  const where = t("map.where", {
    lat: `${formats.number(Math.abs(lat), 4)}° ${t(lat < 0 ? "map.south" : "map.north")}`,
    lon: `${formats.number(Math.abs(lon), 4)}° ${t(lon < 0 ? "map.west" : "map.east")}`,
  });
  const elsewhere = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=9/${lat}/${lon}`;
  return html`<figure class="map">
    <svg viewBox="-171 ${-NORTH} 354 ${NORTH - SOUTH}" role="img" aria-label="${t("map.label", { title })}">
      <path class="graticule" d="M-171 0H183M-171 -66.56H183M-171 -23.44H183M-171 23.44H183M0 ${-NORTH}V${-SOUTH}"/>
      <path class="land" d="${raw(PATH)}"/>
      <circle class="around" cx="${point.x}" cy="${point.y}" r="9"/><circle class="point" cx="${point.x}" cy="${point.y}" r="3"/>
    </svg>
    <figcaption>${where} <a href="${elsewhere}" rel="noopener nofollow">OpenStreetMap</a></figcaption>
  </figure>`;
}
