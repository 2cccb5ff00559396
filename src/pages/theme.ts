/** The accent colour and typeface of an installation. The values were checked when they were set. */
import { html, raw } from "hono/html";
import { lightened } from "../settings/colours.ts";
import type { Html, View } from "./view.ts";

/** A style element with the nonce; empty if nothing differs from the default. */
export function theme({ nonce, settings }: View): Html {
  const { accent_colour: accent, accent_colour_dark: inDark, typeface } = settings;
  const rules = [
    ...(accent === null && inDark === null ? [] : accentRules(accent, inDark ?? lightened(accent!))),
    ...(typeface === "sans" ? ["--serif:var(--sans)"] : []),
  ];
  return rules.length === 0 ? html`` : html`<style nonce="${nonce}">:root{${raw(rules.join(";"))}}</style>`;
}

/** Also sets the shades of the accent, and the colour of text on it. */
function accentRules(light: string | null, dark: string): string[] {
  return [
    `--accent:light-dark(${light ?? "#14575e"},${dark})`,
    "--accent-strong:color-mix(in oklab,var(--accent) 75%,var(--ink-0))",
    "--accent-ground:color-mix(in oklab,var(--accent) 10%,var(--ground-0))",
    "--on-accent:light-dark(#fff,#191714)",
  ];
}
