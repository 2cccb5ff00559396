/** Translates the places of faults (mapping, file, option) into the fields of the form that was sent. */
import { invalid, jsonPointer, Problem } from "../problem.ts";
import type { Places } from "./schema-fit.ts";

/** `file`: a fault of the file as a whole, of its header, or of the option by which it was read. */
export function placesInForm(options: {
  mapping: unknown;
  mediaSelector?: string;
}): Places & { file(pointer: string): string } {
  const selector = jsonPointer(options.mediaSelector ?? "");
  const columns = new Set(Object.keys(Object(options.mapping)).map((name) => jsonPointer(name)));
  return {
    file: (pointer) => (pointer === "" || /^\/header(\/|$)/.test(pointer) ? `/file${pointer}` : pointer),
    mapping(pointer) {
      const column = /^\/[^/]*/.exec(pointer)?.[0];
      // a column that the mapping itself does not have
      return column === selector && !columns.has(column) ? "/media_selector" : `/mapping${pointer}`;
    },
    option: (name) => `/${name}`,
  };
}

/** What the work refuses, with its places in the form. */
export async function placed<T>(work: () => Promise<T>, place: (pointer: string) => string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "invalid") throw error;
    throw invalid(
      error.errors.map(({ pointer, detail }) => ({ pointer: place(pointer), detail })),
      error.message,
    );
  }
}
