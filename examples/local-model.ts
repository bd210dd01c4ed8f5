/**
 * Gives a task to a model on your own machine, or anywhere behind an OpenAI-compatible endpoint: Ollama, vLLM, LiteLLM,
 * llama.cpp. It works in the current directory; files may be changed, and you are asked before a command runs. The
 * daemon is one of its own and ends with it.
 *
 *   npx node examples/local-model.ts http://127.0.0.1:11434 qwen3-coder "Write a test for src/sum.js and run it"
 */
import { createInterface } from "node:readline";
import { Interlingua, InterlinguaError } from "interlingua/sdk";

const [endpoint, model, text] = process.argv.slice(2);
if (!endpoint || !model || !text) {
  console.error("usage: local-model.ts URL MODEL PROMPT");
  process.exit(2);
}

// The agent's built-in provider for such endpoints. Others are described in the config file.
process.env.OLLAMA_HOST = endpoint;
await using interlingua = await Interlingua.start({ data: ":memory:", root: process.cwd() });
const session = await interlingua.sessions.create({
  agent: "model",
  model: `ollama/${model}`,
  permissionMode: "acceptEdits",
});
const prompt = session.prompt(text);
using terminal = createInterface({ input: process.stdin });
const answers = terminal[Symbol.asyncIterator]();

for await (const event of prompt) {
  if (event.type === "text.delta") process.stdout.write(event.delta);
  if (event.type === "file.edited") console.log(`\n[${event.kind} ${event.path}]`);
  if (event.type !== "ask.opened") continue;
  process.stderr.write(`\nAllow ${event.title}? (yes, always, no) `);
  const { value: answer } = await answers.next();
  const reply = answer === "yes" ? "once" : answer === "always" ? "always" : "reject";
  await session.reply(event.ask, { reply });
}

try {
  await prompt.text();
  console.log("\n[done]");
} catch (error) {
  if (!InterlinguaError.is(error, "turn_failed")) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
