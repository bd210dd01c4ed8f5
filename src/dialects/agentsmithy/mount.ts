/** Where and for whom the dialect is served. */

export interface SmithyMount {
  /** What the paths of its routes begin with: `/agentsmithy`, or nothing at the root of a port. */
  readonly prefix: string;
  /** For a port without a token: only sessions of this directory are served, and none that runs without permissions. */
  readonly workspace?: string;
  /** Whether a turn goes on when the client that waits for it leaves. It has no other way to stop one. */
  readonly keepsRunning?: boolean;
  /** Of new dialogs; the daemon's default agent when absent. */
  readonly agent?: string;
}

/** On a port without a token a plan is approved elsewhere, like a permission: approving it lets the agent act. */
export function canApprovePlans({ workspace }: SmithyMount): boolean {
  return workspace === undefined;
}
