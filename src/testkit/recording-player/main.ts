/** The program: `node main.ts [OPTIONS] FILE` stands in for the agent that was recorded in FILE. */
import { readFileSync } from "node:fs";
import { LineSplitter, readableText } from "../../process/line-splitter.ts";
import { playRecording } from "./play-recording.ts";
import { fromArguments } from "./player-options.ts";

async function* lines(): AsyncGenerator<string> {
  const splitter = new LineSplitter();
  for await (const chunk of process.stdin) {
    yield* splitter.push(chunk).map(readableText);
  }
}

const { file, agentArguments, ...options } = fromArguments(process.argv.slice(2));
if (options.version !== undefined && agentArguments?.includes("--version")) {
  console.log(options.version);
  process.exit();
}
const stage = {
  input: lines(),
  output: (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve())),
  stderr: (text: string) => void process.stderr.write(`${text}\n`),
};
const exit = await playRecording(readFileSync(file, "utf8"), stage, options);
if ("signal" in exit) process.kill(process.pid, exit.signal);
else process.exit(exit.code);
