/** An agent whose settings depend on its model, and which may drop them. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../engine/create-engine.ts";
import { openStore } from "../../store/open-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { withMadeUpAgent } from "./made-up-agent.test-support.ts";

const agent = withMadeUpAgent();

/** Only its large model has the effort `high`. In a turn it drops the setting, its last one. */
const PROGRAM = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const EFFORTS = { small: ["low"], large: ["low", "high"] };
let model = "small";
let effort = "low";
let hasEffort = true;
const select = (id, category, currentValue, values) => ({
  type: "select", id, name: id, category, currentValue, options: values.map((value) => ({ value, name: value })),
});
const configOptions = () => [
  select("model", "model", model, Object.keys(EFFORTS)),
  ...(hasEffort ? [select("effort", "thought_level", effort, EFFORTS[model])] : []),
];
const set = (id, { configId, value }) => {
  if (configId === "model") model = value;
  else if (EFFORTS[model].includes(value)) effort = value;
  else return say({ id, error: { code: -32602, message: "no such effort: " + value } });
  say({ id, result: { configOptions: configOptions() } });
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === "session/new") say({ id, result: { sessionId: "A", configOptions: configOptions() } });
  if (method === "session/set_config_option") set(id, params);
  if (method !== "session/prompt") return;
  hasEffort = !params.prompt[0].text.includes("drop");
  const update = { sessionUpdate: "config_option_update", configOptions: configOptions() };
  say({ method: "session/update", params: { sessionId: "A", update } });
  say({ id, result: { stopReason: "end_turn" } });
});
`;

/** It has run once. */
async function started(prompt: string) {
  const { directory } = agent();
  const program = join(directory, "changing.mjs");
  writeFileSync(program, PROGRAM);
  const adapter = agent().adapter({ command: process.execPath, args: [program], from: "config" });
  const store = await openStore(":memory:");
  const engine = await createEngine({ store, agents: new Map([["made-up", adapter]]) });
  onTestFinished(() => engine.close());
  await engine.run("createSession", { id: "s", agent: "made-up", cwd: directory }, TESTER);
  await engine.run(
    "prompt",
    { session: "s", parts: [{ type: "text", text: prompt }], whenBusy: "queue" },
    TESTER,
  );
  const hasEnded = async () =>
    (await store.readEvents("s", 0, 1000)).events.some(({ json }) => json.includes('"turn.ended"'));
  await until(hasEnded);
  return engine;
}

it("a model is set together with an effort that the former model does not have", async () => {
  const engine = await started("Go");
  const change = { model: "large", settings: { effort: "high" } };
  expect(await engine.run("updateSession", { session: "s", ...change }, TESTER)).toMatchObject({
    model: "large",
    settings: [{ id: "effort", value: "high" }],
  });
});

it("an effort that the new model does not have is refused by the agent", async () => {
  const engine = await started("Go");
  const change = engine.run(
    "updateSession",
    { session: "s", model: "large", settings: { effort: "huge" } },
    TESTER,
  );
  await expect(change).rejects.toMatchObject({ message: expect.stringContaining("no such effort: huge") });
  expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({
    settings: [{ id: "effort", value: "low" }],
  });
});

it("the last setting that an agent drops is not shown any more", async () => {
  const engine = await started("drop it");
  expect((await engine.run("getSession", { session: "s" }, TESTER)).settings).toEqual([]);
});
