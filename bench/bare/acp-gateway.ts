/**
 * The ceiling of a gateway in Node: ACP agents behind HTTP, each line parsed and sent on as an event, one write for each
 * read, no log and nothing checked. `POST /sessions` starts an agent, `POST /sessions/N` hands it a message,
 * `GET /sessions/N` is its event stream. The agent's command is in the arguments.
 */
import { spawn } from "node:child_process";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { chunk, listen, startEventStream } from "./listen.ts";

interface Session {
  readonly readers: Set<Socket>;
  send(line: string): void;
  call(method: string, params: object): Promise<{ sessionId: string }>;
}

const [command, ...args] = process.argv.slice(2) as [string, ...string[]];
const sessions: Session[] = [];

listen(async (url, response, request) => {
  const session = sessions[Number(url.pathname.split("/")[2])];
  if (request.method === "GET") {
    startEventStream(response);
    const socket = response.socket!;
    session?.readers.add(socket);
    socket.on("close", () => session?.readers.delete(socket));
    return;
  }
  const body = await textOf(request);
  if (session) {
    session.send(body);
    response.writeHead(202).end();
    return;
  }
  const opened = open();
  const id = sessions.push(opened) - 1;
  await opened.call("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await opened.call("session/new", { cwd: process.cwd(), mcpServers: [] });
  response.end(JSON.stringify({ id, sessionId }));
});

function open(): Session {
  const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const readers = new Set<Socket>();
  const calls = new Map<number, (result: { sessionId: string }) => void>();
  let seq = 0;
  let rest = "";
  agent.stdout.setEncoding("latin1").on("data", (data: string) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop() ?? "";
    let text = "";
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      calls.get(id)?.(result);
      seq += 1;
      text += `id: ${seq}\ndata: ${line}\n\n`;
    }
    if (text === "") return;
    const frame = chunk(Buffer.from(text, "latin1"));
    for (const socket of readers) socket.write(frame);
  });
  const send = (line: string) => void agent.stdin.write(`${line}\n`);
  return {
    readers,
    send,
    call: (method, params) => {
      const id = -calls.size - 1;
      send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return new Promise((resolve) => calls.set(id, resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}
