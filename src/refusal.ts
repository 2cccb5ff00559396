/** The errors that operators see, as `Problem` is for callers. */
import { say, type Told } from "./messages/said.ts";
import { ENGLISH } from "./messages/translate.ts";

/** Ends a start or a command with this exit code. It says what to do. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  /** `message` is the same in English. */
  readonly told: Told;
  readonly exitCode: number;

  constructor(told: Told, exitCode = 1, options?: ErrorOptions) {
    super(say(ENGLISH, told), options);
    this.told = told;
    this.exitCode = exitCode;
  }
}

/** The disk is full, or the quota of this user is used up: deleting something may help. */
export class NoRoom extends Refusal {
  override readonly name: string = "NoRoom";
}
