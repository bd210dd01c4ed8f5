/** Reads a body of server-sent events. It knows nothing of what an event means. */
import { LineSplitter, readableText } from "../../process/line-splitter.ts";

const DATA = "data:";

/**
 * The data of each event. Comments and other fields are left out; of an event that has several lines of data they are
 * joined by newlines. Ends with the body; throws when the connection is lost.
 *
 * @example for await (const batch of readServerSentEvents(response.body)) for (const data of batch) handle(data);
 */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[], void> {
  const splitter = new LineSplitter();
  let data: string[] = [];
  for await (const chunk of body) {
    const events: string[] = [];
    for (const line of splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      const text = readableText(line);
      if (text === "") {
        if (data.length > 0) events.push(data.join("\n"));
        data = [];
      } else if (text.startsWith(DATA)) {
        data.push(text.slice(text[DATA.length] === " " ? DATA.length + 1 : DATA.length));
      }
    }
    if (events.length > 0) yield events;
  }
}
