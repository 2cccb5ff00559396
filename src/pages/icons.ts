/** The icons of the pages, on a grid of 24 with lines of 1.75, in the colour of the text beside them. */
import { html, raw } from "hono/html";
import type { Html } from "./view.ts";

const PATHS = {
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5",
  warning: "M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17.2v.1",
  check: "M4.5 12.5l5 5 10-11",
  note: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v5.5M12 7.8v.1",
  lock: "M6 11h12v9H6ZM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11",
  file: "M6 3.5h8l4 4V20.5H6ZM14 3.5v4h4",
  object: "M4.5 8.5 12 4.5l7.5 4v7.5L12 20l-7.5-4ZM4.5 8.5 12 12.5l7.5-4M12 12.5V20",
  grid: "M4 4.5h7v6H4ZM14 4.5h6v6h-6ZM4 13.5h5v6H4ZM12 13.5h8v6h-8Z",
  list: "M4 6h2M9 6h11M4 12h2M9 12h11M4 18h2M9 18h11",
  filter: "M4 6h16M7 12h10M10 18h4",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  enlarge: "M4.5 9.5v-5h5M14.5 4.5h5v5M19.5 14.5v5h-5M9.5 19.5h-5v-5",
  whole: "M4 6h16v12H4ZM8 10h8v4H8Z",
  cross: "M6 6l12 12M18 6 6 18",
  previous: "M14.5 5.5 8 12l6.5 6.5",
  next: "M9.5 5.5 16 12l-6.5 6.5",
} as const;

export type IconName = keyof typeof PATHS;

/** Hidden from screen readers, which read the words beside it. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${raw(PATHS[name])}"/></svg>`;
}
