/** A change of settings that meets an agent which has died, while its exit is not known yet. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import { createEngine } from "../../engine/create-engine.ts";
import { openStore } from "../../store/open-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { withMadeUpAgent } from "./made-up-agent.test-support.ts";

const agent = withMadeUpAgent();

/** After its turn it takes no more input, as if dead. Its output stays open, as if by something it has started. */
const PROGRAM = `
import { closeSync } from "node:fs";
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const availableModes = [{ id: "ask", name: "Ask" }, { id: "code", name: "Code" }];
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === "session/new") say({ id, result: { sessionId: "A", modes: { currentModeId: "ask", availableModes } } });
  if (method !== "session/prompt") return;
  setInterval(() => {}, 1000);
  process.stdin.destroy();
  closeSync(0);
  say({ id, result: { stopReason: "end_turn" } });
});
`;

it("a change of settings that meets a dying agent is kept", async () => {
  const { directory } = agent();
  const program = join(directory, "dying.mjs");
  writeFileSync(program, PROGRAM);
  const adapter = agent().adapter({ command: process.execPath, args: [program], from: "config" });
  const store = await openStore(":memory:");
  const engine = await createEngine({ store, agents: new Map([["made-up", adapter]]) });
  onTestFinished(() => engine.close());
  const events = async () =>
    (await store.readEvents("s", 0, 1000)).events.map(({ json }) => JSON.parse(json) as SessionEvent);
  await engine.run("createSession", { id: "s", agent: "made-up", cwd: directory }, TESTER);
  await engine.run(
    "prompt",
    { session: "s", parts: [{ type: "text", text: "Go" }], whenBusy: "queue" },
    TESTER,
  );
  await until(async () => (await events()).some(({ type }) => type === "turn.ended"));
  expect(await engine.run("updateSession", { session: "s", mode: "code" }, TESTER)).toMatchObject({
    mode: "code",
  });
  expect((await events()).some(({ type }) => type === "session.detached")).toBe(false);
});
