/** One turn of the stand-in: a recording, or what no recording shows. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRecording } from "../../agents/replay/recording-reader.ts";

export interface TurnOptions {
  readonly threads: string;
  readonly recordings: string;
  /** Undefined for a new one. */
  readonly thread?: string;
  readonly prompt: string;
  /** Whether it was started so that it need not ask. */
  readonly allowsAll: boolean;
  inputEnded(): Promise<void>;
}

export async function playTurn(options: TurnOptions): Promise<void> {
  const [, name = "remember"] = /\[\[([\w-]+)\]\]/.exec(options.prompt) ?? [];
  switch (name) {
    case "login":
      // Without a key it opens a browser and waits for ever.
      console.log("No API key found. Starting login flow...");
      setInterval(() => {}, 60_000);
      return;
    case "silent":
      setInterval(() => {}, 60_000);
      return;
    case "wrong-key":
      console.error("Error: Invalid or missing API key. Run 'amp login' to authenticate.");
      return process.exit(1);
    case "push":
      return play(options, options.allowsAll ? "mar2026_tool_bash" : "mar2026_permission_denied");
    case "endless":
      return endless(options);
    case "remember":
      return remember(options);
    default:
      return play(options, name);
  }
}

/** It says all it was told in this thread. */
async function remember(options: TurnOptions): Promise<void> {
  const speaker = new Speaker(options);
  const file = join(options.threads, `${speaker.thread}.txt`);
  const told = `${existsSync(file) ? readFileSync(file, "utf8") : ""}${options.prompt}\n`;
  writeFileSync(file, told);
  speaker.begin();
  speaker.say(`I was told: ${told}`, "end_turn");
  await options.inputEnded();
  speaker.finish({ subtype: "success", is_error: false });
}

function endless(options: TurnOptions): void {
  const speaker = new Speaker(options);
  speaker.begin();
  speaker.say("I begin.", null);
  process.once("SIGINT", () => {
    speaker.finish({
      subtype: "error_during_execution",
      is_error: true,
      error: "User cancelled (SIGINT/SIGTERM)",
    });
    process.exit(0);
  });
  setInterval(() => {}, 60_000);
}

/** The agent's lines as they were recorded; the last one when the input has ended. */
async function play({ recordings, thread, inputEnded }: TurnOptions, name: string): Promise<void> {
  const text = readFileSync(join(recordings, `${name}.jsonl`), "utf8");
  for (const { direction, data } of readRecording(text)) {
    if (direction !== "in" || typeof data !== "string") continue;
    const line = JSON.parse(data);
    if (line.type === "result" && !line.is_error) await inputEnded();
    console.log(JSON.stringify(thread === undefined ? line : { ...line, session_id: thread }));
  }
}

class Speaker {
  readonly thread: string;
  readonly #prompt: string;

  constructor({ thread, prompt }: TurnOptions) {
    this.thread = thread ?? `T-${randomUUID()}`;
    this.#prompt = prompt;
  }

  begin(): void {
    this.#write({ type: "system", subtype: "init", cwd: process.cwd(), tools: ["Bash"], mcp_servers: [] });
    const content = [{ type: "text", text: this.#prompt }];
    this.#write({ type: "user", message: { role: "user", content }, parent_tool_use_id: null });
  }

  say(text: string, stop_reason: string | null): void {
    const usage = { input_tokens: 10, output_tokens: 5, max_tokens: 168_000 };
    const message = {
      type: "message",
      role: "assistant",
      content: [{ type: "text", text }],
      stop_reason,
      usage,
    };
    this.#write({ type: "assistant", message, parent_tool_use_id: null });
  }

  finish(result: object): void {
    this.#write({ type: "result", duration_ms: 1, num_turns: 1, ...result });
  }

  #write(line: object): void {
    console.log(JSON.stringify({ ...line, session_id: this.thread }));
  }
}
