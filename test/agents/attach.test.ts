/** Agents are started before the first prompt. */
import { describe, expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

/** What each tells of itself without a prompt. Claude Code and Codex have no list of modes, and Codex none of commands. */
const OFFERS: Readonly<Record<string, readonly string[]>> = {
  claude: ["models", "commands", "settings"],
  codex: ["models", "settings"],
  opencode: ["models", "modes", "commands"],
};

describe.each(AGENTS)("$agent.name", ({ agent, world: start, sessions }) => {
  it("tells what it offers before the first prompt, which finds it running", async () => {
    await using world = await start({ scripts: () => ({ hello: [text("Hello.")] }) });
    const session = await world.session(sessions.trusted);
    const { status, body } = await session.call("POST", "/attach");
    expect([status, body.attached, body.status]).toEqual([200, true, "idle"]);
    const told = ["models", "modes", "commands", "settings"].filter((name) => body[name]?.length > 0);
    expect(told).toEqual(OFFERS[agent.name]);
    expect((await session.run("Hello [[hello]]")).text).toBe("Hello.");
    expect(ofType(session.events, "session.attached")).toHaveLength(1);
    const order = session.events.map(({ type }) => type);
    expect(order.indexOf("session.attached")).toBeLessThan(order.indexOf("prompt.accepted"));
  });
});
