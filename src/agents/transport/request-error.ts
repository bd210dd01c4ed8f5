/** A request to a program of ours that cannot be met. It goes back to the client as the answer. */

export class RequestError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  toWire(): { code: string; message: string } {
    return { code: this.code, message: this.message };
  }
}
