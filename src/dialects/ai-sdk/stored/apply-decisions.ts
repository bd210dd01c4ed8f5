/**
 * Writes decisions into the approvals and asks of a stored message. No chunk carries them: live, the client in which
 * the person clicked writes them itself. And while another ask is open, the message ends with that ask, so what has
 * become of the others is in no chunk either.
 */
import { isRejection } from "../../../core/ask.ts";
import type { SessionEvent } from "../../../core/event.ts";
import type { AskData } from "../data-part.ts";
import { answerOf } from "../outbound/asks.ts";
import { isToolPart, type ToolPart, type UIMessage } from "../ui-message.ts";

interface Decision {
  approved: boolean;
  reason?: string;
}

/** Mutates `message`. */
export function applyDecisions(message: UIMessage, events: readonly SessionEvent[]): void {
  const decisions = decisionsIn(events);
  const ends = endsIn(events);
  for (const part of message.parts) {
    if (part.type === "data-ask") Object.assign(part.data, ends.get(part.data.ask));
    else if (isToolPart(part) && part.approval) decide(part, decisions.get(part.approval.id));
  }
}

type AskEnd = Partial<Pick<AskData, "state" | "answer" | "delivered">>;

/** What has become of each ask so far. */
function endsIn(events: readonly SessionEvent[]): Map<string, AskEnd> {
  const ends = new Map<string, AskEnd>();
  for (const event of events) {
    if (event.type === "ask.answered") ends.set(event.ask, { answer: answerOf(event) });
    else if (event.type === "ask.closed")
      ends.set(event.ask, { ...ends.get(event.ask), state: event.outcome, delivered: event.delivered });
  }
  return ends;
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
