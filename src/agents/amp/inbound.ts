/** Commands → what a process of Amp is started with and given. Pure. */
import type { CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { promptText } from "../../core/prompt-part.ts";
import { withContextAsText } from "../transport/context-text.ts";
import type { TurnEncoder } from "../transport/turn-process-session.ts";
import type { AmpState } from "./conversation-state.ts";
import { type LaunchOptions, launch, takesInput } from "./launch.ts";
import { assertModelFlag, assertPermissionMode, requireMode } from "./manifest.ts";
import type { WireChoice, WirePrompt } from "./wire.ts";

export function createInbound(options: LaunchOptions): TurnEncoder<AmpState> {
  const { flags } = options;
  return {
    assertPossible({ steer, parts }) {
      if (steer)
        throw new InterlinguaError("unsupported", "Amp takes no prompts while it works; let it wait.");
      if (!parts.some((part) => part.type === "file")) return;
      throw new InterlinguaError(
        "unsupported",
        "Amp takes no files here; name their paths in the text instead.",
      );
    },
    launch: (state, prompt) => launch(options, state, textOf(prompt)),
    input: (_state, prompt) => (takesInput(flags) ? [promptLine(textOf(prompt))] : []),
    remember(_state, command) {
      if (command.type !== "configure") {
        throw new InterlinguaError("unsupported", `Amp has no words for "${command.type}".`);
      }
      const { model, mode, permissionMode, settings } = command;
      if (settings) throw new InterlinguaError("unsupported", "Amp has no settings besides its mode.");
      if (model !== undefined) assertModelFlag(flags);
      if (mode !== undefined) requireMode(mode, flags.modes);
      if (permissionMode !== undefined) assertPermissionMode(permissionMode);
      const choice: WireChoice = { model, mode, permissionMode };
      return [JSON.stringify({ kind: "choice", msg: choice })];
    },
    hasBegun: ({ turn }) => turn.hasBegun || !turn.isRunning,
    isAnswered: ({ turn }) => turn.hasBegun && !turn.isRunning,
    isStuck: ({ turn }) => turn.isStuck,
    mustRetry: ({ turn }) => turn.isRetrying,
  };
}

function textOf({ parts }: CommandOf<"prompt">): string {
  return promptText(withContextAsText(parts));
}

function promptLine(text: string): string {
  const prompt: WirePrompt = { type: "user", message: { role: "user", content: [{ type: "text", text }] } };
  return JSON.stringify(prompt);
}
