/** Measurements in the boxes of a form. They are stored as `height: 62.5 cm`, so that every reader gets them in their own language. */
import type { View } from "../pages/view.ts";
import { DIMENSIONS } from "../portal/record/values.ts";
import type { Field } from "../records/schema.ts";
import { ENTRY } from "./editor/values.ts";

type Reader = Pick<View, "t" | "formats">;

/** Between the two parts of what is stored. */
const COLON = ": ";
const STORED = new RegExp(`^(${DIMENSIONS.join("|")})${COLON}(.*)$`, "s");

/** `Höhe: 62,5 cm`; the value itself if that would not be read back as the same value. */
export function shownMeasure(view: Reader, value: string): string {
  const { t, formats } = view;
  const [, name, measure] = STORED.exec(value) ?? [];
  const dimension = DIMENSIONS.find((each) => each === name);
  if (dimension === undefined || measure === undefined) return value;
  const shown = `${t(`dimension.${dimension}`)}${t("dimension.colon")}${formats.measure(measure)}`;
  return storedMeasure(view, shown) === value ? shown : value;
}

/** Translates "Höhe: 62,5 cm" into "height: 62.5 cm". Leaves any other text as typed. */
function storedMeasure({ t, formats }: Reader, text: string): string {
  // what is stored is English
  if (t.language === "en") return text;
  const sign = formats.number(0.5).charAt(1);
  for (const dimension of DIMENSIONS) {
    const [name] = new RegExp(`^${t(`dimension.${dimension}`)}\\s*:\\s*`, "iu").exec(text.trim()) ?? [];
    if (name === undefined) continue;
    const measure = text.trim().slice(name.length);
    return (
      dimension + COLON + measure.replace(/(?<=\d)[.,](?=\d)/g, (found) => (found === sign ? "." : found))
    );
  }
  return text;
}

/** The form with stored values where measurements are shown in the reader's language. */
export function withStoredMeasures(
  view: Reader,
  fields: readonly Field[],
  form: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const isMeasured = (control: string) => {
    const of = ENTRY.exec(control)?.[1];
    return fields.some(({ name, field_type }) => name === of && field_type === "measurement");
  };
  return new Map(
    [...form].map(([control, text]) => [control, isMeasured(control) ? storedMeasure(view, text) : text]),
  );
}
