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
