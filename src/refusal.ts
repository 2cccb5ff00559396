/** The only error that an operator reads, as `Problem` is the only one that a caller reads. */

/** Ends a start or a command with this exit code, after a message that is one clear sentence on what to do. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
