/** What an installation changes of the look: its accent, its typeface. Values were checked when they were set. */
import { html, raw } from "hono/html";
import { lightened } from "../settings/colours.ts";
import type { Html, View } from "./view.ts";

/** Styles that this answer names by its nonce; nothing while the look is that of the program. */
export function theme({ nonce, settings }: View): Html {
  const { accent_colour: accent, accent_colour_dark: inDark, typeface } = settings;
  const rules = [
    ...(accent === null && inDark === null ? [] : accentRules(accent, inDark ?? lightened(accent!))),
    ...(typeface === "sans" ? ["--serif:var(--sans)"] : []),
  ];
  return rules.length === 0 ? html`` : html`<style nonce="${nonce}">:root{${raw(rules.join(";"))}}</style>`;
}

/** Texts on the accent, and shades of it, follow. */
function accentRules(light: string | null, dark: string): string[] {
  return [
    `--accent:light-dark(${light ?? "#14575e"},${dark})`,
    "--accent-strong:color-mix(in oklab,var(--accent) 75%,var(--ink-0))",
    "--accent-ground:color-mix(in oklab,var(--accent) 10%,var(--ground-0))",
    "--on-accent:light-dark(#fff,#191714)",
  ];
}
