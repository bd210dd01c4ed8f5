/** Agents that speak ACP: JSON-RPC messages, or what the protocol's own library hands over of them. */
import { INITIAL_STATE } from "../../agents/acp/conversation-state.ts";
import { promptBlocks } from "../../agents/acp/inbound/prompt.ts";
import { AGENT_METHOD, METHOD, PROTOCOL_VERSION } from "../../agents/acp/wire.ts";
import {
  assumed,
  type Fields,
  fieldsOf,
  heard,
  inTurn,
  type NativeForm,
  type NativeReader,
  type NativeRecord,
  sent,
  textOf,
} from "../form.ts";

/** Which files an agent takes it says itself; here nobody has asked it. */
const TAKES_ALL = {
  protocol: PROTOCOL_VERSION,
  capabilities: { promptCapabilities: { image: true, audio: true, embeddedContext: true } },
  authMethods: [],
};

/** Updates that are no part of an answer. */
const ABOUT_THE_SESSION: readonly unknown[] = [
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "usage_update",
];

const PROMPT_ID = "assumed-prompt";

export const acp: NativeForm = {
  createReader: () => new AcpReader(),
  idOf: ({ params, update }) =>
    textOf(fieldsOf(fieldsOf(params).update ?? update).messageId) ??
    textOf(fieldsOf(fieldsOf(params).update ?? update).toolCallId),
  toInput: (parts) =>
    promptBlocks({ ...INITIAL_STATE, agent: TAKES_ALL }, parts).map((block) => {
      const { _meta: _own, ...rest } = block as Fields;
      return rest;
    }),
};

/** A turn is a request and its answer. Where the request was not shown, it came before the first thing that was. */
class AcpReader implements NativeReader {
  readonly #requests = new Set<unknown>();
  #hasSession = false;
  /** Prompts that were sent and not answered. */
  readonly #prompts = new Set<unknown>();
  #isLoading: unknown;

  read(given: Fields, isSent: boolean): readonly NativeRecord[] {
    const message = toRpc(given);
    const { id, method } = message;
    if (isSent) {
      if (method !== undefined && id !== undefined) this.#requests.add(id);
      if (method === METHOD.prompt) this.#prompts.add(id);
      if (method === METHOD.loadSession) this.#isLoading = id;
      return [sent(message)];
    }
    return method === undefined ? this.#readAnswer(message) : this.#readTold(message);
  }

  /** A turn that was only assumed to run is over with what was told of it. */
  end(): readonly NativeRecord[] {
    if (!this.#prompts.delete(PROMPT_ID)) return [];
    return [heard({ jsonrpc: "2.0", id: PROMPT_ID, result: { stopReason: "end_turn" } })];
  }

  #readAnswer(message: Fields): readonly NativeRecord[] {
    const { id } = message;
    const result = fieldsOf(message.result);
    this.#hasSession ||= result.sessionId !== undefined;
    if (id === this.#isLoading) this.#isLoading = undefined;
    if (this.#requests.has(id)) {
      this.#prompts.delete(id);
      return [heard(message)];
    }
    const isEndOfTurn = result.stopReason !== undefined || (message.error !== undefined && this.#hasSession);
    if (isEndOfTurn) {
      const opening = this.#promptIfNone();
      const [prompt] = this.#prompts;
      this.#prompts.delete(prompt);
      return [...opening, heard({ ...message, id: prompt ?? id })];
    }
    const method = result.protocolVersion !== undefined ? METHOD.initialize : METHOD.newSession;
    // What it answers was not shown, and nothing follows from it.
    if (method === METHOD.newSession && result.sessionId === undefined) return [];
    return [...assumed(sent({ jsonrpc: "2.0", id, method, params: {} })), heard(message)];
  }

  #readTold(message: Fields): readonly NativeRecord[] {
    const params = fieldsOf(message.params);
    const opening = this.#openingOf(textOf(params.sessionId));
    const isContent =
      message.method === AGENT_METHOD.update &&
      !ABOUT_THE_SESSION.includes(fieldsOf(params.update).sessionUpdate);
    // With a session that is loaded its history is told first.
    if (!isContent || this.#isLoading !== undefined) return [...opening, heard(message)];
    return [...opening, ...this.#promptIfNone(), heard(message)];
  }

  #openingOf(sessionId: string | undefined): NativeRecord[] {
    if (this.#hasSession || sessionId === undefined || this.#requests.size > 0) return [];
    this.#hasSession = true;
    const id = "assumed-session";
    return assumed(
      sent({ jsonrpc: "2.0", id, method: METHOD.newSession, params: {} }),
      heard({ jsonrpc: "2.0", id, result: { sessionId } }),
    );
  }

  #promptIfNone(): NativeRecord[] {
    if (this.#prompts.size > 0 || this.#requests.size > 0) return [];
    this.#prompts.add(PROMPT_ID);
    const prompt = sent({ jsonrpc: "2.0", id: PROMPT_ID, method: METHOD.prompt, params: { prompt: [] } });
    return assumed(inTurn(prompt));
  }
}

/** The library gives an update without its envelope, and the end of a turn as the result alone. */
function toRpc(message: Fields): Fields {
  const jsonrpc = "2.0";
  if (message.update !== undefined) return { jsonrpc, method: AGENT_METHOD.update, params: message };
  if (message.stopReason !== undefined) return { jsonrpc, id: PROMPT_ID, result: message };
  return message;
}
