/** The program: `node main.ts OUT.jsonl -- COMMAND ARGS…` runs an agent, passes everything through and records it. */
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { lineText } from "../../agents/transport/line-text.ts";
import { type Line, LineSplitter } from "../../process/line-splitter.ts";
import { openRecorder } from "./recorder.ts";

const [file, separator, command, ...args] = process.argv.slice(2);
if (file === undefined || separator !== "--" || command === undefined) {
  console.error("Say where to record and what: recorder OUT.jsonl -- COMMAND ARGS…");
  process.exit(2);
}

const recorder = openRecorder(file);
const agent = spawn(command, args, { stdio: "pipe" });
recorder.add({ direction: "process", data: { event: "spawn", pid: agent.pid, command, args } });

/** The bytes go on as they came; lines are only read from them. */
function pass(from: Readable, to: Writable, record: (line: Line) => void): void {
  const splitter = new LineSplitter();
  from.on("data", (chunk: Buffer) => splitter.push(chunk).forEach(record));
  from.on("end", () => splitter.end().forEach(record));
  // Who reads no more has left; the exit tells the rest.
  to.on("error", () => {});
  from.pipe(to);
}

pass(process.stdin, agent.stdin, (line) => recorder.add({ direction: "out", data: lineText(line) }));
pass(agent.stdout, process.stdout, (line) => recorder.add({ direction: "in", data: lineText(line) }));
pass(agent.stderr, process.stderr, (line) =>
  recorder.add({ direction: "process", data: { event: "stderr", text: lineText(line) } }),
);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, () => {
    recorder.add({ direction: "process", data: { event: "signal", signal } });
    agent.kill(signal);
  });
}

agent.on("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
agent.on("close", (code, signal) => {
  recorder.add({ direction: "process", data: { event: "exit", code, signal } });
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
