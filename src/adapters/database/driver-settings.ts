/** How postgres.js speaks to a server, wherever the program runs. */
import { types } from "./types.ts";

export const DRIVER_SETTINGS = {
  /** Seconds. */
  connect_timeout: 5,
  // one that is closed was lost, then
  max_lifetime: null,
  types,
  onnotice: () => {},
  connection: { application_name: "svc", TimeZone: "UTC", DateStyle: "ISO, MDY" },
};
