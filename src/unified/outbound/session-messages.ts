/** Events about a session as a whole, its prompts and its files → messages. Pure and without state. */
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { promptBlocks } from "./content-blocks.ts";
import { type Said, said, status } from "./said.ts";
import { tokenUsage } from "./token-usage.ts";

type SessionWide = EventOf<
  | `session.${"created" | "attached" | "detached" | "updated" | "closed" | "forked"}`
  | "conversation.rewound"
  | `prompt.${"accepted" | "changed" | "moved" | "held" | "withdrawn" | "dispatched" | "returned" | "received"}`
  | `checkpoint.${"created" | "restored"}`
  | "restore.started"
  | "plan.updated"
  | "usage"
  | "auth.status"
  | `compaction.${"started" | "ended"}`
  | "notice"
  | "agent.unknown"
>;

const PREFIXES = ["session.", "conversation.", "prompt.", "checkpoint.", "restore.", "plan.", "compaction."];
const SINGLE = ["usage", "auth.status", "notice", "agent.unknown"];

export function isSessionWide(event: SessionEvent): event is SessionWide {
  return SINGLE.includes(event.type) || PREFIXES.some((prefix) => event.type.startsWith(prefix));
}

export function sessionMessages(event: SessionWide): Said[] {
  switch (event.type) {
    case "session.created": {
      const { agent, cwd, title, model, mode, permissionMode, forkedFrom } = event;
      const metadata = { agent, cwd, title, model, mode, permissionMode, forked_from: forkedFrom };
      return [said("session_lifecycle", { subtype: "session_created", ...metadata })];
    }
    case "session.attached": {
      const { generation, resumed } = event;
      return [said("session_init", { protocol_version: 1, ...agentState(event), resumed, generation })];
    }
    case "session.updated": {
      const { title, pinned, archived, metadata, requested, chosen } = event;
      const labels = { title, pinned, archived };
      return [
        status("session_update", { ...agentState(event), ...labels, custom: metadata, requested, chosen }),
      ];
    }
    case "session.detached": {
      const { reason, code, signal } = event;
      return [status("agent_disconnected", { reason, code, signal })];
    }
    case "session.closed":
      return [status("session_closed", { status: "closed" })];
    case "session.forked":
      return [status("session_forked", { fork: event.fork, before: event.before })];
    case "conversation.rewound": {
      const { before, agentForgot } = event;
      const metadata = { message_id: before, and_following: true, agent_forgot: agentForgot };
      return [said("session_lifecycle", { subtype: "message_removed", ...metadata })];
    }
    case "prompt.accepted": {
      const { whenBusy, settings, receipt, message } = event;
      const { content, attachments } = promptBlocks(event.parts);
      const metadata = { attachments, when_busy: whenBusy, settings, receipt };
      return [{ ...said("user_message", metadata, content), conversation: message }];
    }
    case "prompt.changed": {
      const { content, attachments } = promptBlocks(event.parts);
      return [status("queued_message_updated", { attachments }, content)];
    }
    case "prompt.moved":
      return [status("queued_message_moved", { before_message_id: event.before })];
    case "prompt.held":
      return [status("queued_message_held", { held: event.held, reason: event.reason })];
    case "prompt.withdrawn":
      return [status("queued_message_cancelled")];
    case "prompt.dispatched": {
      const { steered, checkpoint, note } = event;
      return [status("queued_message_sent", { steered, checkpoint, note })];
    }
    case "prompt.returned":
      return [status("message_queued", { reason: event.reason })];
    case "prompt.received":
      return [status("message_received", { native_id: event.native })];
    case "checkpoint.created": {
      const { checkpoint, kind, endOf, uncovered, foreign, mixed, allMixed } = event;
      const files = { uncovered, foreign, mixed, all_mixed: allMixed };
      return [status("checkpoint", { checkpoint, checkpoint_kind: kind, end_of: endOf, ...files })];
    }
    case "restore.started": {
      const { checkpoint, before, changes, kept, rewound } = event;
      return [status("restore_started", { checkpoint, before, files: changes.length, kept, rewound })];
    }
    case "checkpoint.restored": {
      const { checkpoint, files, restored, kept, error } = event;
      return [status("checkpoint_restored", { checkpoint, files, restored, kept, error })];
    }
    case "plan.updated":
      return [status("plan", { entries: event.entries })];
    case "usage":
      return [
        status("usage", {
          usage: tokenUsage(event),
          cost: event.cost,
          model: event.model,
          context: event.context,
        }),
      ];
    case "auth.status": {
      const { state, text } = event;
      return [said("auth_status", { state, isAuthenticating: state === "pending", text })];
    }
    case "compaction.started":
      return [status("compaction", { status: "compacting", trigger: event.trigger })];
    case "compaction.ended": {
      const { summary, tokensBefore, tokensAfter, skipped, error } = event;
      if (skipped !== undefined || error !== undefined)
        return [status("compaction_ended", { skipped, error, summary })];
      const tokens = { tokens_before: tokensBefore, tokens_after: tokensAfter };
      return [said("session_lifecycle", { subtype: "session_compacted", summary, ...tokens })];
    }
    case "notice": {
      const { level, code, text, data } = event;
      const retry = code === "retry" && { status: "retry" };
      return [status("notice", { ...retry, level, code, data }, [{ type: "text", text }])];
    }
    case "agent.unknown":
      return [said("unknown", { native_type: event.native, text: event.text })];
  }
}

function agentState(event: EventOf<"session.attached" | "session.updated">): Record<string, unknown> {
  const { agent, agentSessionId, agentVersion, model, models, mode, modes, permissionMode } = event;
  const { commands, tools, settings } = event;
  return {
    agent,
    agent_session_id: agentSessionId,
    agent_version: agentVersion,
    model,
    models,
    mode,
    modes,
    permissionMode,
    slash_commands: commands?.map(({ name }) => name),
    commands,
    tools,
    settings,
  };
}
