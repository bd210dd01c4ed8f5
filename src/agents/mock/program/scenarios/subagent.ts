import type { Scenario } from "../scenario.ts";

export const SUBAGENT: Scenario = {
  name: "subagent",
  summary: "a call whose own agent thinks, reads and writes",
  async play(turn) {
    const delegation = await turn.startCall("delegate", {
      title: "Ask the reviewer",
      kind: "agent",
      input: { agent: "reviewer", task: "Look for mistakes." },
    });
    const under = delegation.id;
    await turn.think("Where would I hide a mistake?", { under });
    const input = { path: "src/index.ts" };
    const reading = await turn.startCall("read_file", {
      title: "Read src/index.ts",
      kind: "read",
      input,
      under,
    });
    await turn.pause(40);
    await reading.output({ content: "export {};\n" });
    await turn.text("I found no mistake.", { under });
    await delegation.output({ report: "no mistakes" });
    await turn.startStep();
    await turn.text("The reviewer is content.");
  },
};
