/** Whether a command was ended by a signal that asks it to: somebody stopped it, which is no failure. Pure. */
import type { ToolBlock } from "../chat/message-blocks.ts";

/** SIGINT and SIGTERM, as shells report them. */
const STOPPED: ReadonlySet<unknown> = new Set([130, 143]);

export function isStoppedCommand({ purpose, result }: Pick<ToolBlock, "purpose" | "result">): boolean {
  return purpose === "execute" && STOPPED.has(result?.exitCode);
}
