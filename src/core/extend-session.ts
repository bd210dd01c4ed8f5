/** Gives a session the optional methods its agent's capabilities promise, and no others. */
import type {
  AgentOutput,
  BackendSession,
  Configurable,
  ConversationPlace,
  Forkable,
  Interruptible,
  PermissionHandler,
  Steerable,
} from "./adapter.ts";
import type { BackendCapabilities } from "./capability.ts";
import type { Command } from "./command.ts";
import { PermissionRequests } from "./permission-requests.ts";

export type ExtendedSession = BackendSession &
  Interruptible &
  Partial<Configurable & Forkable & PermissionHandler & Steerable>;

/** Copies the agent's conversation with this id, up to this place, and gives the id of the copy. */
export type ForkConversation = (
  agentSessionId: string | undefined,
  place?: Omit<ConversationPlace, "agentSessionId">,
) => Promise<string>;

/**
 * `open` makes the session and has every output observed. The requests in `permissionRequests` come from the same
 * outputs, so they come as fast as somebody reads `messages`.
 */
export async function extendSession(
  capabilities: BackendCapabilities,
  open: (observe: (output: AgentOutput) => void) => Promise<BackendSession>,
  fork?: ForkConversation,
): Promise<ExtendedSession> {
  const requests = new PermissionRequests();
  let agentSessionId: string | undefined;
  const session = await open((output) => {
    requests.observe(output);
    if (!fork) return;
    for (const draft of output.drafts)
      if (draft.type === "session.attached") agentSessionId = draft.agentSessionId ?? agentSessionId;
  });

  const send = (command: Command): Promise<void> => {
    const sent = session.send(command);
    if (command.type === "reply") requests.close(command.ask);
    return sent;
  };
  // These methods return no promise. A write fails only when the agent is gone, and the end of `messages` shows that.
  const tell = (command: Command): void => void send(command).catch(() => {});

  const interruptible: Interruptible = { interrupt: () => tell({ type: "interrupt" }) };
  const configurable: Configurable = {
    setModel: (model) => tell({ type: "configure", model }),
    setPermissionMode: (permissionMode) => tell({ type: "configure", permissionMode }),
  };
  const permissionHandler: PermissionHandler = {
    permissionRequests: requests,
    respondToPermission: (requestId, behavior) => tell(requests.reply(requestId, behavior)),
  };
  const steerable: Steerable = { steer: (command) => tell({ ...command, steer: true }) };

  return {
    sessionId: session.sessionId,
    messages: session.messages,
    ...(session.batches && { batches: session.batches }),
    send,
    close: (options) => session.close(options),
    ...interruptible,
    ...(capabilities.setModel && configurable),
    ...(capabilities.permissions && permissionHandler),
    ...(capabilities.steer && steerable),
    ...(fork && { fork: (place) => fork(agentSessionId, place) }),
  };
}
