/** The program: `node main.ts OPTIONS …` answers like `amp …`. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { StubAmpOptions } from "./index.ts";
import { playTurn } from "./play-turn.ts";

const [given = "{}", ...words] = process.argv.slice(2);
const options = JSON.parse(given) as StubAmpOptions;
const help = readFileSync(options.help, "utf8");
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

if (words.includes("--help")) console.log(help);
else if (words.includes("--version"))
  console.log("0.0.1790142911-g7618fb (released 2026-09-23T05:55:11.000Z, 7 weeks ago)");
else {
  assertKnownFlags();
  const thread = words[0] === "threads" ? words[2] : undefined;
  const allowsAll = words.includes("--dangerously-allow-all");
  await playTurn({ ...options, allowsAll, thread, prompt: await readPrompt(), inputEnded });
}

function assertKnownFlags(): void {
  const hidden = options.allowsAll ? ["--dangerously-allow-all"] : [];
  const unknown = words.find(
    (word) =>
      word.startsWith("--") &&
      !help.includes(`${word}\n`) &&
      !help.includes(`${word} `) &&
      !hidden.includes(word),
  );
  if (unknown === undefined) return;
  console.error(`Error: error: unknown option '${unknown}'`);
  process.exit(1);
}

/** Lines of input are read only where the flag for it is given. */
async function readPrompt(): Promise<string> {
  if (!words.includes("--stream-json-input")) return words[words.indexOf("--execute") + 1] ?? "";
  const { value } = await input.next();
  return JSON.parse(value as string).message.content[0].text;
}

/** Amp gives its result when no more prompts can come. */
async function inputEnded(): Promise<void> {
  if (!words.includes("--stream-json-input")) return;
  while (!(await input.next()).done);
}
