/** Several values or sentences in one line. */
import type { Translate } from "./translate.ts";

/** Between two of them: French has a space on both sides. */
export const semicolonOf = (t: Translate): string => `${t("form.semicolon")} `;

export const withSemicolons = (t: Translate, texts: readonly string[]): string => texts.join(semicolonOf(t));
