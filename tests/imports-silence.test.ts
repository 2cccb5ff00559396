/** What once damaged a catalogue in silence: an import refuses it, or tells of it. */
import { describe, expect, test } from "vitest";
import { importRoom, refusal, TITLES } from "./support/import-room.ts";
import { quickest } from "./support/museum.ts";

describe("an import", () => {
  const { run, titles } = importRoom(quickest);

  test("refuses a list in UTF-8 with one damaged byte, and says where it is", async () => {
    const good = new TextEncoder().encode("No,Title\n1,Eugène Atget\n2,Zoë\n3,Z");
    const problem = await refusal(run(Uint8Array.from([...good, 0xfc, 0x72, 0x69, 0x0a]), TITLES));
    expect(problem.message).toMatch(/^The file is not utf-8 text: line 4, column 4, the byte 0xFC/);
    expect(await titles()).toEqual([]);
  });
});
