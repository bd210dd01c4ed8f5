/**
 * What a person decided, written into the approvals of a stored message. No chunk can tell it to every client: live,
 * the client in which the person clicked writes it there by itself.
 */
import { isRejection } from "../../../core/ask.ts";
import type { SessionEvent } from "../../../core/event.ts";
import { isToolPart, type ToolPart, type UIMessage } from "../ui-message.ts";

interface Decision {
  approved: boolean;
  reason?: string;
}

/** Mutates `message`. */
export function applyDecisions(message: UIMessage, events: readonly SessionEvent[]): void {
  const decisions = decisionsIn(events);
  for (const part of message.parts) {
    if (isToolPart(part) && part.approval) decide(part, decisions.get(part.approval.id));
  }
}

function decisionsIn(events: readonly SessionEvent[]): Map<string, Decision> {
  const decisions = new Map<string, Decision>();
  for (const event of events) {
    if (event.type === "ask.answered") {
      const { message: reason } = event;
      decisions.set(event.ask, {
        approved: !isRejection(event.effect),
        ...(reason !== undefined && { reason }),
      });
    } else if (event.type === "ask.closed" && event.outcome === "expired") {
      decisions.set(event.ask, { approved: false });
    }
  }
  return decisions;
}

/** Readers of the AI SDK take an approval only where it fits the state: a result means yes, a denial no. */
function decide(part: ToolPart, decision: Decision | undefined): void {
  if (part.state === "approval-requested") {
    if (!decision) return;
    part.state = "approval-responded";
  }
  if (part.state === "output-denied") {
    part.approval = { id: part.approval!.id, ...decision, approved: false };
  } else if (decision && (decision.approved || part.state === "approval-responded")) {
    part.approval = { id: part.approval!.id, ...decision };
  } else {
    delete part.approval;
  }
}
