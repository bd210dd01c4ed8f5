/** Reads a JSON body within the limit, and refuses what is too large before it is read. */
import type { HonoRequest } from "hono";
import { InterlinguaError } from "../core/error.ts";

const DEEPEST = 200;
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93];

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Undefined when there is no body. A body without a content type is taken for JSON, with `anyType` every body is. */
export async function readJsonBody(
  request: HonoRequest,
  maxBytes: number,
  anyType = false,
): Promise<unknown> {
  const contentType = request.header("content-type");
  const declared = request.header("content-length");
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  // The HTTP parser ends a body at its declared length, so only one of unknown length has to be counted.
  const text =
    declared === undefined ? await readCounted(request.raw.body, maxBytes) : await readWhole(request);
  if (text === "") return undefined;
  if (!anyType && contentType !== undefined && !JSON_TYPE.test(contentType))
    throw new InterlinguaError(
      "unsupported_media_type",
      "The body must be JSON. Send it with content-type: application/json.",
    );
  if (isTooDeep(text))
    throw new InterlinguaError(
      "invalid_request",
      `The body is nested more than ${DEEPEST} levels. Send it flatter.`,
      {
        errors: [{ path: "", message: "nested too deeply" }],
      },
    );
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InterlinguaError(
      "invalid_request",
      `The body is not valid JSON (${(error as Error).message}). Send one JSON object.`,
      {
        errors: [{ path: "", message: "not valid JSON" }],
      },
    );
  }
}

/** Counted before it is parsed: whatever walks through the value later may rely on it. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

async function readWhole(request: HonoRequest): Promise<string> {
  try {
    return await request.text();
  } catch (error) {
    throw brokenOff(error);
  }
}

async function readCounted(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw brokenOff(error);
  }
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks).toString("utf8");
}

/** The client left in the middle: its business, not a failure of ours. */
function brokenOff(cause: unknown): InterlinguaError {
  return new InterlinguaError("invalid_request", "The body broke off before its end. Send it again.", {
    cause,
  });
}

function tooLarge(maxBytes: number): InterlinguaError {
  return new InterlinguaError(
    "body_too_large",
    `The body is larger than ${maxBytes} bytes, which is the most the daemon takes. Send less, or files by their path.`,
  );
}
