/**
 * An agent of somebody's own: `node parrot.js MEMORY [CONVERSATION]`. It stands for the program you want to run. It takes and
 * gives one JSON object for each line:
 *
 * it gets   {type: "ask", text}   {type: "stop"}   {type: "permit", id, allow}
 * it gives  {type: "hello", id, version}   {type: "lost"}   {type: "say", text}   {type: "may-i", id, tool, input}
 *           {type: "did", id, output}   {type: "done", stopped?}
 */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [memory, known] = process.argv.slice(2);
const id = known ?? randomUUID();
const file = join(memory, `${id}.json`);

if (known !== undefined && !existsSync(file)) {
  give({ type: "lost" });
  process.exit(0);
}
const told = known === undefined ? [] : JSON.parse(readFileSync(file, "utf8"));
let working;
give({ type: "hello", id, version: "1.0.0" });

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "ask") ask(message.text);
  if (message.type === "stop") end({ stopped: true });
  if (message.type === "permit") working?.permit?.(message);
}

function ask(text) {
  working = {};
  told.push(text);
  // Before the answer: whoever is told something remembers it, also when it is killed in the middle of its answer.
  writeFileSync(file, JSON.stringify(told));
  if (text === "endless") return give({ type: "say", text: "I talk until I am stopped." });
  if (text === "write") return askBeforeWriting();
  if (text === "long")
    for (let piece = 1; piece <= 20; piece += 1) give({ type: "say", text: `squawk ${piece} ` });
  else if (text === "recall") give({ type: "say", text: `I remember: ${told.slice(0, -1).join("; ")}` });
  else give({ type: "say", text: `You said: ${text}` });
  end();
}

function askBeforeWriting() {
  const call = randomUUID();
  give({ type: "may-i", id: call, tool: "write", input: { file: "feather.txt" } });
  working.permit = ({ allow }) => {
    if (allow) give({ type: "did", id: call, output: "feather.txt was written" });
    else give({ type: "say", text: "Then I leave it." });
    end();
  };
}

function end(more = {}) {
  if (!working) return;
  working = undefined;
  give({ type: "done", ...more });
}

function give(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
