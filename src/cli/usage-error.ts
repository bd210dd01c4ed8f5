/** A command was called with wrong arguments. The message names the flag or argument and the remedy; exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
