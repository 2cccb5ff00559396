/** How postgres.js speaks to a server, wherever the program runs. */
import { types } from "./types.ts";

export const DRIVER_SETTINGS = {
  /** Seconds. */
  connect_timeout: 5,
  // one that is closed was lost, then
  max_lifetime: null,
  types,
  onnotice: () => {},
  // its just-in-time compiler takes 150 ms for a statement that runs in one, and no statement is long enough to gain
  connection: { jit: "off", application_name: "svc", TimeZone: "UTC", DateStyle: "ISO, MDY" },
};
