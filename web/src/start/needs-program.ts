/** Whether an agent needs another program: there is none, or the one that is there will not do. */
import type { Agent } from "../api/types.ts";

export function needsProgram({ installed, signedIn, remedy }: NonNullable<Agent["status"]>): boolean {
  return !installed || (remedy !== undefined && signedIn !== false);
}
