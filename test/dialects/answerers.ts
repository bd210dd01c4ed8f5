/** People who answer asks, each through one dialect, and what they are told. */
import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { sessionUlid } from "../../src/core/session-ulid.ts";
import { isToolPart, type UIMessage } from "../../src/dialects/ai-sdk/ui-message.ts";
import { createUnifiedMessage, type UnifiedMessage } from "../../src/unified/index.ts";
import type { DaemonClient } from "../daemon-client.ts";

type Ask = EventOf<"ask.opened">;

/** Somebody with a token of their own. */
export interface Person {
  readonly name: string;
  readonly client: DaemonClient;
}

/**
 * Said when the ask was already over, through a protocol whose clients name no ask: it is the next prompt.
 */
export const SAID_LATER = Symbol("said later");

/** Undefined for whoever decided; else who did, as they are told. */
export type Told = string | undefined | typeof SAID_LATER;

/** Ready to send an answer that allows or declines. */
export type Answer = () => Promise<Told>;

/** Readies an answer of a person to an open ask. */
export type Answerer = (person: Person, ask: Ask, isAllowed: boolean) => Promise<Answer>;

const FIRST = /^(.*) answered first; their answer stands\.$/;

const v1: Answerer = async ({ client }, { session, ask, kind }, isAllowed) => {
  const path = `/v1/sessions/${session}/asks/${ask}/reply`;
  const words = isAllowed ? "Green" : "Blue";
  const body = kind === "question" ? { answers: { q1: [words] } } : { reply: isAllowed ? "once" : "reject" };
  return async () => {
    const response = await client.request("POST", path, body);
    if (response.ok) return void (await response.text());
    const problem = (await response.json()) as { code: string; detail: string; answer: { by: string } };
    expect([response.status, problem.code]).toEqual([409, "ask_answered"]);
    expect(FIRST.exec(problem.detail)?.[1]).toBe(problem.answer.by);
    return problem.answer.by;
  };
};

/** As a stock client does it: the message with the answer in its part. */
const chat: Answerer = async ({ client }, { session, ask, kind }, isAllowed) => {
  const { messages } = await client.call<{ messages: UIMessage[] }>("GET", `/api/chat/${session}/messages`);
  const message = messages.at(-1)!;
  const part = message.parts.find(
    (one) => isToolPart(one) && (one.approval?.id === ask || one.toolCallId.endsWith(ask)),
  );
  if (part === undefined || !isToolPart(part)) throw new Error(`the message does not show ${ask}`);
  const answered =
    kind === "question"
      ? { state: "output-available", output: { q1: [isAllowed ? "Green" : "Blue"] } }
      : { state: "approval-responded", approval: { id: ask, approved: isAllowed } };
  Object.assign(part, answered);
  return async () => {
    const response = await client.request("POST", "/api/chat", { id: session, message });
    const text = await response.text();
    if (response.ok) return void expect(text).toContain("[DONE]");
    expect([response.status, response.headers.get("x-interlingua-error")]).toEqual([409, "ask_answered"]);
    return FIRST.exec(text)![1];
  };
};

/** Only questions, and by the words of an option. */
const agentSmithy: Answerer = async ({ client, name }, { session, seq }, isAllowed) => {
  const { createdAt } = await client.call<{ createdAt: number }>("GET", `/v1/sessions/${session}`);
  const dialog = sessionUlid(session, createdAt);
  const messages = [{ role: "user", content: isAllowed ? "Green" : "Blue" }];
  return async () => {
    const response = await client.request("POST", "/agentsmithy/api/chat", { dialog_id: dialog, messages });
    const text = await response.text();
    if (!response.ok) {
      expect(response.status).toBe(409);
      return FIRST.exec(JSON.parse(text).detail)![1];
    }
    expect(text).toContain('"type":"done"');
    const later = (await client.events(session)).map((line) => JSON.parse(line) as SessionEvent);
    const isPrompt = later.some(
      (event) => event.type === "prompt.accepted" && event.by === name && event.seq > seq,
    );
    return isPrompt ? SAID_LATER : undefined;
  };
};

/** Over a socket of its own. */
const unified: Answerer = async ({ client }, { session, ask, kind, seq }, isAllowed) => {
  const address = `${client.url.replace(/^http/, "ws")}/v1/sessions/${session}/unified?after=${seq}`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${client.token}` } });
  await once(socket, "open");
  const answers = kind === "question" && { answers: { q1: [isAllowed ? "Green" : "Blue"] } };
  const behavior = isAllowed || answers ? "allow" : "deny";
  const message = createUnifiedMessage({
    type: "permission_response",
    role: "user",
    metadata: { request_id: ask, behavior, ...answers },
  });
  return async () => {
    const told = new Promise<Record<string, unknown>>((resolve) => {
      socket.on("message", (data) => {
        const { payload } = JSON.parse(String(data)) as { payload: UnifiedMessage };
        if (payload.type === "control_response") resolve(payload.metadata);
      });
    });
    socket.send(JSON.stringify(message));
    const { subtype, error } = (await told) as {
      subtype: string;
      error?: { code: string; answer: { by: string } };
    };
    socket.terminate();
    if (subtype === "success") return undefined;
    expect(error?.code).toBe("ask_answered");
    return error!.answer.by;
  };
};

/** Who can answer what. */
export const ANSWERERS: Readonly<Record<"permission" | "question", readonly [string, Answerer][]>> = {
  permission: [
    ["v1", v1],
    ["chat", chat],
    ["unified", unified],
  ],
  question: [
    ["v1", v1],
    ["chat", chat],
    ["agentsmithy", agentSmithy],
    ["unified", unified],
  ],
};
