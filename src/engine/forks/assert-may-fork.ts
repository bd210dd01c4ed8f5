/** The rights a fork needs: it takes over choices that the caller may not be allowed to make. */
import type { Principal } from "../../core/principal.ts";
import { hasRight } from "../../core/rights.ts";
import { lacksRight } from "../../protocol/refusals.ts";
import { type AskingSession, assertMayCopy } from "../asks/asking-checks.ts";

/**
 * Throws `forbidden`. A fork needs the rights that it takes to make a session with the modes, settings and `options` that were
 * chosen for the original, and to prompt it as it works now. Modes that only the agent reported count as not chosen.
 * Forking a session with `env`, `mcpServers` or `options` into another directory needs `session.program`: their owner chose
 * them for the files of the original.
 *
 * @param cwd The directory the caller chose. Absent for the original's own directory and for a worktree of it.
 */
export function assertMayFork(origin: AskingSession, { access }: Principal, cwd?: string): void {
  assertMayCopy(access, origin);
  const { env, mcpServers, options } = origin.state;
  const hasPrograms = [env, mcpServers, options].some((field) => Object.keys(field ?? {}).length > 0);
  if (cwd !== undefined && cwd !== origin.state.cwd && hasPrograms && !hasRight(access, "session.program"))
    throw lacksRight("session.program", access, { path: "cwd" });
}
