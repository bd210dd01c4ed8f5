import { describe, expect, it } from "vitest";
import { saysLost } from "./resume.ts";

const ID = "00000000-0000-4000-8000-000000000000";

describe("a session that an agent does not have", () => {
  /** What each of them answered to `session/load` with an id that never was. */
  it.each([
    ["claude-agent-acp", { code: -32002, message: "Resource not found", data: { sessionId: ID } }],
    [
      "codex-acp",
      {
        code: -32603,
        message: "Internal error",
        data: { details: `no rollout found for thread id ${ID}` },
      },
    ],
    [
      "opencode-acp",
      { code: -32603, message: "Internal error: OpenCode service failure", data: { service: "session" } },
    ],
    ["copilot", { code: -32002, message: `Resource not found: Session ${ID} not found` }],
    ["qwen", { code: -32002, message: `Resource not found: session:${ID}` }],
    [
      "grok",
      {
        code: -32603,
        message: "Path not found.",
        data: { detail: "No such file or directory (os error 2)", code: "FS_NOT_FOUND" },
      },
    ],
    ["pi", { code: -32602, message: "Invalid params", data: `Unknown sessionId: ${ID}` }],
    [
      "gemini, in a new project",
      {
        code: -32603,
        message: "Internal error",
        data: { details: "No previous sessions found for this project." },
      },
    ],
    [
      "gemini",
      {
        code: -32603,
        message: "Internal error",
        data: { details: `Invalid session identifier "${ID}".` },
      },
    ],
    [
      "droid",
      { code: -32602, message: "Invalid params: Unknown session identifier", data: { sessionId: ID } },
    ],
  ])("is lost: %s", (_, error) => {
    expect(saysLost(error)).toBe(true);
  });

  it.each([
    [{ code: -32603, message: "Internal error" }],
    [{ code: -32603, message: "Internal error", data: { details: "connect ECONNREFUSED" } }],
    [{ code: -32603, message: "thread 1 already has an active writer" }],
    [{ code: -32602, message: "Model scripted-1 not found" }],
  ])("may be there: %j", (error) => {
    expect(saysLost(error)).toBe(false);
  });
});
