/** What cannot be read or compiled, instead of the result. */
import { type Said, said } from "../../messages/said.ts";

export type Faulty = { fault: Said };

export const faulty = (...[key, values]: Parameters<typeof said>): Faulty => ({ fault: said(key, values) });
