import { describe, expect, it } from "vitest";
import { conversationOf, temporaryHome, travel } from "../transport/memory.test-support.ts";
import { fromConfig } from "./custom-agent.ts";
import { memoryOf } from "./memory.ts";
import { PRESETS } from "./presets.ts";

const ID = "6e66f3e0-213b-4489-871f-479cfd6f7422";

/** As each of them names its files. */
const FILES: Record<string, readonly string[]> = {
  gemini: [".gemini/tmp/project/chats/session-2026-11-18T05-52-6e66f3e0.jsonl"],
  qwen: [`.qwen/projects/-work-project/chats/${ID}.jsonl`],
  "claude-agent-acp": [`.claude/projects/-work-project/${ID}.jsonl`],
  "codex-acp": [`.codex/sessions/2026/11/18/rollout-2026-11-18T05-52-17-${ID}.jsonl`],
};

/** What must never travel. */
const OTHERS = [
  ".gemini/oauth_creds.json",
  ".qwen/oauth_creds.json",
  ".claude/.credentials.json",
  ".codex/auth.json",
];

const agents = PRESETS.filter(({ memory }) => memory);

it("every preset that names files is tried", () => {
  expect(agents.map(({ name }) => name).sort()).toEqual(Object.keys(FILES).sort());
});

describe.each(agents)("$name", (agent) => {
  it("takes its files to another home, and no others", async () => {
    const [from, to] = [temporaryHome(), temporaryHome()];
    const own = FILES[agent.name]!;
    for (const file of [...own, ...OTHERS]) from.write(file, `{"of":"${file}"}\n`);
    const [there, here] = [from, to].map(
      ({ path }) => memoryOf(agent, { environment: () => ({ HOME: path }) })!,
    );
    await travel(there!, here!, conversationOf(ID));
    expect(Object.keys(to.files())).toEqual([...own].sort());
  });
});

it("an agent whose files nobody knows, or that runs elsewhere, has none", () => {
  const means = { environment: () => ({ HOME: "/home/me" }) };
  expect(memoryOf(fromConfig({ name: "mine" }), means)).toBeUndefined();
  const remote = { ...agents[0]!, remote: { url: "ws://127.0.0.1:1" } };
  expect(memoryOf(remote as (typeof agents)[number], means)).toBeUndefined();
});
