/** Formats numbers, sizes and counts in the language of the page (`photos.js`, `chooser.js`). */
const { lang } = document.documentElement;
const numbers = new Intl.NumberFormat(lang);
const plurals = new Intl.PluralRules(lang);
const sizes = ["byte", "kilobyte", "megabyte", "gigabyte"].map(
  (unit) => new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits: 1 }),
);

export const numbered = (number) => numbers.format(number);

export const sizeOf = (bytes) => {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return sizes[power].format(bytes / 1000 ** power);
};

/** @param forms the plural forms of a message with a number */
export const counted = (forms, count) =>
  (forms[plurals.select(count)] ?? forms.other).replace(/\d+/, numbers.format(count));

/** Replaces the placeholders of a message: `{done} of {all}`. */
export const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) =>
    typeof values[name] === "number" ? numbers.format(values[name]) : values[name],
  );
