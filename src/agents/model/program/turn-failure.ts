/** Why a turn cannot go on: a code for programs, and a sentence for people that says what to do. */

export class TurnFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Codes of failures that come again with the same conversation. */
export const REFUSALS: ReadonlySet<string> = new Set(["context_full", "request_refused"]);
