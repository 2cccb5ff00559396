/** QR codes on pages, as a scanner reads them. */
import decodeQR from "qr/decode.js";

const DOT = 8;

/** What a scanner reads from a printed page. Codes are drawn as squares of one unit. */
export function scanned(page: string): string[] {
  return [...page.matchAll(/class="qr"[^>]*><svg viewBox="0 0 (\d+) \d+"([\s\S]*?)<\/svg>/g)].map(
    ([, units, path]) => {
      const width = Number(units) * DOT;
      const data = new Uint8Array(width * width * 4).fill(255);
      let [x, y] = [0, 0];
      for (const [, move, right, down] of path!.matchAll(/(m)(-?\d+) ?(-?\d+)h1v1/gi)) {
        [x, y] = move === "M" ? [Number(right), Number(down)] : [x + Number(right), y + Number(down)];
        for (let row = y * DOT; row < (y + 1) * DOT; row++)
          data.fill(0, (row * width + x * DOT) * 4, (row * width + (x + 1) * DOT) * 4);
      }
      return decodeQR({ width, height: width, data });
    },
  );
}
