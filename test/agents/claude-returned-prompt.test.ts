/** A prompt that Claude Code gets a second time: it would ignore it under an id it has seen before. */
import { expect, it } from "vitest";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType, textOf } from "./agent-session.ts";
import { claudeWorld } from "./claude-world.ts";

const WAIT = { command: "while true; do sleep 0.1; done", description: "Wait" };

it("a stop calls a steering prompt back, which then runs once and by itself", async () => {
  await using world = await claudeWorld({
    scripts: () => ({ wait: [[toolCall("Bash", WAIT)], [text("?")]], rather: [text("Rather this, then.")] }),
  });
  const session = await world.session({ options: { allowedTools: ["Bash"] } });
  const first = await session.prompt("Wait [[wait]]");
  await session.event("tool.input");
  const steering = await session.prompt("This [[rather]]", { whenBusy: "steer" });
  await session.call("POST", "/interrupt");
  expect((await session.turnOf(first.message)).ended.outcome).toBe("interrupted");
  const { turn } = await session.event(
    "prompt.dispatched",
    ({ message, steered }) => message === steering.message && !steered,
  );
  const ended = await session.event("turn.ended", (event) => event.turn === turn);
  expect(ended.outcome).toBe("completed");
  expect(textOf(session.events)).toBe("Rather this, then.");
  expect(ofType(session.events, "prompt.returned").map(({ message }) => message)).toEqual([steering.message]);
  expect(ofType(session.events, "turn.ended")).toHaveLength(2);
});
