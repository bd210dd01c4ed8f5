/** A conversation that was begun on one node goes on at another, under another home: the agent remembers it itself. */
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../src/core/event.ts";
import { hang, text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import type { AgentTable } from "./agent-table.ts";
import { AGENTS } from "./agents.ts";
import { MemoryWorld } from "./memory-world.ts";

const SCRIPTS = {
  first: [[text("I keep it in mind.")]],
  second: [[text("That too.")]],
  third: [[text("And that.")]],
  recall: [[text("Kestrel.")]],
  endless: [[text("I begin. "), hang()]],
};

/** What the model was asked: as a conversation, and not as an account of one. */
function expectRemembered({ heard }: AgentTable, world: MemoryWorld, words: readonly string[]): void {
  const { input } = heard(world.model);
  for (const said of words) expect(input).toContain(said);
  expect(input).not.toContain("Account of");
}

function notices(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "notice" ? `${event.code}: ${event.text}` : []));
}

/** Nodes, a database and agents that start again and again, on a machine that may be busy. */
const TIMEOUT_MS = 300_000;

describe.each(AGENTS.map((table) => [table.agent.name, table] as const))("%s", (_, table) => {
  it(
    "goes on at another node after its own was killed, and back on a third turn",
    async () => {
      await using world = await MemoryWorld.start(table.agent, SCRIPTS);
      const placeOfA = world.place();
      const a = await world.node(placeOfA);
      const b = await world.node();
      await world.create(a, table.sessions.trusted);
      await world.run(a, "The word is kestrel [[first]]");
      await world.run(a, "Another one is heron [[second]]");
      a.kill("SIGKILL");
      const events = await world.run(b, "Which words? [[recall]]");
      expectRemembered(table, world, ["kestrel", "I keep it in mind.", "heron", "That too."]);
      expect(notices(events)).toEqual([]);
      expect(events.find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "completed" });

      // And back where the conversation lies as it was before.
      b.kill("SIGKILL");
      const again = await world.node(placeOfA);
      expect(notices(await world.run(again, "And now? [[third]]"))).toEqual([]);
      expectRemembered(table, world, ["kestrel", "heron", "Which words?", "Kestrel."]);
    },
    TIMEOUT_MS,
  );

  // It keeps no conversation itself.
  it.skipIf(table.agent.isBuiltIn)(
    "goes on from what was kept, also where it was cut off",
    async () => {
      await using world = await MemoryWorld.start(table.agent, SCRIPTS);
      const placeOfA = world.place();
      const a = await world.node(placeOfA);
      const b = await world.node();
      await world.create(a, table.sessions.trusted);
      await world.run(a, "The word is kestrel [[first]]");
      await world.begin(a, "Go on and on [[endless]]");
      await until(() => world.model.requests.some(({ script }) => script === "endless"), 60_000);
      a.kill("SIGKILL");
      const events = await world.run(b, "Which words? [[recall]]");
      expectRemembered(table, world, ["kestrel"]);
      expect(notices(events)).toEqual([expect.stringMatching(/^memory: /)]);

      // Here the conversation has gone another way.
      b.kill("SIGKILL");
      const again = await world.node(placeOfA);
      expect(notices(await world.run(again, "And now? [[third]]"))).toEqual([]);
      expectRemembered(table, world, ["kestrel", "Which words?", "Kestrel."]);
    },
    TIMEOUT_MS,
  );
});
