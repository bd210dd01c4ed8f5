import { expect, test } from "vitest";
import type { Agent } from "../api/types.ts";
import { groupAgents, readinessOf } from "./group-agents.ts";

function agent(name: string, status?: Partial<NonNullable<Agent["status"]>>): Agent {
  return { name, title: name, status: status && { installed: true, ...status } } as Agent;
}

const AGENTS = [
  agent("mock", { signedIn: true }),
  agent("codex", { signedIn: true }),
  agent("Amp", {}),
  agent("gemini", { signedIn: false, remedy: "Sign in." }),
  agent("goose", { installed: false }),
  agent("old", { remedy: "Too old." }),
  agent("late"),
];

const namesOf = (groups: ReturnType<typeof groupAgents>) =>
  groups.map(({ name, agents }) => [name, ...agents.map((one) => one.name)]);

test("agents stand by what they need, the mock behind the others", () => {
  expect(namesOf(groupAgents(AGENTS, []))).toEqual([
    ["Ready", "Amp", "codex", "mock"],
    ["Being looked for", "late"],
    ["Needs to be signed in", "gemini"],
    ["Not installed", "goose", "old"],
  ]);
});

test("those used last come first, three of them, and stand nowhere else", () => {
  expect(namesOf(groupAgents(AGENTS, ["gone", "mock", "goose", "codex", "Amp"]))).toEqual([
    ["Used last", "mock", "goose", "codex"],
    ["Ready", "Amp"],
    ["Being looked for", "late"],
    ["Needs to be signed in", "gemini"],
    ["Not installed", "old"],
  ]);
});

test("one whose program will not do is as good as missing", () => {
  expect(AGENTS.map(readinessOf)).toEqual([
    ...["ready", "ready", "ready", "signed-out", "missing", "missing", "unknown"],
  ]);
});
