import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../process/child-environment.ts";
import { ENVIRONMENT_KEYS, ownVariables } from "./environment.ts";

/** What Claude Code 2.1.325 was seen to set for the commands it runs. */
const INSIDE_A_SESSION = {
  AI_AGENT: "claude-code_2-1-325_agent",
  CLAUDECODE: "1",
  CLAUDE_CODE_CHILD_SESSION: "1",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_CODE_EXECPATH: "/opt/claude",
  CLAUDE_CODE_MESSAGING_SOCKET: "/run/1.sock",
  CLAUDE_CODE_MESSAGING_TOKEN: "0123456789abcdef",
  CLAUDE_CODE_SESSION_ATTENDED: "1",
  CLAUDE_CODE_SESSION_ID: "b123036a-19d7-4f88-90f0-2f9f8c9c7ced",
  CLAUDE_CODE_SSE_PORT: "1234",
  CLAUDE_EFFORT: "medium",
  CLAUDE_PID: "13134",
};

const SETTINGS = {
  ANTHROPIC_API_KEY: "sk",
  ANTHROPIC_BASE_URL: "http://localhost",
  CLAUDE_CODE_USE_BEDROCK: "1",
  CLAUDE_CODE_OAUTH_TOKEN: "token",
  CLAUDE_CONFIG_DIR: "/home/ada/.claude-work",
};

describe("the environment of Claude Code", () => {
  it("has a person's keys and settings, and nothing of a session around the daemon", () => {
    const parent = { ...INSIDE_A_SESSION, ...SETTINGS, IS_SANDBOX: "1", AWS_SECRET_ACCESS_KEY: "s" };
    const given = childEnvironment({ parent, keys: ENVIRONMENT_KEYS, pass: [], extra: {}, owner: "d/s#1" });
    expect(given).toEqual({ ...SETTINGS, IS_SANDBOX: "1", INTERLINGUA_OWNER: "d/s#1" });
    expect(ownVariables(parent)).toEqual(SETTINGS);
  });
});
