/** The parts of a date in words, and what is decided once for all of it. */
import { type Translate, translator } from "../../messages/translate.ts";

/** `span` is said by its first and last year, month or day. */
export type Form =
  | "year"
  | "month"
  | "day"
  | "season"
  | "part"
  | "decade"
  | "century"
  | "millennium"
  | "span";

/**
 * `text` leaves out what makes the date uncertain. `plural`: the text when one word stands for both ends of a range ("siglos").
 * `ends`: the first and last year, month or day.
 */
export type Worded = {
  text: string;
  plural?: string;
  form: Form;
  ends?: [string, string];
  isAbout?: boolean;
  isDoubted?: boolean;
};

/**
 * Where a date stands, because "about" and "(?)" must not seem to belong to its neighbour. `first`: before a dash or another date.
 * `last`: after one. `range`: a whole range, where "about" stands in front. `inner`: after "between", where "about" is short.
 */
export type Place = "alone" | "range" | "first" | "last" | "inner";

/**
 * `saysEra`: years before 300, and all years beside BC, have their era; in Italian years before 1000, because "800" is also the
 * 19th century. `saysDecades`: whether a decade is said as one. Beside a year it could be misread: "anni 1920 – 1935" as two
 * decades. `isLife`: the dash stands between birth and death, so ranges within an end have another form.
 */
export type Say = Translate & { saysEra: boolean; saysDecades: boolean; isLife: boolean };

/** How these dates are said in a language. */
export function say(dates: string, language: string, isLife = false): Say {
  const t = translator(language);
  const saysEra = (t.language === "it" ? /(^|[[{/,.])[Y0-]/ : /(^|[[{/,.])(Y|-|0[0-2])/).test(dates);
  const isPlain = !isLife && !saysEra && /en|de|es/.test(t.language);
  const years = isPlain ? /(^|[[{/,.])\d{3}0($|[\]}/,.])/ : /(^|[[{/,.])\d{4}($|[\]}/,.])/;
  return Object.assign(t.bind(null), {
    language: t.language,
    saysEra,
    saysDecades: /[?~%]/.test(dates) || !years.test(dates),
    isLife,
  });
}
