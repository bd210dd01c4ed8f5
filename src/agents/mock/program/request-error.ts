/** A request that cannot be met. It goes back to the client as the answer. */
import type { WireError } from "../wire.ts";

export class RequestError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  toWire(): WireError {
    return { code: this.code, message: this.message };
  }
}
