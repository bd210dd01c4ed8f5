/** Reads a body of server-sent events. It knows nothing of what an event means. */
import { LineSplitter } from "../../process/line-splitter.ts";

const DATA = Buffer.from("data:");
const SPACE = 32;

/**
 * The data of each event, without decoding it. Comments and other fields are left out; of an event that has several
 * lines of data they are joined by newlines. Ends with the body; throws when the connection is lost.
 *
 * @example for await (const batch of readServerSentEvents(response.body)) for (const data of batch) handle(data);
 */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Buffer[], void> {
  const splitter = new LineSplitter();
  let data: Buffer[] = [];
  for await (const chunk of body) {
    const events: Buffer[] = [];
    for (const { bytes } of splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      if (bytes.length === 0) {
        if (data.length > 0) events.push(joined(data));
        data = [];
      } else if (bytes.subarray(0, DATA.length).equals(DATA)) {
        data.push(bytes.subarray(bytes[DATA.length] === SPACE ? DATA.length + 1 : DATA.length));
      }
    }
    if (events.length > 0) yield events;
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  return lines.length === 1 ? lines[0]! : Buffer.from(lines.map((line) => line.toString("utf8")).join("\n"));
}
