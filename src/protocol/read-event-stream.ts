/** The reader of server-sent events, for everything that follows a stream: the SDK, the command line, the page. */

export interface StreamedEvent {
  readonly id?: string;
  readonly data: string;
}

/**
 * Yields the events that have data. Comments are dropped, and so is an event that a broken connection cut in half.
 * Leaving the loop cancels the response.
 *
 * @param onActivity Called for every piece that arrives, comments included: a sign of life.
 * @example
 * for await (const { id, data } of readEventStream(response.body)) console.log(id, JSON.parse(data));
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void = () => {},
): AsyncGenerator<StreamedEvent> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of readLines(body, onActivity)) {
    if (line === "") {
      if (data.length > 0) yield { id, data: data.join("\n") };
      id = undefined;
      data = [];
      continue;
    }
    const { field, value } = readField(line);
    if (field === "id") id = value;
    if (field === "data") data.push(value);
  }
}

/** A long line arrives in many pieces. Each is looked through once. */
async function* readLines(body: ReadableStream<Uint8Array>, onActivity: () => void): AsyncGenerator<string> {
  // Not `for await` over the body: Safari cannot.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      onActivity();
      const [first, ...others] = decoder.decode(value, { stream: true }).split("\n");
      pieces.push(first!);
      for (const next of others) {
        const line = pieces.join("");
        pieces = [next];
        yield line.endsWith("\r") ? line.slice(0, -1) : line;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readField(line: string): { field: string; value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { field: line, value: "" };
  const value = line.slice(colon + 1);
  return { field: line.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}
