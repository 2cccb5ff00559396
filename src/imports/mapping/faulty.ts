/** Returned instead of a result if something cannot be read or compiled. */
import { type Said, said } from "../../messages/said.ts";

export type Faulty = { fault: Said };

export const faulty = (...[key, values]: Parameters<typeof said>): Faulty => ({ fault: said(key, values) });
