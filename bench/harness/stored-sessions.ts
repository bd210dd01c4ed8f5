/** A data directory in which a long time has passed: many sessions, and in some of them a short turn. */
import { createEngine } from "../../src/engine/create-engine.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { ScriptedAdapter } from "../../src/testkit/scripted-adapter.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { agentOutputs } from "./sample-log.ts";

const AT_ONCE = 200;
/** One in so many has had a turn: it makes no difference to a start, and it takes long to make. */
const TURN_EVERY = 5;
const DELTAS = 20;

export async function storeSessions(directory: string, count: number): Promise<void> {
  const store = await openStore({ directory });
  const adapter = new ScriptedAdapter();
  const outputs = agentOutputs(DELTAS);
  adapter.onConnect = (session) => {
    session.onCommand = ({ type }) => {
      if (type !== "prompt") return;
      for (const output of outputs) session.output(output);
      session.say({ type: "turn.ended", outcome: "completed" });
    };
  };
  const limits = { maxLiveAgents: count };
  const engine = await createEngine({ store, agents: new Map([["mock", adapter]]), limits });
  for (let made = 0; made < count; made += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - made);
    await Promise.all(Array.from({ length }, (_, index) => liveThrough(engine, made + index)));
  }
  await engine.close();
  await store.close();
}

async function liveThrough(engine: Engine, number: number): Promise<void> {
  const id = `session-${number}`;
  await engine.run("createSession", { id, agent: "mock", cwd: "/" }, TESTER);
  if (number % TURN_EVERY !== 0) return;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const follower = engine.follow(id, (events) => {
    if (events.at(-1)?.json.includes('"type":"turn.ended"')) resolve();
  });
  await engine.run(
    "prompt",
    { session: id, parts: [{ type: "text", text: "Tell me something." }], whenBusy: "queue" },
    TESTER,
  );
  await ended;
  follower.stop();
}
