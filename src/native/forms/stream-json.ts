/** Messages of Claude Code and its SDK, and of Amp, which took over their form. */
import { type Fields, fieldsOf, heard, inTurn, type NativeReader, sent } from "../form.ts";

/** What only comes while the model works. */
const ANSWERS: readonly unknown[] = ["assistant", "stream_event"];

export function createStreamJsonReader(): NativeReader {
  let isRunning = false;
  let showsPrompts = false;
  return {
    read(message, isSent) {
      const { type, isReplay } = message;
      if (isSent) {
        showsPrompts ||= type === "user";
        return [sent(message)];
      }
      if (type === "result") {
        isRunning = false;
        // A failure may be all there is.
        return [message.is_error ? inTurn(heard(message)) : heard(message)];
      }
      isRunning ||= ANSWERS.includes(type);
      if (showsPrompts || !isPrompt(message, isRunning)) return [heard(message)];
      return isReplay ? [sent(message), heard(message)] : [sent(message)];
    },
  };
}

/** Text in the user's name is a prompt between turns, or where it is marked as a copy of one; else it is for the model only. */
function isPrompt(message: Fields, isRunning: boolean): boolean {
  if (message.type !== "user" || message.isSynthetic || message.parent_tool_use_id) return false;
  if (isRunning && !message.isReplay) return false;
  const { content } = fieldsOf(message.message);
  if (typeof content === "string") return content !== "";
  const types = Array.isArray(content) ? content.map((block) => fieldsOf(block).type) : [];
  return types.length > 0 && !types.includes("tool_result");
}
