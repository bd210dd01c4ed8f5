/** What a hostile or careless client does to a daemon. Each tells in a few words what it got. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DaemonProcess } from "../../test/crash/daemon-process.ts";
import { dataLines } from "../../test/daemon-client.ts";
import type { Scale } from "./benchmark.ts";

export interface Attack {
  readonly name: string;
  prepare?(daemon: DaemonProcess): Promise<unknown>;
  run(daemon: DaemonProcess): Promise<string>;
}

const MEGABYTE = 1_000_000;

const SECRET = "sk-bench-1234/secret";

/** On a session with one turn of very many deltas. */
export function attacksOnReads(session: string, { size }: Pick<Scale, "size">): Attack[] {
  const path = `/v1/sessions/${session}`;
  return [
    { name: "messages of a long turn", run: (daemon) => read(daemon, `${path}/messages`) },
    { name: "the same five times at once", run: (daemon) => readAtOnce(daemon, `${path}/messages`, 5) },
    { name: "a message of it with raw and result", run: (daemon) => readMessage(daemon, path) },
    { name: "its events as a stream", run: (daemon) => follow(daemon, session) },
    {
      name: "50 streams of it at once",
      run: (daemon) => followAtOnce(daemon, session, size(50, 2), size(2 * MEGABYTE, 1000)),
    },
    {
      name: "its raw records, page by page",
      run: (daemon) => readPages(daemon, `${path}/events?include=raw`, 20),
    },
  ];
}

/** Sizes are those of what is sent. */
export function attacksOnRequests({ size }: Pick<Scale, "size">): Attack[] {
  const many = size(200_000, 200);
  return [
    {
      name: `metadata of ${many} keys`,
      run: (daemon) => send(daemon, "/v1/sessions", { agent: "mock", metadata: keys(many) }),
    },
    {
      name: `a body of ${5 * many} unknown keys`,
      run: (daemon) => send(daemon, "/v1/sessions", { agent: "mock", ...keys(5 * many) }),
    },
    {
      name: "20,000 env values",
      run: (daemon) => manyValues(daemon, size(20_000, 20)),
    },
    {
      name: "50 sessions with 12 MB of metadata each, then their list",
      run: (daemon) => fatSessions(daemon, size(50, 2), size(12 * MEGABYTE, 1000)),
    },
    {
      name: "prompts with 300 MB of pictures, then their messages",
      run: (daemon) => pictures(daemon, size(20, 2), size(15 * MEGABYTE, 1000)),
    },
    {
      name: "one prompt of 16 MB",
      run: (daemon) =>
        onePrompt(daemon, [{ type: "text", text: `scenario:text ${"x".repeat(size(16 * MEGABYTE, 1000))}` }]),
    },
    {
      name: "one prompt of 350,000 parts",
      run: (daemon) =>
        onePrompt(
          daemon,
          Array.from({ length: size(350_000, 100) }, () => ({ type: "text", text: "scenario:text" })),
        ),
    },
    {
      name: "a line of 20 MB from an agent",
      run: (daemon) => onePrompt(daemon, [{ type: "text", text: `scenario:huge:${size(20, 1)}` }]),
    },
    {
      name: "7 MB of escapes around a secret, said to an agent and back",
      run: (daemon) =>
        onePrompt(
          daemon,
          [
            {
              type: "text",
              text: `scenario:echo ${SECRET}${"\\".repeat(size(7 * MEGABYTE, 1000))}${SECRET}`,
            },
          ],
          { KEY: SECRET },
        ),
    },
    {
      name: "a chat with a history of 16 MB",
      run: (daemon) => send(daemon, "/api/chat", { id: "chat", agent: "mock", messages: longHistory(size) }),
    },
    {
      name: "a fork of a session of 100,000 events",
      prepare: (daemon) => manyTurns(daemon, "many-turns", { turns: size(50, 2), deltas: size(2000, 10) }),
      run: (daemon) => send(daemon, "/v1/sessions/many-turns/fork", {}),
    },
  ];
}

async function read(daemon: DaemonProcess, path: string): Promise<string> {
  const response = await daemon.request("GET", path);
  const { byteLength } = await response.arrayBuffer();
  return `${response.status}, ${megabytes(byteLength)}`;
}

async function readAtOnce(daemon: DaemonProcess, path: string, count: number): Promise<string> {
  const read1 = await Promise.all(Array.from({ length: count }, () => read(daemon, path)));
  return read1[0]!;
}

async function readMessage(daemon: DaemonProcess, path: string): Promise<string> {
  const { messages } = await daemon.call<{ messages: { id: string }[] }>("GET", `${path}/messages`);
  return read(daemon, `${path}/messages/${messages.at(-1)!.id}?include=raw,result`);
}

async function readPages(daemon: DaemonProcess, path: string, most: number): Promise<string> {
  let after = 0;
  let pages = 0;
  for (; pages < most; pages += 1) {
    const { events } = await daemon.call<{ events: { seq: number }[] }>(
      "GET",
      `${path}&limit=1000&after=${after}`,
    );
    if (events.length === 0) break;
    after = events.at(-1)!.seq;
  }
  return `${pages} pages`;
}

