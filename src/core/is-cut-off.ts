/** Whether a turn ended because what ran it was gone: nobody stopped it, and the agent did not fail. */
const CODES: ReadonlySet<string | undefined> = new Set(["daemon_restarted", "node_lost", "node_draining"]);

export function isCutOff(code: string | undefined): boolean {
  return CODES.has(code);
}
