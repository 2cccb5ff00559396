/** Reads JSON. Engines say what is wrong in English and each in other words; most say where. */

/** Both 0 if the engine does not say it (Bun), or if the text ends too early. */
export type Place = { line: number; column: number };

/** @param refuse makes what is thrown if the text is not JSON */
export function readJson(text: string, refuse: (place: Place) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
    const lines = text.slice(0, Number(position)).split("\n");
    throw refuse(
      position === undefined
        ? { line: 0, column: 0 }
        : { line: lines.length, column: lines.at(-1)!.length + 1 },
    );
  }
}
