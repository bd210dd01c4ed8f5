/** How a call ended that did not just succeed. Pure. */
import type { ToolBlock } from "../chat/message-blocks.ts";
import { commandOf, isEmptyValue } from "./tool-summary.ts";

/** Whether a person refused it. If the ask was not on the call's own part, its denial appears as an error. */
export function isDenied({ asks }: Pick<ToolBlock, "asks">): boolean {
  return asks.some(({ answer }) => answer?.effect === "reject" || answer?.effect === "reject-always");
}

/** SIGINT and SIGTERM, as shells report them. */
const STOPPED: ReadonlySet<unknown> = new Set([130, 143]);

/** Whether a command was ended by a signal that asks it to: somebody stopped it, which is no failure. */
export function isStoppedCommand({ purpose, result }: Pick<ToolBlock, "purpose" | "result">): boolean {
  return purpose === "execute" && STOPPED.has(result?.exitCode);
}

/** Whether a call is a command that ended badly and said something: what it said is what one looks for. */
export function isFailedCommand(tool: ToolBlock): boolean {
  const { purpose, input, state, output, result } = tool;
  if (purpose !== "execute" || commandOf(input) === undefined || !result?.exitCode) return false;
  if (isStoppedCommand(tool)) return false;
  return !isEmptyValue(state === "output-available" ? output : result.output);
}

const WORDS = { stopped: "Stopped", lost: "Cut off" };

/** Why a call has no result though it did not fail; undefined for one that has a result, failed or may still run. */
export function whyUnfinished({ state, result }: Pick<ToolBlock, "state" | "result">): string | undefined {
  if (state !== "output-error" || !result?.unfinished) return undefined;
  return WORDS[result.unfinished];
}
