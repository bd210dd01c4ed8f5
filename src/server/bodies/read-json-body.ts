/** Reads a JSON body within its limits, and refuses what is too large or too complex before it is parsed. */
import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { InterlinguaError } from "../../core/error.ts";
import { JsonComplexity } from "./json-complexity.ts";

export const MAX_DEPTH = 200;

/** After each step with a larger body the event loop turns, so that others do not have to wait. */
const LARGE = 1024 * 1024;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

export interface BodyLimits {
  maxBytes: number;
  /** See `JsonComplexity.values`. */
  maxValues: number;
}

/** The total size of bodies and messages that were read and not answered yet. */
export class BodyMemory {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts what `read` notes until `handle` has ended. */
  async during<Result>(handle: (note: (bytes: number) => void) => Promise<Result>): Promise<Result> {
    let own = 0;
    try {
      return await handle((bytes) => {
        own += bytes;
        if (!this.add(bytes)) throw tooManyBodies();
      });
    } finally {
      this.#bytes -= own;
    }
  }

  /** Counts bytes, or with a negative number no longer. False if there are too many now. */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.#maxBytes;
  }
}

export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

/** Undefined if there is no body. A body without a content type counts as JSON; with `anyType` every body does. */
export async function readJsonBody(
  request: IncomingMessage,
  limits: BodyLimits,
  note: (bytes: number) => void,
  anyType = false,
): Promise<unknown> {
  const text = await readText(request, limits, note);
  if (text === "") return undefined;
  const contentType = request.headers["content-type"];
  if (!anyType && contentType !== undefined && !isJsonType(contentType))
    throw new InterlinguaError(
      "unsupported_media_type",
      "The body must be JSON. Send it with content-type: application/json.",
    );
  try {
    if (text.length > LARGE) await setImmediate();
    const value = JSON.parse(text);
    if (text.length > LARGE) await setImmediate();
    return value;
  } catch (error) {
    throw invalidBody(
      "not valid JSON",
      `The body is not valid JSON (${(error as Error).message}). Send one JSON object.`,
    );
  }
}

async function readText(
  request: IncomingMessage,
  { maxBytes, maxValues }: BodyLimits,
  note: (bytes: number) => void,
): Promise<string> {
  if (Number(request.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
  const complexity = new JsonComplexity();
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      note(piece.length);
      complexity.add(piece);
      if (complexity.deepest > MAX_DEPTH)
        throw invalidBody(
          "nested too deeply",
          `The body is nested more than ${MAX_DEPTH} levels. Send it flatter.`,
        );
      if (complexity.values > maxValues) throw tooComplex(maxValues);
      pieces.push(piece);
    }
  } catch (error) {
    // The rest is read and dropped, so that the client gets to the answer.
    request.resume();
    throw InterlinguaError.isInstance(error) ? error : brokenOff(error);
  }
  const text = (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)).toString();
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** The client left in the middle, which is not an error of ours. */
function brokenOff(cause: unknown): InterlinguaError {
  return new InterlinguaError("invalid_request", "The body broke off before its end. Send it again.", {
    cause,
  });
}

function invalidBody(message: string, detail: string): InterlinguaError {
  return new InterlinguaError("invalid_request", detail, { errors: [{ path: "", message }] });
}

function tooLarge(maxBytes: number): InterlinguaError {
  return new InterlinguaError(
    "body_too_large",
    `The body is larger than ${maxBytes} bytes, which is the most that is taken here. Send less, or files by their path.`,
  );
}

function tooComplex(maxValues: number): InterlinguaError {
  return new InterlinguaError(
    "body_too_complex",
    `The body has more than ${maxValues} keys and values, which is the most that is taken here. Send fewer.`,
  );
}

function tooManyBodies(): InterlinguaError {
  return new InterlinguaError(
    "too_many_requests",
    "Too many large requests are under way at once. Wait, then send them one after the other.",
    { retryAfterSeconds: 1 },
  );
}
