import { describe, expect, it } from "vitest";
import type { BackendCapabilities } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { AgentList } from "./agent-list.ts";

function listOf(capabilities: Partial<BackendCapabilities>): AgentList {
  return new AgentList(new Map([["scripted", new ScriptedAdapter(capabilities)]]), () => 0);
}

describe("a mode that is asked for before the agent runs", () => {
  it.each<[string, Partial<BackendCapabilities>, string]>([
    ["that is not there", { modes: ["build", "plan"] }, 'no mode "dance". It has: build, plan.'],
    [
      "of an agent without modes",
      { modes: [] },
      'no mode "dance". It has: none. Set permissionMode instead.',
    ],
    ["of an agent without any", { modes: [], permissionModes: [] }, 'no mode "dance". It has: none.'],
  ])("is refused: one %s", (_, capabilities, sentence) => {
    const check = () => listOf(capabilities).assertModes("scripted", { mode: "dance" });
    expect(check).toThrow(
      expect.objectContaining({ code: "unsupported", message: `scripted has ${sentence}` }),
    );
  });

  it("is taken where the agent may have it", () => {
    const list = listOf({ modes: ["build"], moreModes: true });
    expect(() => list.assertModes("scripted", { mode: "dance" })).not.toThrow();
    expect(() => listOf({}).assertModes("scripted", { mode: "plan" })).not.toThrow();
  });
});

describe("settings that are asked for", () => {
  it("are stored with what follows from them", async () => {
    const adapter = new ScriptedAdapter();
    adapter.settle = (wanted) => ({ ...wanted, permissionMode: "plan" });
    const list = new AgentList(new Map([["scripted", adapter]]), () => 0);
    expect(await list.settle("scripted", { mode: "plan" })).toEqual({ mode: "plan", permissionMode: "plan" });
    expect(await list.settle("nobody knows it any more", {})).toEqual({});
  });

  it("are refused before anything is stored", async () => {
    const adapter = new ScriptedAdapter();
    adapter.settle = () => {
      throw new InterlinguaError("unsupported", "It chooses its models by itself.");
    };
    const list = new AgentList(new Map([["scripted", adapter]]), () => 0);
    await expect(list.settle("scripted", { model: "m" })).rejects.toMatchObject({ code: "unsupported" });
  });
});
