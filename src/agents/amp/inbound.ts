/** Commands → what a process of Amp is started with and given. Pure. */
import { InterlinguaError } from "../../core/error.ts";
import { type PromptPart, promptText } from "../../core/prompt-part.ts";
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
      assertNoFiles(parts);
    },
    launch: (state, { parts }) => launch(options, state, textOf(parts)),
    input: (_state, { parts }) => (takesInput(flags) ? [JSON.stringify(toPrompt(parts))] : []),
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

/** A prompt on its own. Throws `unsupported` for files. */
export function promptInput(parts: readonly PromptPart[]): WirePrompt {
  assertNoFiles(parts);
  return toPrompt(parts);
}

function assertNoFiles(parts: readonly PromptPart[]): void {
  if (!parts.some((part) => part.type === "file")) return;
  throw new InterlinguaError("unsupported", "Amp takes no files here; name their paths in the text instead.");
}

function textOf(parts: readonly PromptPart[]): string {
  return promptText(withContextAsText(parts));
}

function toPrompt(parts: readonly PromptPart[]): WirePrompt {
  return { type: "user", message: { role: "user", content: [{ type: "text", text: textOf(parts) }] } };
}
