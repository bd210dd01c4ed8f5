/** Reads server-sent events from a response, as far as our own streams use them. */

export interface StreamedEvent {
  readonly id?: string;
  readonly data: string;
}

/**
 * Yields events with data; comments and incomplete events at a broken end are dropped.
 *
 * @param onActivity Called for every piece that arrives, comments included: a sign of life.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void = () => {},
): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let id: string | undefined;
  let data: string[] = [];
  for await (const chunk of body) {
    onActivity();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === "" || line === "\r") {
        if (data.length > 0) yield { id, data: data.join("\n") };
        id = undefined;
        data = [];
      } else {
        const { field, value } = readLine(line);
        if (field === "id") id = value;
        if (field === "data") data.push(value);
      }
    }
  }
}

function readLine(line: string): { field: string; value: string } {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  const colon = text.indexOf(":");
  if (colon === -1) return { field: text, value: "" };
  const value = text.slice(colon + 1);
  return { field: text.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}
