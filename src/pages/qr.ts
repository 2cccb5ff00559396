/** QR codes (ISO/IEC 18004). */
import { html, raw } from "hono/html";
import encodeQR from "qr";
import type { Html } from "./view.ts";

export function qrCode(text: string): Html {
  return html`<span class="qr" role="img" aria-label="${text}">${raw(encodeQR(text, "svg", { ecc: "medium", border: 2 }))}</span>`;
}
