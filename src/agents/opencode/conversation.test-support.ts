/** For tests: a conversation with OpenCode, told frame by frame without a server. */
import type { Draft } from "../../core/draft.ts";
import type { OpenCodeState } from "./conversation-state.ts";
import { outbound } from "./outbound.ts";

export const SESSION = "ses_main";

export class Conversation {
  state: OpenCodeState = outbound.initial;
  drafts: Draft[] = [];
  #requests = 0;

  constructor() {
    this.request("POST", "/session", {}, { id: SESSION, version: "1.18.33", title: "New session - 1" });
  }

  /** A request and its answer. */
  request(method: string, path: string, body?: unknown, answer?: unknown, status = 200): this {
    this.#requests += 1;
    const id = this.#requests;
    this.#hear("out", { kind: "http", msg: { id, method, path, body } });
    return this.#hear("in", { kind: "http", msg: { id, status, body: answer } });
  }

  event(type: string, properties: object = {}, session = SESSION): this {
    const msg = { payload: { id: "evt_1", type, properties: { sessionID: session, ...properties } } };
    return this.#hear("in", { kind: "sse", stream: "global", msg });
  }

  server(msg: object): this {
    return this.#hear("in", { kind: "sse", stream: "global", msg });
  }

  prompt(text = "Go"): this {
    this.request(
      "POST",
      `/session/${SESSION}/prompt_async`,
      { parts: [{ type: "text", text }] },
      undefined,
      204,
    );
    return this.event("message.updated", {
      info: { id: `msg_user_${text}`, role: "user", sessionID: SESSION },
    });
  }

  busy(): this {
    return this.event("session.status", { status: { type: "busy" } });
  }

  /** A message of the model; `end` completes it. */
  step(id: string, end: object = {}, parent = "msg_user_Go"): this {
    const info = {
      id,
      role: "assistant",
      sessionID: SESSION,
      parentID: parent,
      providerID: "p",
      modelID: "m",
    };
    return this.event("message.updated", { info: { ...info, time: { created: 1 }, ...end } });
  }

  part(part: object, message = "msg_1"): this {
    return this.event("message.part.updated", { part: { messageID: message, sessionID: SESSION, ...part } });
  }

  tool(state: object, tool = "bash"): this {
    return this.part({ id: "prt_tool", type: "tool", tool, callID: "call_1", state });
  }

  idle(): this {
    return this.event("session.idle");
  }

  /** What was drafted since the last call. */
  take(): Draft[] {
    return this.drafts.splice(0);
  }

  types(): string[] {
    return this.take().map(({ type }) => type);
  }

  #hear(direction: "in" | "out", record: object): this {
    const [state, drafts] = outbound.translate(this.state, { direction, data: JSON.stringify(record) });
    this.state = state;
    this.drafts.push(...drafts);
    return this;
  }
}
