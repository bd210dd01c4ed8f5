/** The JSON of a long value as bytes. Between its pieces the event loop turns: there may be many megabytes. */
import { setImmediate } from "node:timers/promises";
import { jsonPieces } from "../core/long-json.ts";

/** Written in a few milliseconds. */
const PIECE_LENGTH = 256 * 1024;

/** The value must not change meanwhile. */
export async function encodeLong(value: unknown): Promise<Buffer> {
  const written: Buffer[] = [];
  let text = "";
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length < PIECE_LENGTH) continue;
    written.push(Buffer.from(text));
    text = "";
    await setImmediate();
  }
  return Buffer.concat([...written, Buffer.from(text)]);
}
