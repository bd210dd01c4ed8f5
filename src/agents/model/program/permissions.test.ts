import { describe, expect, it } from "vitest";
import type { LoopTool } from "./loop-tool.ts";
import { fromModelTool } from "./loop-tool.ts";
import { Permissions, rulesFor } from "./permissions.ts";
import { TOOLS } from "./tools/index.ts";

const tool = (name: string): LoopTool => fromModelTool(TOOLS.find((known) => known.name === name)!);
const run = tool("run_command");
const covered = (command: string, env?: Record<string, string>) => rulesFor(run, { command, env })[0];

describe("what an always covers", () => {
  it.each([
    ["ls -la", "run_command: ls *"],
    ["git status --short", "run_command: git status *"],
    ["git -C elsewhere push", "run_command: git -C elsewhere push"],
    ["npm test", "run_command: npm test *"],
    ["ls; rm -rf .", "run_command: ls; rm -rf ."],
    ["echo $(rm a)", "run_command: echo $(rm a)"],
    ["echo a > b", "run_command: echo a > b"],
    ["echo a\nrm b", "run_command: echo a\nrm b"],
    ["bash script", "run_command: bash script"],
    ["/usr/bin/env rm a", "run_command: /usr/bin/env rm a"],
    ["PATH=. ls", "run_command: PATH=. ls"],
  ])("%s", (command, rule) => {
    expect(covered(command)).toBe(rule);
  });

  it("a command that sets variables is not covered by one that sets none", () => {
    const permissions = new Permissions([covered("ls")!]);
    expect(permissions.judge("default", run, { command: "ls -a" })).toBe("allowed");
    expect(permissions.judge("default", run, { command: "ls", env: { LD_PRELOAD: "./a.so" } })).toBe("ask");
  });
});

describe("in each mode", () => {
  const judged = (mode: "default" | "plan" | "acceptEdits" | "bypass") =>
    ["read_file", "write_to_file", "run_command", "web_fetch"].map((name) =>
      new Permissions([]).judge(mode, tool(name), { command: "ls", url: "http://a" }),
    );

  it.each([
    ["default", ["allowed", "ask", "ask", "ask"]],
    ["acceptEdits", ["allowed", "allowed", "ask", "ask"]],
    ["plan", ["allowed", "refused", "refused", "refused"]],
    ["bypass", ["allowed", "allowed", "allowed", "allowed"]],
  ] as const)("%s", (mode, verdicts) => {
    expect(judged(mode)).toEqual(verdicts);
  });
});
