/** What went to Amp → the commands it carried: the inverse of inbound.ts. Pure. */
import type { Command } from "../../core/command.ts";
import { parseLine } from "../transport/line-text.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import type { AmpState } from "./conversation-state.ts";
import type { WireChoice, WirePrompt } from "./wire.ts";

export const decodeCommands: DecodeCommands<AmpState> = (state, { direction, data }) => {
  if (typeof data !== "string") return decodeProcess(state, data);
  if (direction !== "out") return [];
  const line = parseLine(data);
  if (line.kind !== "message") return [];
  if (line.message.kind === "choice") return [{ type: "configure", ...(line.message.msg as WireChoice) }];
  const { message } = line.message as Partial<WirePrompt>;
  const text = (message?.content ?? []).map((block) => block.text).join("\n");
  return text === "" ? [] : [prompt(text)];
};

/** Some clients give the prompt as an argument; a stop is a signal. */
function decodeProcess({ turn }: AmpState, data: Readonly<Record<string, unknown>>): readonly Command[] {
  if (data.event === "signal" && (data.signal === "SIGINT" || data.signal === "SIGTERM")) {
    return turn.isRunning ? [{ type: "interrupt" }] : [];
  }
  const words = data.argv ?? data.args;
  if (data.event !== "spawn" || !Array.isArray(words) || turn.isRetrying) return [];
  const text = words[words.findIndex((word) => word === "-x" || word === "--execute") + 1];
  return typeof text === "string" && !text.startsWith("-") ? [prompt(text)] : [];
}

function prompt(text: string): Command {
  return { type: "prompt", message: "", parts: [{ type: "text", text }] };
}
