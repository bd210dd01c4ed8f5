/** Commands → what a process of Amp is started with and given. Pure. */
import type { CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { promptText } from "../../core/prompt-part.ts";
import type { TurnEncoder } from "../transport/turn-process-session.ts";
import type { AmpState } from "./conversation-state.ts";
import { type LaunchOptions, launch, takesInput } from "./launch.ts";
import { demandMode, demandPermissionMode } from "./manifest.ts";
import type { WireChoice, WirePrompt } from "./wire.ts";

export function createInbound(options: LaunchOptions): TurnEncoder<AmpState> {
  const { flags } = options;
  return {
    launch: (state, prompt) => launch(options, state, textOf(prompt)),
    input: (_state, prompt) => (takesInput(flags) ? [promptLine(textOf(prompt))] : []),
    remember(_state, command) {
      if (command.type !== "configure") {
        throw new InterlinguaError("unsupported", `Amp has no words for "${command.type}".`);
      }
      const { model, mode, permissionMode, settings } = command;
      if (model !== undefined || settings) {
        throw new InterlinguaError("unsupported", "Amp chooses its models by itself; choose a mode instead.");
      }
      if (mode !== undefined) demandMode(mode, flags.modes);
      if (permissionMode !== undefined) demandPermissionMode(permissionMode);
      const choice: WireChoice = { mode, permissionMode };
      return [JSON.stringify({ kind: "choice", msg: choice })];
    },
    hasBegun: ({ turn }) => turn.hasBegun || !turn.isRunning,
    isAnswered: ({ turn }) => turn.hasBegun && !turn.isRunning,
    isStuck: ({ turn }) => turn.isStuck,
    mustRetry: ({ turn }) => turn.isRetrying,
  };
}

/** It takes text only. */
function textOf({ parts }: CommandOf<"prompt">): string {
  if (parts.some((part) => part.type === "file")) {
    throw new InterlinguaError(
      "unsupported",
      "Amp takes no files here; name their paths in the text instead.",
    );
  }
  return promptText(parts);
}

function promptLine(text: string): string {
  const prompt: WirePrompt = { type: "user", message: { role: "user", content: [{ type: "text", text }] } };
  return JSON.stringify(prompt);
}
