/** ACP agents whose presets say where they keep a conversation: it goes on at another node, under another home. */
import { describe, expect, it } from "vitest";
import { PRESETS } from "../../src/agents/acp/presets.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { ACP_AGENTS } from "./acp-agents.ts";
import { MemoryWorld } from "./memory-world.ts";

const AGENTS = ACP_AGENTS.filter(({ name }) => PRESETS.find((preset) => preset.name === name)?.memory);

const SCRIPTS = { first: [[text("I keep it in mind.")]], recall: [[text("Kestrel.")]] };

it("is tried with each of them", () => {
  expect(AGENTS.map(({ name }) => name).sort()).toEqual(
    PRESETS.filter(({ memory }) => memory)
      .map(({ name }) => name)
      .sort(),
  );
});

/** Nodes, a database and agents that start again and again, on a machine that may be busy. */
const TIMEOUT_MS = 300_000;

describe.each(AGENTS)("$name", (agent) => {
  it(
    "goes on at another node after its own was killed",
    async () => {
      await using world = await MemoryWorld.start(agent, SCRIPTS);
      const [a, b] = [await world.node(), await world.node()];
      await world.create(a, agent.session ?? {});
      const begun = await world.run(a, "The word is kestrel [[first]]");
      const minute = minuteOf(begun.at(-1)!.at);
      if (agent.resumesNextMinute) await until(() => minuteOf(Date.now()) > minute, 61_000);
      a.kill("SIGKILL");
      const events = await world.run(b, "Which word? [[recall]]");
      const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
      expect(notices).toEqual([]);
      const asked = world.model.requests.map(({ body }) => JSON.stringify(body));
      const last = asked.findLast((body) => body.includes("[[recall]]"));
      expect(last).toContain("kestrel");
      expect(last).not.toContain("Account of");
    },
    TIMEOUT_MS,
  );
});

function minuteOf(time: number): number {
  return Math.floor(time / 60_000);
}
