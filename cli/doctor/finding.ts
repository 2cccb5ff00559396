/** One line of the doctor's report. */

/** `says`: what was found, in a sentence; `mend`: what to do, if anything. */
export type Finding = { check: string; state: "ok" | "warning" | "fault"; says: string; mend?: string };

export const ok = (check: string, says: string): Finding => ({ check, state: "ok", says });

export const warning = (check: string, says: string, mend: string): Finding => {
  return { check, state: "warning", says, mend };
};

export const fault = (check: string, says: string, mend: string): Finding => {
  return { check, state: "fault", says, mend };
};

/** The result of a check. If the check throws, that is a fault, so a failing check never hides the others. */
export async function found(
  check: string,
  work: () => Promise<readonly Finding[]>,
  mend = "see the message",
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [fault(check, reasonOf(error), mend)];
  }
}

export function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