async function follow(daemon: DaemonProcess, session: string): Promise<string> {
  const { head } = await daemon.call<{ head: number }>("GET", `/v1/sessions/${session}`);
  const reading = new AbortController();
  const path = `/v1/sessions/${session}/events/sse`;
  const response = await daemon.request("GET", path, undefined, reading.signal);
  const last = `"seq":${head},`;
  let events = 0;
  for await (const line of dataLines(response)) {
    events += 1;
    if (line.includes(last)) break;
  }
  reading.abort();
  return `${events} events`;
}

/** Connects them all and takes some of what each gets. */
async function followAtOnce(
  daemon: DaemonProcess,
  session: string,
  count: number,
  wanted: number,
): Promise<string> {
  const reading = new AbortController();
  const path = `/v1/sessions/${session}/events/sse`;
  const taken = await Promise.all(
    Array.from({ length: count }, async () => {
      const response = await daemon.request("GET", path, undefined, reading.signal);
      let bytes = 0;
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > wanted) break;
      }
      return bytes;
    }),
  );
  reading.abort();
  return `${taken.length} streams`;
}

async function send(daemon: DaemonProcess, path: string, body: unknown): Promise<string> {
  try {
    const response = await daemon.request("POST", path, body);
    const text = await response.text();
    return `${response.status}, ${megabytes(text.length)}`;
  } catch (error) {
    // A body that is refused before its end breaks the connection.
    return `refused (${(error as Error).message})`;
  }
}

async function manyValues(daemon: DaemonProcess, count: number): Promise<string> {
  const env = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`NAME_${n}`, `a secret value ${n}`]),
  );
  const created = await send(daemon, "/v1/sessions", { id: "env", agent: "mock", env });
  await send(daemon, "/v1/sessions/env/messages", { text: "scenario:burst:1000" });
  return created;
}

async function fatSessions(daemon: DaemonProcess, count: number, bytes: number): Promise<string> {
  const metadata = { note: "x".repeat(bytes) };
  let created = "";
  for (let n = 0; n < count; n += 1)
    created = await send(daemon, "/v1/sessions", { id: `fat-${n}`, agent: "mock", metadata });
  return `created ${created}; listed ${await read(daemon, "/v1/sessions")}`;
}

async function pictures(daemon: DaemonProcess, count: number, bytes: number): Promise<string> {
  await send(daemon, "/v1/sessions", { id: "pictures", agent: "mock", options: { pace: 0 } });
  const url = `data:image/png;base64,${"A".repeat(bytes)}`;
  const parts = [
    { type: "text", text: "scenario:text" },
    { type: "file", url, mediaType: "image/png" },
  ];
  let sent = "";
  for (let n = 0; n < count; n += 1) {
    sent = await send(daemon, "/v1/sessions/pictures/messages", { parts });
    await idle(daemon, "pictures");
  }
  return `sent ${sent}; listed ${await read(daemon, "/v1/sessions/pictures/messages")}`;
}

async function onePrompt(
  daemon: DaemonProcess,
  parts: unknown,
  env?: Record<string, string>,
): Promise<string> {
  const session = { agent: "mock", options: { pace: 0 }, env };
  const { id } = await daemon.call<{ id: string }>("POST", "/v1/sessions", session);
  const sent = await send(daemon, `/v1/sessions/${id}/messages`, { id: "m1", parts });
  await idle(daemon, id);
  return sent;
}

async function idle(daemon: DaemonProcess, session: string): Promise<void> {
  for (;;) {
    const { status } = await daemon.call<{ status: string }>("GET", `/v1/sessions/${session}`);
    if (status === "idle" || status === "failed") return;
    if (status === "waiting") {
      const { asks } = await daemon.call<{ asks: { ask: string }[] }>("GET", `/v1/asks?session=${session}`);
      for (const { ask } of asks)
        await send(daemon, `/v1/sessions/${session}/asks/${ask}/reply`, { reply: "once" });
    }
    await sleep(20);
  }
}

async function manyTurns(
  daemon: DaemonProcess,
  id: string,
  { turns, deltas }: { turns: number; deltas: number },
): Promise<void> {
  await send(daemon, "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
  for (let turn = 0; turn < turns; turn += 1) {
    await send(daemon, `/v1/sessions/${id}/messages`, { text: `scenario:burst:${deltas}` });
    await idle(daemon, id);
  }
}

function longHistory(size: Scale["size"]): unknown[] {
  const text = "a word or two ".repeat(20);
  return Array.from({ length: size(45_000, 10) }, (_, n) => ({
    id: `m${n}`,
    role: n % 2 === 0 ? "user" : "assistant",
    parts: [{ type: "text", text }],
  })).concat({ id: "last", role: "user", parts: [{ type: "text", text: "scenario:text" }] });
}

function keys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, n]));
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
