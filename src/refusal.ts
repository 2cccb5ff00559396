/** The errors that operators see, as `Problem` is for callers. */

/** Ends a start or a command with this exit code. The message is a sentence that says what to do. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The disk is full, or the quota of this user is used up: deleting something may help. */
export class NoRoom extends Refusal {
  override readonly name: string = "NoRoom";
}
