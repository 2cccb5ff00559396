/** Options of postgres.js. */
import type { Options, PostgresType } from "postgres";
import { types } from "../types.ts";

/** For connections to a server. */
export const DRIVER_SETTINGS = {
  /** Seconds. */
  connect_timeout: 5,
  // the driver never closes a connection, so a closed connection is a lost one
  max_lifetime: null,
  types,
  onnotice: () => {},
  // PostgreSQL's just-in-time compiler can take 150 ms for a statement that runs in one
  connection: { jit: "off", application_name: "svc", TimeZone: "UTC", DateStyle: "ISO, MDY" },
};

/** `socket` is missing in the types of postgres.js. */
export type SocketOptions<T = unknown> = Options<Record<string, PostgresType>> & {
  socket(address: T): unknown;
};
