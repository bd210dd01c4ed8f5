/** Codex in the shared suites. */
import { join } from "node:path";
import { expect } from "vitest";
import { protocol } from "../../src/agents/codex/protocol.ts";
import { freeformToolCall, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import type { AgentTable, ToolUse } from "./agent-table.ts";
import { CODEX_AGENT, codexWorld } from "./codex-world.ts";
import { callResults, heardInResponses } from "./model-requests.ts";

const QUESTION = {
  id: "colour",
  header: "Colour",
  question: "Which colour?",
  options: [
    { label: "Red (Recommended)", description: "Like a rose" },
    { label: "Blue", description: "Like the sky" },
  ],
};

/** It waits until the command has ended. */
const run = (cmd: string) => toolCall("exec_command", { cmd, yield_time_ms: 60_000 });

const command = (cmd: string, output: string): ToolUse => ({
  call: run(cmd),
  part: {
    type: "tool-commandExecution",
    title: cmd,
    input: expect.objectContaining({ command: expect.stringContaining(cmd.slice(0, 6)) }),
    output,
  },
});

const patch = (file: string, path: string, lines: string[]): ToolUse => ({
  call: freeformToolCall("apply_patch", ["*** Begin Patch", file, ...lines, "*** End Patch"].join("\n")),
  part: {
    type: "tool-fileChange",
    input: { changes: [{ path, diff: expect.stringContaining(lines.at(-1)!.slice(1)) }] },
    output: "",
  },
});

export const CODEX: AgentTable = {
  agent: CODEX_AGENT,
  world: codexWorld,
  isShared: true,
  commandsAreTasks: true,
  sessions: {
    asking: { permissionMode: "default" },
    trusted: { permissionMode: "bypass" },
    thinking: { options: { config: { model_reasoning_summary: "detailed" } } },
    questioning: { mode: "plan" },
  },
  models: [
    { name: "gpt-5.5", isHeardAs: "gpt-5.5" },
    { name: "gpt-5.4", isHeardAs: "gpt-5.4" },
  ],
  trustedMode: "bypass",
  tools: {
    write: (project) => patch("*** Add File: a.txt", join(project, "a.txt"), ["+A"]),
    run,
    question: toolCall("request_user_input", { questions: [QUESTION] }),
    echo: {
      call: toolCall("mcp__echo.echo", { text: "hello" }),
      part: { type: "tool-echo", input: { text: "hello" }, output: expect.stringContaining(": hello") },
    },
    loop: (project) => [
      command("printf 'one\\ntwo\\n' > notes.txt", ""),
      command("cat notes.txt", "one\ntwo\n"),
      patch("*** Update File: notes.txt", join(project, "notes.txt"), ["@@", " one", "-two", "+three"]),
      command("cp notes.txt copy.txt && wc -l < copy.txt", "2\n"),
    ],
    parallel: () => [
      command("until [ -e b ]; do sleep 0.05; done; cat one.txt", "first"),
      {
        call: run("cat missing.txt"),
        part: {
          type: "tool-commandExecution",
          state: "output-error",
          title: "cat missing.txt",
          errorText: "exit code 1",
        },
      },
      command("touch b; cat two.txt", "second"),
    ],
  },
  heard: ({ requests }) => heardInResponses(requests.at(-1)!),
  pictureIsHeardAs: "data:image/png;base64,",
  // It has none: the model gets what was typed.
  command: { prompt: "/greet Ada [[command]]", isHeardAs: "/greet Ada [[command]]" },
  subagent: {
    session: { model: "unknown-model", permissionMode: "bypass" },
    scripts: (_, last) => ({
      delegate: ({ request, step }) => {
        if (step === 0) return [toolCall("multi_agent_v1.spawn_agent", { message: "Look around [[look]]" })];
        if (step > 1) return last;
        const [, agent] = /agent_id[^0-9a-f]+([0-9a-f-]{36})/.exec(callResults(request).join()) ?? [];
        return [toolCall("multi_agent_v1.wait_agent", { targets: [agent] })];
      },
      look: [[run("cat one.txt")], [text("The fact is 42.")]],
    }),
    call: { type: "tool-spawnAgent", input: { prompt: "Look around [[look]]" } },
    parts: [
      { type: "tool-commandExecution", state: "output-available", output: "first" },
      { type: "text", text: "The fact is 42." },
    ],
    reportsLater: false,
  },
  errors: {
    lasting: [
      { status: 400, said: "no such effort", code: "other", told: /no such effort/ },
      { status: 401, said: "wrong key", code: "authentication_failed", told: /401.*refused.*codex login/ },
      { status: 429, said: "slow down", code: "rate_limited", told: /429.*later/ },
      { status: 500, said: "broken", code: "internalServerError", told: /\w/ },
    ],
    tellsRetries: true,
  },
  contract: {
    createAdapter: ({ directory, environment, ...parts }) =>
      protocol.createAdapter({ ...parts, directory: () => directory, environment: () => environment }),
    connectOptions: {
      permissionMode: "default",
      adapterOptions: { config: { "features.default_mode_request_user_input": true } },
    },
    adapterOptions: { effort: "low", config: { "tools.update_plan.enabled": true } },
    background: () => [
      [toolCall("exec_command", { cmd: "sleep 300", yield_time_ms: 300 })],
      [text("It runs.")],
    ],
    work: () => [[text("I work. "), run("sleep 1.1")], [text("Worked.")]],
    isAllowed: (result) => result.includes("Success"),
    isDenied: (result) => result.includes("rejected"),
    slashCommand: { prompt: "/status [[answer]]", holds: (_, input) => !input.includes("/status") },
  },
};
