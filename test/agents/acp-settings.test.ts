/** Settings of real ACP agents that are neither model nor mode: their config options. */
import { expect, it } from "vitest";
import type { Setting } from "../../src/core/setting.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import type { ModelRequest } from "../../src/testkit/scripted-model/model-api.ts";
import { ACP_AGENTS } from "./acp-agents.ts";
import { AgentWorld } from "./agent-world.ts";

/** The agent, its setting, and where the model gets it. */
const EFFORTS = [
  ["codex-acp", "reasoning_effort", "reasoning"],
  ["claude-agent-acp", "effort", "output_config"],
] as const;

const hellos = () =>
  Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`hello${index + 1}`, [text("Hello.")]]));

function isOfTurn({ body }: ModelRequest): boolean {
  return Array.isArray(body.tools) && body.tools.length > 0;
}

it.each(EFFORTS)(
  "%s makes as much effort as one prompt asks for, and then as before",
  async (name, id, field) => {
    const agent = ACP_AGENTS.find((known) => known.name === name)!;
    await using world = await AgentWorld.start(agent, { scripts: hellos });
    const session = await world.session({ ...agent.session, settings: { [id]: "high" } });
    let prompts = 0;
    const run = async (settings?: object) => {
      prompts += 1;
      // Agents also ask for a title, or for what may be said next, each with an effort of its own.
      const script = `hello${prompts}`;
      const { message } = await session.prompt(`Hello [[${script}]]`, { settings });
      expect((await session.turnOf(message)).ended.outcome).toBe("completed");
      const asked = world.model.requests.find((request) => request.script === script && isOfTurn(request))!;
      return (asked.body[field] as { effort?: string }).effort;
    };
    expect(await run()).toBe("high");
    expect(await run({ [id]: "low" })).toBe("low");
    expect(await run()).toBe("high");
    const { settings } = (await session.view()) as { settings: Setting[] };
    expect(settings.find((setting) => setting.id === id)).toMatchObject({ value: "high" });
    const changed = await session.call("PATCH", "", { settings: { [id]: "medium" } });
    expect(changed.status).toBe(200);
    expect(await run()).toBe("medium");
    for (const wrong of [{ [id]: "enormous" }, { volume: "11" }]) {
      const refused = await session.call("PATCH", "", { settings: wrong });
      expect(refused).toMatchObject({ status: 422, body: { code: "option_not_offered" } });
    }
  },
);
