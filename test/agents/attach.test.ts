/** Agents are started before the first prompt. */
import { describe, expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

/**
 * What is known of each without a prompt. Claude Code and Codex tell no modes: theirs are those of their manifests. Codex
 * has no list of commands.
 */
const OFFERS: Readonly<Record<string, readonly string[]>> = {
  claude: ["model", "models", "modes", "commands", "settings"],
  codex: ["model", "models", "modes", "settings"],
  model: ["model", "models", "modes", "commands", "settings"],
  opencode: ["model", "models", "modes", "commands"],
};

describe.each(AGENTS)("$agent.name", ({ agent, world: start, sessions }) => {
  it("tells what it offers before the first prompt, which finds it running", async () => {
    await using world = await start({ scripts: () => ({ hello: [text("Hello.")] }) });
    const session = await world.session(sessions.trusted);
    const { status, body } = await session.call("POST", "/attach");
    expect([status, body.attached, body.status]).toEqual([200, true, "idle"]);
    const told = ["model", "models", "modes", "commands", "settings"].filter(
      (name) => body[name]?.length > 0,
    );
    expect(told).toEqual(OFFERS[agent.name]);
    expect((await session.run("Hello [[hello]]")).text).toBe("Hello.");
    expect(ofType(session.events, "session.attached")).toHaveLength(1);
    const order = session.events.map(({ type }) => type);
    expect(order.indexOf("session.attached")).toBeLessThan(order.indexOf("prompt.accepted"));
  });
});
