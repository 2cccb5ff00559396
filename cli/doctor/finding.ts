/** One line of the doctor's report. */
import { said, type Told } from "../../src/messages/said.ts";
import { Problem } from "../../src/problem.ts";
import { Refusal } from "../../src/refusal.ts";

/** `says`: what was found. `mend`: how to repair it. */
export type Finding = { check: Told; state: "ok" | "warning" | "fault"; says: Told; mend?: Told };

export const ok = (check: Told, says: Told): Finding => ({ check, state: "ok", says });

export const warning = (check: Told, says: Told, mend: Told): Finding => {
  return { check, state: "warning", says, mend };
};

export const fault = (check: Told, says: Told, mend: Told): Finding => {
  return { check, state: "fault", says, mend };
};

/** The result of a check. A check that throws counts as a fault, so that it does not hide the other checks. */
export async function found(
  check: Told,
  work: () => Promise<readonly Finding[]>,
  mend: Told = said("cli.doctor.see_message"),
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [fault(check, reasonOf(error), mend)];
  }
}

export function reasonOf(error: unknown): Told {
  if (error instanceof Refusal || error instanceof Problem) return error.told;
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
