/** One frame for each thing that clients can ask for through a socket, with the rights it needs. */
import type { Right } from "../../src/core/rights.ts";
import { createUnifiedMessage } from "../../src/unified/create-unified-message.ts";
import type { UnifiedMessage } from "../../src/unified/unified-message.ts";
import type { Person, World } from "./world.ts";

export interface FrameSample {
  rights: readonly Right[];
  make(world: World, person: Person): Promise<{ session: string; message: UnifiedMessage }>;
}

type Fields = Partial<Pick<UnifiedMessage, "content" | "metadata">>;

function frame(type: UnifiedMessage["type"], { content = [], metadata = {} }: Fields = {}): UnifiedMessage {
  return createUnifiedMessage({ type, role: "user", content, metadata });
}

const onSession = (type: UnifiedMessage["type"], fields?: Fields) => async (world: World) => ({
  session: await world.session(),
  message: frame(type, fields),
});

const content: UnifiedMessage["content"] = [{ type: "text", text: "scenario:text" }];

const reply = (kind: "permission" | "question" | "plan") => async (world: World) => {
  const { session, ask } = await world.ask(kind);
  const answer = kind === "question" ? { answers: { q1: ["yes"] } } : { behavior: "allow" };
  return { session, message: frame("permission_response", { metadata: { request_id: ask, ...answer } }) };
};

const onQueued = (kind: string) => async (world: World, person: Person) => {
  const { session, message } = await world.queued(person);
  return {
    session,
    message: frame("configuration_change", { content, metadata: { kind, message_id: message } }),
  };
};

/** By what they do. `kind:` stands before the kinds of a `configuration_change`. */
export const FRAMES: Readonly<Record<string, FrameSample>> = {
  user_message: { rights: ["session.prompt"], make: onSession("user_message", { content }) },
  "user_message with settings": {
    rights: ["session.prompt", "session.settings"],
    make: onSession("user_message", { content, metadata: { settings: { effort: "high" } } }),
  },
  "permission_response to a permission": { rights: ["ask.permission"], make: reply("permission") },
  "permission_response to a question": { rights: ["ask.question"], make: reply("question") },
  "permission_response to a plan": { rights: ["ask.plan"], make: reply("plan") },
  interrupt: { rights: ["session.stop"], make: onSession("interrupt") },
  "configuration_change of the model": {
    rights: ["session.settings"],
    make: onSession("configuration_change", { metadata: { model: "mock-fast" } }),
  },
  "configuration_change to bypass": {
    rights: ["session.settings", "session.bypass"],
    make: onSession("configuration_change", { metadata: { permissionMode: "bypass" } }),
  },
  "kind:update_queued_message": { rights: ["queue.own"], make: onQueued("update_queued_message") },
  "kind:cancel_queued_message": { rights: ["queue.own"], make: onQueued("cancel_queued_message") },
  "kind:queue_query": {
    rights: ["session.read"],
    make: onSession("configuration_change", { metadata: { kind: "queue_query" } }),
  },
  "kind:presence_query": {
    rights: ["session.read"],
    make: onSession("configuration_change", { metadata: { kind: "presence_query" } }),
  },
};
