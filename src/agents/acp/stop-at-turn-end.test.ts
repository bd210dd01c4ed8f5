/** A stop that is under way while its turn ends by itself, with a real agent process and the engine. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { principal } from "../../core/principal.ts";
import { createEngine } from "../../engine/create-engine.ts";
import { openStore } from "../../store/open-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { withMadeUpAgent } from "./made-up-agent.test-support.ts";

const agent = withMadeUpAgent();

/** Its first turn runs a command until the file is there. Its second one says something. */
const PROGRAM = `
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
const [, , file] = process.argv;
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => say({ method: "session/update", params: { sessionId: "A", update } });
const end = (id) => say({ id, result: { stopReason: "end_turn" } });
let prompts = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "A" } });
  else if (method !== "session/prompt") return;
  else if ((prompts += 1) === 1) {
    update({ sessionUpdate: "tool_call", toolCallId: "c", title: "run", kind: "execute", status: "in_progress" });
    const timer = setInterval(() => {
      if (!existsSync(file)) return;
      clearInterval(timer);
      update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" });
      end(id);
    }, 5);
  } else {
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "answer two" } });
    end(id);
  }
});
`;

it("a stop that crosses the end of its turn ends the next turn", async () => {
  const { directory, host } = agent();
  const [program, done] = [join(directory, "agent.mjs"), join(directory, "done")];
  writeFileSync(program, PROGRAM);
  const store = await openStore(":memory:");
  const events = async () =>
    (await store.readEvents("s", 0, 1000)).events.map(({ json }) => JSON.parse(json) as SessionEvent);
  const dispatched = async (message: string) =>
    (await events()).find(
      (event): event is EventOf<"prompt.dispatched"> =>
        event.type === "prompt.dispatched" && event.message === message,
    );
  const adapter = agent().adapter(
    { command: process.execPath, args: [program, done], from: "config" },
    {
      processHost: {
        ...host,
        // While the commands of the first turn are looked for it ends, and the second one begins.
        async runningCommands(session, startedWithinMs) {
          const found = await host.runningCommands(session, startedWithinMs);
          writeFileSync(done, "");
          await until(async () => (await dispatched("two")) !== undefined);
          return found;
        },
      },
    },
  );
  const engine = await createEngine({ store, agents: new Map([["made-up", adapter]]) });
  onTestFinished(() => engine.close());
  await engine.run("createSession", { id: "s", agent: "made-up", cwd: directory }, TESTER);
  for (const id of ["one", "two"])
    await engine.run(
      "prompt",
      { session: "s", id, parts: [{ type: "text", text: id }], whenBusy: "queue" },
      TESTER,
    );
  await until(async () => (await events()).some(({ type }) => type === "tool.start"));
  expect((await engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted).toBe(
    true,
  );
  await until(async () => (await events()).filter(({ type }) => type === "turn.ended").length >= 2);
  expect(existsSync(done)).toBe(true);
  const second = (await dispatched("two"))?.turn;
  const log = await events();
  expect(log.find((event) => event.type === "turn.ended" && event.turn === second)).toMatchObject({
    outcome: "completed",
  });
  expect(log.filter(({ type }) => type === "turn.started")).toHaveLength(2);
  expect(log.find(({ type }) => type === "text.delta")).toMatchObject({ turn: second });
});
