/** `status_change`, `auth_status` and `session_lifecycle` → drafts. Pure. Kinds of ours, and the statuses of other adapters. */
import type { Draft } from "../../core/draft.ts";
import { isRecord } from "../../core/is-record.ts";
import { withoutUndefined } from "../../core/without-undefined.ts";
import type { UnifiedMessage } from "../unified-message.ts";
import { agentState } from "./agent-state.ts";
import type { Origin } from "./known-calls.ts";
import { type Metadata, numberIn, ownIn, textIn, textsIn } from "./metadata.ts";
import { contextIn, usageIn } from "./turn-end.ts";

/** Undefined for what says nothing to us. */
export function statusDrafts({ metadata, content }: UnifiedMessage, origin: Origin): Draft[] | undefined {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  switch (textIn(metadata, "kind")) {
    case "session_update": {
      const update = { ...agentState(metadata), ...withoutUndefined({ title: textIn(metadata, "title") }) };
      return Object.keys(update).length === 0 ? [] : [{ type: "session.updated", ...update }];
    }
    case "system_message": {
      const cause = textIn(metadata, "cause") ?? "output";
      // A prompt that was steered into the turn: whoever steered knows.
      if (cause === "steer") return [];
      const task = textIn(metadata, "task_id");
      return [{ type: "turn.started", cause, text, ...withoutUndefined({ task }) }];
    }
    case "step_start":
      return [{ type: "step.started" }];
    case "step_finish":
      return [{ type: "step.ended", ...withoutUndefined({ reason: textIn(metadata, "reason") }) }];
    case "usage": {
      const more = { model: textIn(metadata, "model"), context: contextIn(metadata) };
      return [{ type: "usage", ...usageIn(metadata), ...withoutUndefined(more), ...origin }];
    }
    case "plan": {
      const entries = ownIn(metadata, "entries");
      if (!Array.isArray(entries)) return undefined;
      return [{ type: "plan.updated", entries, ...origin }];
    }
    case "notice": {
      const level = textIn(metadata, "level");
      return [
        {
          type: "notice",
          level: level === "warning" || level === "error" ? level : "info",
          code: textIn(metadata, "code") ?? "agent",
          text,
          ...withoutUndefined({ data: ownIn(metadata, "data") }),
          ...origin,
        },
      ];
    }
    case "message_queued": {
      const message = textIn(metadata, "message_id");
      const reason = textIn(metadata, "reason") ?? "the agent did not take it";
      return message === undefined ? [] : [{ type: "prompt.returned", message, reason }];
    }
    case "message_received": {
      const native = textIn(metadata, "native_id");
      const message = textIn(metadata, "message_id");
      return native === undefined
        ? []
        : [{ type: "prompt.received", native, ...withoutUndefined({ message }) }];
    }
    case "compaction_ended": {
      const { summary, skipped, error } = textFields(metadata, ["summary", "skipped", "error"]);
      return [{ type: "compaction.ended", ...withoutUndefined({ summary, skipped, error }) }];
    }
    case "permission_updated":
    case "permission_answered":
    case "permission_closed":
      return askDrafts(metadata);
    case "session_compacted":
    case "message_part_removed":
      return lifecycleDrafts(metadata, origin, "kind");
  }
  if (textIn(metadata, "status") === "compacting")
    return [{ type: "compaction.started", ...withoutUndefined({ trigger: textIn(metadata, "trigger") }) }];
  return undefined;
}

function askDrafts(metadata: Metadata): Draft[] {
  const ask = textIn(metadata, "request_id");
  if (ask === undefined) return [];
  if (metadata.kind === "permission_updated") {
    const changes = ownIn(metadata, "changes");
    const shown = { ...(Array.isArray(changes) && { changes }), detail: ownIn(metadata, "detail") };
    return [{ type: "ask.updated", ask, ...withoutUndefined(shown) } as Draft];
  }
  if (metadata.kind === "permission_closed") {
    const outcome = textIn(metadata, "outcome");
    if (outcome !== "cancelled" && outcome !== "expired") return [];
    return [{ type: "ask.closed", ask, outcome, delivered: metadata.delivered === true }];
  }
  // Nobody answered in time: the end of the ask says so.
  if (metadata.expired === true) return [];
  const { option, message } = textFields(metadata, ["option", "message"]);
  const answers = ownIn(metadata, "answers");
  return [
    {
      type: "ask.answered",
      ask,
      ...withoutUndefined({ option, message }),
      ...(isRecord(answers) && { answers }),
    } as Draft,
  ];
}

export function authDrafts({ metadata }: UnifiedMessage): Draft[] {
  const told = textIn(metadata, "state");
  const state =
    told === "ok" || told === "required" || told === "pending" || told === "failed"
      ? told
      : metadata.isAuthenticating === true
        ? "pending"
        : textIn(metadata, "error") === undefined
          ? "ok"
          : "failed";
  const text = textIn(metadata, "text", "error", "validationLink") ?? textsIn(metadata, "output").join("\n");
  return [{ type: "auth.status", state, ...(text !== "" && { text }) }];
}

/** Undefined for what says nothing to us: that a session was made or deleted is known where it happens. */
export function lifecycleDrafts(
  metadata: Metadata,
  origin: Origin,
  key: "kind" | "subtype",
): Draft[] | undefined {
  switch (textIn(metadata, key)) {
    case "session_compacted": {
      const tokens = {
        tokensBefore: numberIn(metadata, "tokens_before"),
        tokensAfter: numberIn(metadata, "tokens_after"),
      };
      return [
        {
          type: "compaction.ended",
          ...withoutUndefined({ summary: textIn(metadata, "summary"), ...tokens }),
        },
      ];
    }
    case "message_part_removed": {
      const named = textIn(metadata, "part_id");
      const parts = [...textsIn(metadata, "part_ids"), ...(named === undefined ? [] : [named])];
      const calls = textsIn(metadata, "tool_use_ids");
      const reason = textIn(metadata, "reason") ?? "the agent took it back";
      return [{ type: "content.discarded", parts, calls, reason, ...origin }];
    }
    default:
      return undefined;
  }
}

function textFields<Name extends string>(
  metadata: Metadata,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const fields: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = textIn(metadata, name);
    if (text !== undefined) fields[name] = text;
  }
  return fields;
}
