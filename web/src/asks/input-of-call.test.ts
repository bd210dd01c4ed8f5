import { expect, test } from "vitest";
import type { DaemonMessage, UIMessagePart } from "../chat/page-message.ts";
import { inputOfCall } from "./input-of-call.ts";

function message(...parts: UIMessagePart[]): DaemonMessage {
  return { id: "m", role: "assistant", parts };
}

function tool(toolCallId: string, input: unknown): UIMessagePart {
  return { type: "tool-run", toolCallId, state: "input-available", input };
}

test("the input stands on the call, on a sub-agent's call, or on the call that carries the ask", () => {
  const input = { command: "npm test" };
  expect(inputOfCall(message(tool("c1", input)), "c1")).toEqual(input);
  const child = { parent: "c0", part: tool("c1", input) };
  expect(inputOfCall(message({ type: "data-subagent", id: "c0:1", data: child }), "c1")).toEqual(input);
  expect(inputOfCall(message(tool("permission_a1", { toolCallId: "c1", input })), "c1")).toEqual(input);
  expect(inputOfCall(message(tool("c2", input)), "c1")).toBeUndefined();
});
