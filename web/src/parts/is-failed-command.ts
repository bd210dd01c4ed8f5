/** Whether a call is a command that ended badly and said something: what it said is what one looks for. Pure. */
import type { ToolBlock } from "../chat/message-blocks.ts";
import { commandOf, isEmptyValue } from "./tool-summary.ts";

export function isFailedCommand({ purpose, input, state, output, result }: ToolBlock): boolean {
  if (purpose !== "execute" || commandOf(input) === undefined || !result?.exitCode) return false;
  return !isEmptyValue(state === "output-available" ? output : result.output);
}
