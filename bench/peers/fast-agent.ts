/**
 * An ACP agent that is as fast as Node lets it be: the same program behind every gateway. Every chunk carries its number
 * and the moment it was written, so loss, order and latency are read from the bytes that come out at the other end.
 *
 * Prompts: `burst COUNT`, `pace PER_SECOND COUNT`, `permission COUNT` (asked one after the other), `say COUNT` (a few
 * chunks, a tool call, a few more: like an ordinary turn).
 */
import { once } from "node:events";
import { setImmediate as othersFirst, setTimeout as sleep } from "node:timers/promises";
import { askTitle, chunkText, moment } from "./chunk-text.ts";

/** As much as a pipe takes at once. */
const CHUNKS_PER_WRITE = 300;
const NAP_MS = 0.02;

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

const waiting = new Map<number, () => void>();
const cell = new Int32Array(new SharedArrayBuffer(4));
let sessions = 0;
let requests = 0;
let written = 0;

let rest = "";
for await (const data of process.stdin.setEncoding("utf8")) {
  const lines = (rest + data).split("\n");
  rest = lines.pop() ?? "";
  for (const text of lines) void handle(JSON.parse(text) as Message);
}
process.exit(0);

async function handle({ id, method, params = {} }: Message): Promise<void> {
  switch (method) {
    case undefined:
      waiting.get(Number(id))?.();
      return;
    case "initialize":
      return answer(id, {
        protocolVersion: 1,
        agentInfo: { name: "fast-agent", version: "1.0.0" },
        agentCapabilities: { loadSession: true, promptCapabilities: { image: false } },
        authMethods: [],
      });
    case "session/new":
      sessions += 1;
      return answer(id, { sessionId: `${process.pid}-${sessions}` });
    case "session/load":
      return answer(id, {});
    case "session/prompt": {
      await play(String(params.sessionId), promptText(params));
      return answer(id, { stopReason: "end_turn" });
    }
    default:
      if (id !== undefined) await answer(id, {});
  }
}

function promptText({ prompt }: Record<string, unknown>): string {
  return (prompt as { text?: string }[]).map(({ text }) => text ?? "").join("");
}

async function play(session: string, prompt: string): Promise<void> {
  const [verb, ...numbers] = prompt.trim().split(" ");
  const [first = 1, second = 1] = numbers.map(Number);
  if (verb === "burst") return burst(session, first);
  if (verb === "pace") return pace(session, first, second);
  if (verb === "permission") return askPermissions(session, first);
  return say(session, first);
}

async function burst(session: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += CHUNKS_PER_WRITE) {
    await write(chunks(session, Math.min(CHUNKS_PER_WRITE, count - sent)));
  }
}

/** Each chunk when it is due, as a model gives them: what came due during a nap or a write goes out together. */
async function pace(session: string, perSecond: number, count: number): Promise<void> {
  const startedAt = performance.now();
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
    if (due > sent) await write(chunks(session, due - sent));
    sent = Math.max(sent, due);
    nap(startedAt + ((sent + 1) * 1000) / perSecond - performance.now());
    await othersFirst();
  }
}

/** Timers are too coarse: they wait for a whole millisecond. */
function nap(milliseconds: number): void {
  if (milliseconds > NAP_MS) Atomics.wait(cell, 0, 0, milliseconds);
}

/** Each message with a write of its own, as agents do. */
async function askPermissions(session: string, count: number): Promise<void> {
  for (let asked = 1; asked <= count; asked += 1) {
    const toolCallId = `call-${written + asked}`;
    const begun = { toolCallId, title: "Run", kind: "execute", status: "pending" };
    await write(line(update(session, { sessionUpdate: "tool_call", ...begun })));
    requests += 1;
    const id = requests;
    const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
    const options = [
      { optionId: "allow", name: "Allow", kind: "allow_once" },
      { optionId: "reject", name: "Reject", kind: "reject_once" },
    ];
    const params = { sessionId: session, toolCall: { toolCallId, title: askTitle() }, options };
    await write(line({ id, method: "session/request_permission", params }));
    await answered;
    waiting.delete(id);
    const ended = { sessionUpdate: "tool_call_update", toolCallId, status: "completed" };
    await write(line(update(session, ended)));
    await write(chunks(session, 1));
  }
}

async function say(session: string, count: number): Promise<void> {
  const toolCallId = `call-${written}`;
  const begun = { toolCallId, title: "Read notes", kind: "read", status: "in_progress" };
  const ended = { toolCallId, status: "completed", rawOutput: { lines: 40 } };
  for (let sent = 0; sent < count; sent += 1) {
    if (sent === Math.floor(count / 2)) {
      await write(line(update(session, { sessionUpdate: "tool_call", ...begun })));
      await write(line(update(session, { sessionUpdate: "tool_call_update", ...ended })));
    }
    await write(chunks(session, 1));
    await sleep(10);
  }
}

/** Written together, so they share their moment. */
function chunks(session: string, count: number): string {
  const head = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${session}","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`;
  const sentAt = moment();
  let lines = "";
  for (let made = 0; made < count; made += 1) {
    written += 1;
    lines += `${head}${chunkText(written, sentAt)}"}}}}\n`;
  }
  return lines;
}

function update(session: string, body: object): object {
  return { method: "session/update", params: { sessionId: session, update: body } };
}

function answer(id: number | string | undefined, result: object): Promise<void> {
  return write(line({ id, result }));
}

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

async function write(lines: string): Promise<void> {
  if (!process.stdout.write(lines, "latin1")) await once(process.stdout, "drain");
}
