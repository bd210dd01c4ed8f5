/** Sends JSON straight to the socket: a `Response` would pass the text through a stream and build its headers twice. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { splitText } from "../../core/split-text.ts";
import type { AppContext } from "../mount.ts";
import { ALREADY_SENT } from "./already-sent.ts";

/** Smaller answers go out in one write. */
const WRITE_LENGTH = 64 * 1024;

/** A single entry may be many megabytes. */
const CHUNK_LENGTH = 256 * 1024;

/** Answers that their clients have not received yet. If they exceed the limit together, the oldest are cut off. */
export class UnsentAnswers {
  readonly #maxBytes: number;
  /** The oldest first. */
  readonly #answers = new Map<ServerResponse, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(response: ServerResponse, bytes: number): void {
    this.#answers.set(response, bytes);
    this.#bytes += bytes;
    response.once("close", () => this.#remove(response));
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === response) return;
      this.#remove(oldest);
      oldest.destroy();
    }
  }

  #remove(response: ServerResponse): void {
    this.#bytes -= this.#answers.get(response) ?? 0;
    this.#answers.delete(response);
  }
}

/** The pieces are one JSON text. They are written as fast as the client reads. */
export function sendJson(context: AppContext, status: number, pieces: readonly string[]): Response {
  const { outgoing } = context.env;
  let bytes = 0;
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  outgoing.writeHead(status, {
    ...context.get("headers"),
    "content-type": "application/json",
    "content-length": bytes,
  });
  if (bytes <= WRITE_LENGTH) outgoing.end(pieces.length === 1 ? pieces[0] : pieces.join(""));
  else {
    context.get("unsent").add(outgoing as ServerResponse, bytes);
    void write(outgoing as ServerResponse, pieces);
  }
  return ALREADY_SENT;
}

/** Sends a list of encoded entries, with further fields beside it. */
export function sendList(
  context: AppContext,
  name: string,
  items: readonly string[],
  beside: Readonly<Record<string, unknown>>,
): Response {
  return sendJson(context, 200, encodeList(name, items, beside));
}

/** The pieces of an object with that list. */
export function encodeList(
  name: string,
  items: readonly string[],
  beside: Readonly<Record<string, unknown>>,
): string[] {
  const pieces = [`{"${name}":[`];
  for (const [index, item] of items.entries()) pieces.push(index === 0 ? item : `,${item}`);
  const rest = JSON.stringify(beside).slice(1);
  pieces.push(rest === "}" ? "]}" : `],${rest}`);
  return pieces;
}

async function write(response: ServerResponse, pieces: readonly string[]): Promise<void> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < WRITE_LENGTH) continue;
    for (const chunk of splitText(text, CHUNK_LENGTH)) {
      const isTaken = response.write(Buffer.from(chunk));
      if (!isTaken && !(await drained(response))) return;
    }
    text = "";
  }
  response.end(text);
}

/** False when the client left. */
async function drained(response: ServerResponse): Promise<boolean> {
  if (response.writableNeedDrain && !response.destroyed) {
    const left = new AbortController();
    const leave = () => left.abort();
    response.once("close", leave);
    await once(response, "drain", { signal: left.signal }).catch(() => {});
    response.off("close", leave);
  }
  return !response.destroyed;
}
