import { say, sayAll, type Told } from "../../../src/messages/said.ts";
import { ENGLISH } from "../../../src/messages/translate.ts";

export const inEnglish = (told: Told): string => say(ENGLISH, told);

/** With the words of all that is said in it. */
export const allInEnglish = <T>(json: T): T => sayAll(ENGLISH, json);
