/**
 * The ceiling of a gateway in Node: the same agent, each line parsed and written again as an event, one write per
 * read, no log and nothing checked. `GET /burst?deltas=N` prompts the agent and streams its turn.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { launch } from "../../src/agents/mock/launch.ts";
import type { WireEvent, WireRequest } from "../../src/agents/mock/wire.ts";
import { WIRE_VERSION } from "../../src/agents/mock/wire.ts";
import { chunk, listen, startEventStream } from "./listen.ts";

const directory = process.argv[2]!;
const { command, args } = launch({ sessionId: "session", cwd: directory }, directory);
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
let requests = 0;
let seq = 0;
let rest = "";
let reader: Socket | undefined;

request({ method: "open", params: { wire: WIRE_VERSION, configuration: {} } });
agent.stdout.setEncoding("utf8").on("data", (data: string) => {
  const lines = (rest + data).split("\n");
  rest = lines.pop()!;
  let text = "";
  for (const line of lines) text += frame(JSON.parse(line));
  if (text) reader?.write(chunk(Buffer.from(text)));
});
process.on("SIGTERM", () => agent.stdin.end());
agent.on("exit", () => process.exit());

listen((url, response) => {
  startEventStream(response);
  reader = response.socket!;
  const text = `scenario:burst:${url.searchParams.get("deltas")}`;
  request({ method: "prompt", params: { prompt: `prompt-${requests}`, text, files: [] } });
});

function request(call: Omit<Extract<WireRequest, { method: "open" | "prompt" }>, "id">): void {
  requests += 1;
  agent.stdin.write(`${JSON.stringify({ id: requests, ...call })}\n`);
}

function frame(message: WireEvent | { id: number }): string {
  if (!("event" in message)) return "";
  seq += 1;
  const event = { session: "session", seq, at: Date.now(), raw: seq, ...translate(message) };
  return `id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

function translate(message: WireEvent): object {
  switch (message.event) {
    case "block_delta":
      return {
        type: "text.delta",
        turn: "turn",
        message: "message",
        part: message.block,
        delta: message.text,
      };
    case "turn_finished":
      return { type: "turn.ended", outcome: message.reason };
    default:
      return { type: "notice", text: message.event };
  }
}
