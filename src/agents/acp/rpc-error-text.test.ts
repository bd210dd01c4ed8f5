import { expect, it } from "vitest";
import { rpcErrorText } from "./rpc-error-text.ts";

it.each([
  ["Internal error: API Error: 400 no", { errorKind: "unknown" }, "API Error: 400 no"],
  ["Internal error", { details: "400 no" }, "400 no"],
  ["Internal error: Agent error", "400 no", "Agent error: 400 no"],
  ['{"error":{"code":400,"message":"no"}}', undefined, "no"],
  ["Internal error", { message: '{"error":{"message":"no"}}' }, "no"],
  ["Internal error", [{ path: ["cwd"], message: "cwd is missing" }], "cwd is missing"],
  ["Invalid params", "unknown session id", "unknown session id"],
  ["Resource not found", undefined, "Resource not found"],
  ["{broken", undefined, "{broken"],
  ["", undefined, "The agent reported an error."],
])("%s with %j says %s", (message, data, sentence) => {
  expect(rpcErrorText({ code: -32603, message, data })).toBe(sentence);
});
