import { expect, test } from "vitest";
import { changeAsks, optionAsks, sessionAsks } from "../core/asks-permission.ts";
import { findCommand, type OfferedCommands } from "../core/prompt-commands.ts";
import type { ProcessHost } from "../process/process-host.ts";
import { agentContext } from "./agent-context.test-support.ts";
import { ASKING_RULES, declaredRules } from "./asking-rules.ts";
import { createAgents } from "./registry.ts";

const capabilities = { permissions: true, slashCommands: true };

test("every agent that comes with Interlingua has its rules", () => {
  for (const [name, adapter] of createAgents(agentContext({} as ProcessHost, ":memory:")))
    expect(adapter.asking, name).toBe(ASKING_RULES[name]);
});

test.each([
  [["claude", "--dangerously-skip-permissions"], "unknown"],
  [["sh", "-c", "claude --dangerously-skip-permissions"], "unknown"],
  [["node", "/opt/claude/cli.js"], "yes"],
  ["/opt/claude-wrapper", "yes"],
] as const)("Claude Code with the configured command %j asks: %s", (command, expected) => {
  const context = agentContext({} as ProcessHost, ":memory:");
  const agents = createAgents({ ...context, programSettings: { claude: { command } } });
  const agent = { capabilities, asking: agents.get("claude")!.asking };
  expect(sessionAsks(agent, {}).asks).toBe(expected);
  expect(sessionAsks(agent, { permissionMode: "default" }).asks).toBe(expected);
  expect(sessionAsks(agent, { permissionMode: "bypass" }).asks).toBe("no");
});

test("what the config declares of an agent of its own is what it asks about", () => {
  const asks = {
    byDefault: true,
    modes: ["ask"],
    settings: { approval: ["always", true] },
    commands: ["help"],
  };
  const context = agentContext({} as ProcessHost, ":memory:");
  const agents = createAgents({ ...context, custom: [{ name: "mine", protocol: "acp", asks }] });
  const agent = { capabilities, asking: agents.get("mine")!.asking };
  expect(sessionAsks(agent, {}).asks).toBe("yes");
  expect(sessionAsks(agent, { mode: "ask" }).asks).toBe("yes");
  expect(sessionAsks(agent, { mode: "fast" }).asks).toBe("unknown");
  const rated = (value: string | boolean) => changeAsks(agent, {}, { settings: { approval: value } }).asks;
  expect([rated("always"), rated(true), rated("sometimes"), rated("never")]).toEqual([
    "yes",
    "yes",
    "unknown",
    "no",
  ]);
  expect(agent.asking?.commands).toEqual({ help: "session.prompt" });
  expect(declaredRules({}).unset).toBe("unknown");
  expect(declaredRules({ byDefault: false }).unset).toBe("no");
});

test.each([
  [{ allowedTools: ["Bash"] }, "options.allowedTools"],
  [{ allowedTools: ["Read", "Bash(*)"] }, "options.allowedTools"],
  [{ allowedTools: ["Bash(:*)"] }, "options.allowedTools"],
  [{ allowedTools: ["Read,Bash"] }, "options.allowedTools"],
  [{ allowedTools: ["Bash(git log *)", "mcp__server__tool", "Read"] }, undefined],
  [{ maxTurns: 3 }, undefined],
])("Claude Code with the launch options %j", (options, path) => {
  expect(ASKING_RULES.claude!.unaskedOption!(options)).toBe(path);
});

test.each([
  [{ approvalPolicy: "never" }, "options.approvalPolicy"],
  [{ sandbox: "danger-full-access" }, "options.sandbox"],
  [{ config: { approval_policy: "never" } }, "options.config"],
  [
    { config: { "tools.update_plan.enabled": true }, sandbox: "read-only", approvalPolicy: "untrusted" },
    undefined,
  ],
])("Codex with the launch options %j", (options, path) => {
  expect(ASKING_RULES.codex!.unaskedOption!(options)).toBe(path);
});

test("OpenCode is not known to ask in any permission mode: its sub-agents do not", () => {
  const agent = { capabilities, asking: ASKING_RULES.opencode };
  for (const permissionMode of ["default", "acceptEdits", "plan"])
    expect(sessionAsks(agent, { mode: "build", permissionMode }).asks, permissionMode).toBe("unknown");
});

test("a suggestion of Claude Code that switches to a mode counts as that mode", () => {
  const agent = { capabilities, asking: ASKING_RULES.claude };
  const rated = (mode: string) => {
    const option = {
      id: "suggestion-0",
      label: `Switch to ${mode}`,
      effect: "always" as const,
      covers: [mode],
    };
    return optionAsks(agent, {}, option).asks;
  };
  expect(["acceptEdits", "bypassPermissions", "auto", "aNewMode"].map(rated)).toEqual([
    "yes",
    "no",
    "no",
    "unknown",
  ]);
});

const rightOf = (known: OfferedCommands, text: string) => findCommand([{ type: "text", text }], known)?.right;

const CODES = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
const SEPARATORS = [
  ...CODES.filter((character) => /\s|\p{Cc}/u.test(character)),
  ...["\u200b", "\u2060", "\u00ad", " ".repeat(1000), "\n".repeat(1000), "\u200b".repeat(1000)],
];

test.each(
  Object.entries(ASKING_RULES).flatMap(([agent, asking]) => {
    const names = Object.entries(asking.commands ?? {}).filter(([, right]) => right === "session.bypass");
    return names.length > 0 ? [[agent, asking, names.map(([name]) => name)] as const] : [];
  }),
)("%s: no blank or invisible character hides a command that turns asking off", (_agent, asking, names) => {
  for (const offered of [undefined, []])
    for (const name of names)
      for (const separator of SEPARATORS)
        for (const text of [`${separator}/${name}`, `/${separator}${name} x`, `/${name}${separator}please`])
          expect(rightOf({ offered, asking, hasCommands: true }, text), JSON.stringify(text)).toBe(
            "session.bypass",
          );
});
