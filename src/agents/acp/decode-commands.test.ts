/** What was encoded is read back: the two are each other's inverse. */
import { expect, it } from "vitest";
import type { Command } from "../../core/command.ts";
import { type AcpState, INITIAL_STATE } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { createInbound } from "./inbound.ts";
import { outbound } from "./outbound.ts";

const encoder = createInbound({ cwd: "/p", mcpServers: [] });

/** A session that is open, with these requests of the agent. */
function stateWith(
  ...requests: readonly { id: number | string; method: string; params: object }[]
): AcpState {
  const capabilities = { promptCapabilities: { image: true, embeddedContext: true } };
  let state: AcpState = {
    ...INITIAL_STATE,
    agent: { protocol: 1, capabilities, authMethods: [] },
    session: { id: "s" },
  };
  for (const request of requests) {
    [state] = outbound.translate(state, { direction: "in", data: JSON.stringify(request) });
  }
  return state;
}

function roundTrip(state: AcpState, command: Command): readonly Command[] {
  return encoder.encode(state, command).flatMap((data) => decodeCommands(state, { direction: "out", data }));
}

it("prompts with text, pictures and files", () => {
  const parts = [
    { type: "text" as const, text: "Look" },
    { type: "file" as const, mediaType: "image/png", url: "data:image/png;base64,AAAA" },
    { type: "file" as const, mediaType: "text/plain", url: "data:text/plain;base64,QQ==", filename: "a.txt" },
    { type: "file" as const, mediaType: "text/plain", url: "file:///p/b.txt", filename: "b.txt" },
  ];
  expect(roundTrip(stateWith(), { type: "prompt", message: "u1", parts })).toEqual([
    { type: "prompt", message: "", parts },
  ]);
});

it("stops", () => {
  expect(roundTrip(stateWith(), { type: "interrupt" })).toEqual([{ type: "interrupt" }]);
});

const PERMISSION = {
  id: "p-1",
  method: "session/request_permission",
  params: {
    toolCall: { toolCallId: "c", title: "rm" },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  },
};

const FORM = {
  id: 3,
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Tell me",
    requestedSchema: {
      type: "object",
      properties: {
        name: { type: "string" },
        age: { type: "integer" },
        sure: { type: "boolean" },
        tags: { type: "array", items: { enum: ["a", "b"] } },
      },
    },
  },
};

const QUESTION = {
  id: 4,
  method: "_x.ai/ask_user_question",
  params: { questions: [{ question: "Which?", options: [{ label: "Red" }, { label: "Blue" }] }] },
};

it.each([
  [PERMISSION, { option: "no" }],
  [FORM, { answers: { name: ["Ada"], age: ["36"], sure: ["true"], tags: ["a", "b"] } }],
  [FORM, { option: "decline" }],
  [QUESTION, { answers: { q1: ["Blue"] } }],
])("answers %#", (request, answer) => {
  const reply = { type: "reply" as const, ask: String(request.id), ...answer };
  expect(roundTrip(stateWith(request), reply)).toEqual([reply]);
});

it("a stop answers what is asked, and that is nobody's answer", () => {
  const state = stateWith(PERMISSION, FORM, QUESTION);
  const lines = encoder.encode(state, { type: "interrupt" });
  expect(lines).toHaveLength(4);
  expect(lines.flatMap((data) => decodeCommands(state, { direction: "out", data }))).toEqual([
    { type: "interrupt" },
  ]);
  let after = state;
  for (const data of lines) [after] = outbound.translate(after, { direction: "out", data });
  expect(after.rpc.asked.size).toBe(0);
});

it("an answer nobody waits for is refused", () => {
  expect(() => encoder.encode(stateWith(), { type: "reply", ask: "gone", option: "yes" })).toThrow(
    "no longer waits",
  );
});
