import { expect, test } from "vitest";
import type { Agent } from "../api/types.ts";
import { groupAgents, needsProgram, readinessOf } from "./group-agents.ts";

function agent(name: string, status?: Partial<NonNullable<Agent["status"]>>): Agent {
  return { name, title: name, status: status && { installed: true, ...status } } as Agent;
}

const AGENTS = [
  agent("mock", { signedIn: true }),
  agent("codex", { signedIn: true }),
  agent("zebra", {}),
  agent("gemini", { signedIn: false, remedy: "Sign in." }),
  agent("goose", { installed: false }),
  agent("old", { remedy: "Too old." }),
  agent("late"),
  agent("codex-acp", { signedIn: true }),
];

const namesOf = (groups: ReturnType<typeof groupAgents>) =>
  groups.map(({ name, agents }) => [name, ...agents.map((one) => one.name)]);

test("agents stand by what they need, well-known ones first, the mock behind the others", () => {
  expect(namesOf(groupAgents(AGENTS, []))).toEqual([
    ["Ready", "codex", "zebra", "mock"],
    ["Being looked for", "late"],
    ["To be set up", "gemini", "goose", "old"],
    ["By another way", "codex-acp"],
  ]);
});

test("those used last come first, three of them, and stand nowhere else", () => {
  expect(namesOf(groupAgents(AGENTS, ["gone", "mock", "goose", "codex", "zebra"]))).toEqual([
    ["Used last", "mock", "goose", "codex"],
    ["Ready", "zebra"],
    ["Being looked for", "late"],
    ["To be set up", "gemini", "old"],
    ["By another way", "codex-acp"],
  ]);
});

test("one whose program will not do is as good as missing", () => {
  expect(AGENTS.map(readinessOf)).toEqual([
    ...["ready", "ready", "ready", "signed-out", "missing", "missing", "unknown", "ready"],
  ]);
});

test.each([
  [{ installed: false, remedy: "Run `interlingua agents install claude`." }, true],
  [{ installed: true, version: "2.0.1", remedy: "Claude Code 2.0.1 is too old." }, true],
  [{ installed: true, version: "2.1.325", signedIn: false, remedy: "Nobody is signed in." }, false],
  [{ installed: true, version: "2.1.325", signedIn: true }, false],
  [{ installed: true }, false],
])("%j", (status, expected) => {
  expect(needsProgram(status)).toBe(expected);
});
