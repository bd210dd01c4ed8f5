/**
 * What an agent prints, as the stream of a chat endpoint, without a daemon: server-sent events for `useChat` on stdout,
 * and the messages to be stored in a file.
 *
 *   claude -p "What is in this folder?" --output-format stream-json --verbose \
 *     | npx node examples/native-messages.ts claude messages.json
 */
import { writeFileSync } from "node:fs";
import { type NativeAgent, nativeAdapter } from "interlingua/native";

const [agent, file] = process.argv.slice(2);
if (!agent || !file) {
  console.error("usage: native-messages.ts claude|codex|opencode|amp|acp FILE < LINES");
  process.exit(2);
}

const adapter = nativeAdapter(agent as NativeAgent);
const accumulator = adapter.createMessageAccumulator();

async function* lines() {
  let rest = "";
  for await (const text of process.stdin.setEncoding("utf8")) {
    const pieces = (rest + text).split("\n");
    rest = pieces.pop()!;
    yield* pieces;
  }
  if (rest !== "") yield rest;
}

/** Every message is used twice: for those who watch, and for the storage. */
async function* messages() {
  for await (const line of lines()) {
    accumulator.process(line);
    yield line;
  }
}

for await (const bytes of adapter.adaptStream(messages())) process.stdout.write(bytes);
const stored = {
  agentSessionId: accumulator.getAgentSessionId(),
  messages: accumulator.getMessages(),
  metadata: accumulator.getSessionMetadata(),
};
writeFileSync(file, JSON.stringify(stored, null, 2));
