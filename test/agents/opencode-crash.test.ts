/** The connection to OpenCode's server is lost in the middle of the work. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { hang, inPieces, slow, text } from "../../src/testkit/scripted-model/index.ts";
import { ofType, textOf } from "./agent-session.ts";
import { openCodeSession, openCodeWorld } from "./opencode-world.ts";

const LONG = inPieces(
  "This is a long answer that takes its time, and every word of it counts. ".repeat(2),
  6,
);

const scripts = () => ({
  hello: [text("Hello, I am here.")],
  endless: [text("I begin "), hang()],
  long: [slow(120), text(...LONG)],
  recall: [text("I remember.")],
});

it("is heard to the end although the connection was lost for a while: nothing is missing, nothing doubled", async () => {
  const [program] = globSync("agents/opencode/program/*/node_modules/opencode-linux-*/bin/opencode", {
    cwd: inject("installedAgents"),
  });
  const flaky = [join(import.meta.dirname, "flaky-opencode.ts"), join(inject("installedAgents"), program!)];
  await using world = await openCodeWorld({
    scripts,
    agents: { opencode: { command: [process.execPath, ...flaky] } },
  });
  const session = await openCodeSession(world);
  await session.run("Hello [[hello]]");

  // In the middle of a text: its end brings all of it.
  const long = await session.prompt("Speak [[long]]");
  await session.event("text.delta", ({ delta }) => delta.includes("This"));
  process.kill(await session.pid(), "SIGUSR2");
  const turn = await session.turnOf(long.message);
  expect(turn.ended.outcome).toBe("completed");
  const discarded = ofType(turn.events, "content.discarded").flatMap(({ parts }) => parts);
  const kept = turn.events.filter((event) => !("part" in event && discarded.includes(event.part)));
  expect(textOf(kept)).toBe(LONG.join(""));

  // Across the end of a turn: the server is asked how it ended.
  const talk = await session.prompt("Talk [[endless]]");
  await session.event("text.delta", ({ delta }) => delta === "I begin ");
  process.kill(await session.pid(), "SIGUSR2");
  world.model.release();
  const silent = await session.turnOf(talk.message);
  expect(silent).toMatchObject({ ended: { outcome: "completed" }, text: "I begin " });
  expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
});
