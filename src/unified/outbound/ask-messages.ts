/** Asks → `permission_request`, and what becomes of them. Pure. */
import { isRejection } from "../../core/ask.ts";
import type { EventOf } from "../../core/event.ts";
import { inputOf } from "./content-blocks.ts";
import { type Said, said, status } from "./said.ts";

/** What is known of the call an ask is about. */
export interface AskedCall {
  readonly name: string;
  readonly input?: unknown;
}

export function askMessage(event: EventOf<"ask.opened">, call: AskedCall | undefined): Said {
  const { ask, kind, title, description, options, questions, editable, changes, detail, url, expiresAt } =
    event;
  return said("permission_request", {
    request_id: ask,
    kind,
    subtype: "can_use_tool",
    tool_use_id: event.call,
    tool_name: call?.name ?? kind,
    input: inputOf(call?.input),
    title,
    description,
    options,
    questions,
    editable,
    changes,
    detail,
    url,
    expires_at: expiresAt,
  });
}

export function askUpdateMessage(event: EventOf<"ask.updated" | "ask.answered" | "ask.closed">): Said {
  const request_id = event.ask;
  switch (event.type) {
    case "ask.updated":
      return status("permission_updated", { request_id, changes: event.changes, detail: event.detail });
    case "ask.answered": {
      const { option, effect, answers, message, input, expired } = event;
      const behavior = isRejection(effect) ? "deny" : "allow";
      const answer = { behavior, option, effect, answers, message, updatedInput: input };
      return status("permission_answered", { request_id, ...answer, expired });
    }
    case "ask.closed":
      return status("permission_closed", {
        request_id,
        outcome: event.outcome,
        delivered: event.delivered,
      });
  }
}
