/**
 * The class under the real `useChat`, newest 6 and 7, with the stock helpers for approvals and for tool results,
 * against a server made of the session machine and the encoder.
 */
import { Conversation } from "../../testkit/conversation.ts";
import type { UIMessageChunk } from "./chunk.ts";
import { assistantMessages, liveChunks } from "./expect-consistent.test-support.ts";
import { SDKS, type SdkVersion } from "./sdk.test-support.ts";
import { joinSegments, splitSegments, untilOpenAsk } from "./segments.ts";
import { isToolPart, type ToolPart, type UIMessage } from "./ui-message.ts";

type Agent = (conversation: Conversation) => void;

/** Plays an agent's reactions, one after the prompt and one after each time that no ask is open any more. */
export class ScriptedServer {
  readonly conversation = new Conversation();
  requests = 0;
  readonly #reactions: Agent[];
  #given = 0;

  constructor(...reactions: Agent[]) {
    this.#reactions = reactions;
  }

  respond(messages: readonly UIMessage[]): UIMessageChunk[] {
    this.requests += 1;
    if (this.requests > 10) throw new Error("the client does not stop sending");
    const last = messages.at(-1)!;
    if (last.role === "user") this.conversation.prompt({ type: "text", text: "go" });
    else for (const part of last.parts) if (isToolPart(part)) this.#takeAnswer(part);
    if (this.conversation.machine.state.asks.size === 0) this.#reactions.shift()?.(this.conversation);
    return this.#nextResponse();
  }

  #takeAnswer(part: ToolPart): void {
    const { machine } = this.conversation;
    const ask = part.approval?.id ?? part.toolCallId.replace("question_", "");
    if (machine.state.asks.get(ask) === undefined) return;
    if (part.state !== "approval-responded" && part.state !== "output-available") return;
    this.conversation.act(() => {
      const answer = part.approval
        ? { option: part.approval.approved ? "yes" : "no", message: part.approval.reason }
        : { answers: part.output as Record<string, string[]> };
      machine.answerAsk(ask, answer, "client");
      machine.closeAsk(ask, "answered", true);
    });
  }

  #nextResponse(): UIMessageChunk[] {
    const { log, machine } = this.conversation;
    const segments = splitSegments(liveChunks(log, assistantMessages(log).at(-1)!));
    const given = untilOpenAsk(segments.slice(this.#given), (ask) => machine.state.asks.has(ask));
    this.#given += given.length;
    return joinSegments(given);
  }
}

interface Chat {
  readonly messages: UIMessage[];
  readonly status: string;
  sendMessage(message: { text: string }): Promise<void>;
  addToolApprovalResponse(response: { id: string; approved: boolean; reason?: string }): PromiseLike<void>;
  addToolOutput(result: { tool: string; toolCallId: string; output: unknown }): PromiseLike<void>;
}

export function createChat(version: SdkVersion, server: ScriptedServer): Chat {
  const sdk = SDKS[version];
  const Base = sdk.AbstractChat as new (init: object) => Chat;
  const state = {
    status: "ready",
    error: undefined,
    messages: [] as UIMessage[],
    pushMessage: (message: UIMessage) => {
      state.messages = [...state.messages, message];
    },
    popMessage: () => {
      state.messages = state.messages.slice(0, -1);
    },
    replaceMessage: (index: number, message: UIMessage) => {
      state.messages = state.messages.with(index, structuredClone(message));
    },
    snapshot: <Value>(value: Value) => structuredClone(value),
  };
  return new (class extends Base {})({
    state,
    transport: {
      sendMessages: async ({ messages }: { messages: UIMessage[] }) =>
        ReadableStream.from(structuredClone(server.respond(messages))),
      reconnectToStream: async () => null,
    },
    sendAutomaticallyWhen: (chat: { messages: UIMessage[] }) =>
      sdk.lastAssistantMessageIsCompleteWithApprovalResponses(chat) ||
      sdk.lastAssistantMessageIsCompleteWithToolCalls(chat),
  });
}
