/** What a client is told when it connects, and no event says: who it is, what the session is and can do, who else is there. */
import type { Principal } from "../../core/principal.ts";
import { hasRight, RIGHTS, type Right } from "../../core/rights.ts";
import type { AgentView, QueuedView, SessionDetails } from "../../protocol/commands/command-types.ts";
import type { PresenceView } from "../../protocol/schemas/presence.ts";
import { createUnifiedMessage } from "../../unified/create-unified-message.ts";
import { promptBlocks } from "../../unified/outbound/content-blocks.ts";
import type { UnifiedMessage } from "../../unified/unified-message.ts";

/** Of this wire: it is raised when a client of today could not go on. */
const PROTOCOL_VERSION = 1;

/** A status that no event made. `kind` says of what. */
export function status(
  kind: string,
  session: string,
  metadata: Readonly<Record<string, unknown>>,
): UnifiedMessage {
  return createUnifiedMessage({
    type: "status_change",
    role: "system",
    metadata: { kind, session_id: session, ...metadata },
  });
}

export function identity({ name, access }: Principal, session: string): UnifiedMessage {
  const rights = (Object.keys(RIGHTS) as Right[]).filter((right) => hasRight(access, right));
  return status("identity", session, {
    name,
    role: access.role,
    token: access.token,
    expires_at: access.expiresAt,
    rights,
  });
}

/** The session as it is now. What it was when the agent was started is in the log. */
export function sessionInit(details: SessionDetails): UnifiedMessage {
  const { id, agent, cwd, title, model, mode, permissionMode, status: state, head } = details;
  const { agentSessionId, agentVersion, models, modes, settings, tools, attached, commands } = details;
  return createUnifiedMessage({
    type: "session_init",
    role: "system",
    metadata: {
      session_id: id,
      protocol_version: PROTOCOL_VERSION,
      ...{ agent, cwd, title, model, mode, permissionMode, status: state, head, attached },
      agent_session_id: agentSessionId,
      agent_version: agentVersion,
      slash_commands: commands?.map(({ name }) => name),
      ...{ models, modes, settings, tools },
    },
  });
}

/** Which part of the log comes next. */
export function history(session: string, after: number, head: number): UnifiedMessage {
  return status("history", session, { after, head });
}

export function capabilities(
  { id, agent, commands, models, modes, settings, tools }: SessionDetails,
  known: readonly AgentView[],
): UnifiedMessage {
  const ofAgent = known.find(({ name }) => name === agent)?.capabilities;
  return status("capabilities", id, {
    agent,
    capabilities: ofAgent,
    commands: commands ?? [],
    slash_commands: (commands ?? []).map(({ name }) => name),
    models: models ?? [],
    modes: modes ?? [],
    settings: settings ?? [],
    tools,
  });
}

/** Prompts that wait. The contents of large ones are left out: `bytes` says that there is something. */
export function queue(session: string, queued: readonly QueuedView[], head: number): UnifiedMessage {
  return status("queue", session, {
    head,
    messages: queued.map(({ message, parts, bytes, whenBusy, settings, at, seq }) => ({
      message_id: message,
      ...promptBlocks(parts),
      bytes,
      when_busy: whenBusy,
      settings,
      timestamp: at,
      seq,
    })),
  });
}

export function presence(session: string, { viewers, total }: PresenceView): UnifiedMessage {
  return status("presence", session, { viewers, total });
}
