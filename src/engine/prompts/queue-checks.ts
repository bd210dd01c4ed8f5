/** What a command on the queue may do to others. Everybody may pass their own prompts; without checks, all of them. */
import { hasRight, type Right } from "../../core/rights.ts";
import type { QueueChecks, QueuedView } from "../../protocol/commands/command-types.ts";
import { lacksRight } from "../../protocol/refusals.ts";

type Waiting = readonly Pick<QueuedView, "author">[];

/** Whether a prompt may get ahead of these. */
export function canPass(checks: QueueChecks | undefined, others: Waiting): boolean {
  if (!checks || hasRight(checks.access, "queue.any")) return true;
  return others.every(({ author }) => author === checks.access.token);
}

/** Throws `forbidden`. */
export function assertCanPass(checks: QueueChecks | undefined, others: Waiting): void {
  if (!canPass(checks, others)) throw refuse(checks!, "queue.any");
}

/** Whether the running turn may be stopped. Throws `forbidden`. */
export function assertCanStop(checks: QueueChecks | undefined): void {
  if (checks && !hasRight(checks.access, "session.stop")) throw refuse(checks, "session.stop");
}

function refuse({ access }: QueueChecks, right: Right): Error {
  return lacksRight(right, access);
}
