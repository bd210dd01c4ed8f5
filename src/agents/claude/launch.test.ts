import { describe, expect, it } from "vitest";
import type { ConnectOptions } from "../../core/adapter.ts";
import { type LaunchOptions, launch } from "./launch.ts";

const connect: ConnectOptions = { sessionId: "s1", cwd: "/project" };
const program: LaunchOptions["program"] = { command: "/bin/claude", args: [], from: "path" };

function flags(given: Partial<LaunchOptions> = {}): string[] {
  const { args } = launch({ connect, options: {}, program, mayBypass: false, ...given });
  return args.slice(args.indexOf("--permission-prompt-tool=stdio") + 1);
}

describe("launch", () => {
  it("starts one process that speaks in lines both ways and asks us for permission", () => {
    const started = launch({ connect, options: {}, program, mayBypass: false });
    expect(started).toMatchObject({ command: "/bin/claude", cwd: "/project", sessionId: "s1" });
    expect(started.args).toEqual([
      ...["--print", "--verbose", "--input-format=stream-json", "--output-format=stream-json"],
      ...["--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool=stdio"],
    ]);
  });

  it("puts the configured arguments first", () => {
    const configured = { ...program, command: "npx", args: ["claude"] };
    expect(launch({ connect, options: {}, program: configured, mayBypass: false }).args[0]).toBe("claude");
  });

  it("gives model, mode and conversation again at each start", () => {
    const resumed = {
      ...connect,
      resume: true,
      agentSessionId: "c1",
      model: "haiku",
      permissionMode: "plan",
    };
    expect(flags({ connect: resumed })).toEqual(["--resume=c1", "--model=haiku", "--permission-mode=plan"]);
  });

  it("keeps bypass possible where Claude Code allows it", () => {
    const bypass = { ...connect, permissionMode: "bypass" };
    expect(flags({ connect: bypass })).toEqual(["--permission-mode=bypassPermissions"]);
    expect(flags({ mayBypass: true })).toEqual(["--allow-dangerously-skip-permissions"]);
  });

  it("gives each value its own flag, so that none is taken for another", () => {
    const options = {
      allowedTools: ["Bash(git log *)", "Write"],
      disallowedTools: ["WebFetch"],
      tools: ["Bash", "Write"],
      additionalDirectories: ["/other", "-odd"],
      appendSystemPrompt: "--be brief",
      maxTurns: 3,
      maxBudgetUsd: 0.5,
      effort: "low" as const,
      maxThinkingTokens: 0,
      fallbackModel: "sonnet",
      settingSources: ["user" as const, "project" as const],
      strictMcpConfig: true,
    };
    expect(flags({ options })).toEqual([
      ...["--allowedTools=Bash(git log *)", "--allowedTools=Write", "--disallowedTools=WebFetch"],
      ...["--tools=Bash,Write", "--add-dir=/other", "--add-dir=-odd", "--append-system-prompt=--be brief"],
      ...["--max-turns=3", "--max-budget-usd=0.5", "--effort=low", "--max-thinking-tokens=0"],
      ...["--fallback-model=sonnet", "--setting-sources=user,project", "--strict-mcp-config"],
    ]);
  });

  it("keeps what MCP servers are given out of the command line", () => {
    const mcpServers = { files: { command: "files", env: { TOKEN: "t0ps3cret" } } };
    expect(JSON.stringify(flags({ connect: { ...connect, mcpServers } }))).not.toContain("t0ps3cret");
  });

  it("refuses to resume without a conversation", () => {
    expect(() => flags({ connect: { ...connect, resume: true } })).toThrow(/without its id/);
  });
});
