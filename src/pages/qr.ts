/** QR codes (ISO/IEC 18004). */
import { html, raw } from "hono/html";
import encodeQR from "qr";
import type { Html } from "./view.ts";

/** A drawing of black squares; its text stands beside it or is the address of the very record. */
export function qrCode(text: string): Html {
  return html`<span class="qr" role="img" aria-label="${text}">${raw(encodeQR(text, "svg", { ecc: "medium", border: 2 }))}</span>`;
}
