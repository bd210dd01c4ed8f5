/**
 * Watches one session with nothing but `fetch`: prints what the agent says, goes on after the last event it saw when
 * the connection breaks, and ends when the session is closed.
 *
 *   INTERLINGUA_TOKEN=… npx node examples/watch-a-session.ts http://127.0.0.1:4111 demo
 */
import { setTimeout as sleep } from "node:timers/promises";

interface Frame {
  /** The seq of the event; absent in comments. */
  id?: string;
  data?: string;
}

/** The fields of an event that are used here; docs/reference/events.md has all of them. */
interface Event {
  type: string;
  delta?: string;
  name?: string;
  title?: string;
  outcome?: string;
  parent?: string;
}

const [url, session] = process.argv.slice(2);
const token = process.env.INTERLINGUA_TOKEN;
if (!url || !session || !token) {
  console.error("usage: INTERLINGUA_TOKEN=… watch-a-session.ts URL SESSION");
  process.exit(2);
}

let lastSeen = "0";
let isClosed = false;

while (!isClosed) {
  try {
    await follow();
  } catch (error) {
    console.error(`[the connection broke after event ${lastSeen}: ${(error as Error).message}]`);
  }
  if (!isClosed) await sleep(500);
}

async function follow(): Promise<void> {
  const response = await fetch(`${url}/v1/sessions/${session}/events/sse`, {
    headers: { authorization: `Bearer ${token}`, "last-event-id": lastSeen },
  });
  if (!response.ok || !response.body) {
    console.error(await response.text());
    // A client error will not go away by trying again; a daemon that is shutting down will.
    if (response.status < 500) process.exit(1);
    return;
  }
  for await (const { id, data } of readFrames(response.body)) {
    if (id === undefined || data === undefined) continue;
    show(JSON.parse(data));
    lastSeen = id;
    if (isClosed) return;
  }
}

/** A frame counts only when its blank line has come: a connection may break in the middle of one. */
async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const lines = frame.split("\n").map((line) => line.split(/: (.*)/s) as [string, string]);
      yield Object.fromEntries(lines);
    }
  }
}

function show(event: Event): void {
  // What a sub-agent says is not the agent's answer.
  if (event.parent !== undefined) return;
  switch (event.type) {
    case "text.delta":
      process.stdout.write(event.delta ?? "");
      return;
    case "text.end":
      process.stdout.write("\n");
      return;
    case "tool.start":
      console.log(`[${event.title ?? event.name}]`);
      return;
    case "ask.opened":
      console.log(`[waits for a person: ${event.title}]`);
      return;
    case "turn.ended":
      console.log(`[turn ${event.outcome}]`);
      return;
    case "session.closed":
      isClosed = true;
      console.log("[session closed]");
  }
}
