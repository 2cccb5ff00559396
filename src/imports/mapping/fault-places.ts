/** Translates the places of faults (mapping, file, option) into fields of the form that was sent. */
import { invalid, jsonPointer, Problem } from "../../problem.ts";
import { AS_TYPED, type Places } from "./schema-fit.ts";

/** Functions that translate the pointers of faults into pointers into what the caller sent. */
type AllPlaces = Places & { file(pointer: string): string };

export const ON_COMMAND_LINE: AllPlaces = { ...AS_TYPED, file: (pointer) => pointer };

export function placesInForm(options: { mapping: unknown; mediaSelector?: string }): AllPlaces {
  const selector = jsonPointer(options.mediaSelector ?? "");
  const columns = new Set(Object.keys(Object(options.mapping)).map((name) => jsonPointer(name)));
  return {
    file: (pointer) => (pointer === "" || /^\/header(\/|$)/.test(pointer) ? `/file${pointer}` : pointer),
    mapping(pointer) {
      const column = /^\/[^/]*/.exec(pointer)?.[0];
      // the column of `media_selector` is not in the mapping itself
      return column === selector && !columns.has(column) ? "/media_selector" : `/mapping${pointer}`;
    },
    option: (name) => `/${name}`,
  };
}

/** Does the work, and translates the pointers of the faults that it throws. */
export async function placed<T>(work: () => Promise<T>, place: (pointer: string) => string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "invalid") throw error;
    throw invalid(
      error.errors.map(({ pointer, detail }) => ({ pointer: place(pointer), detail })),
      error.told,
    );
  }
}
