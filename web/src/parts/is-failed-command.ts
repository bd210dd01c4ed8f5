/** Whether a call is a command that ended badly and said something: what it said is what one looks for. Pure. */
import type { ToolBlock } from "../chat/message-blocks.ts";
import { isStoppedCommand } from "./is-stopped-command.ts";
import { commandOf, isEmptyValue } from "./tool-summary.ts";

export function isFailedCommand(tool: ToolBlock): boolean {
  const { purpose, input, state, output, result } = tool;
  if (purpose !== "execute" || commandOf(input) === undefined || !result?.exitCode) return false;
  if (isStoppedCommand(tool)) return false;
  return !isEmptyValue(state === "output-available" ? output : result.output);
}
