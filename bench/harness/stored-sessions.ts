/** A data directory in which a long time has passed: many sessions, each with a short turn. */
import { createEngine } from "../../src/engine/create-engine.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { ScriptedAdapter } from "../../src/testkit/scripted-adapter.ts";
import { agentOutputs } from "./sample-log.ts";

const AT_ONCE = 200;
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
  const engine = await createEngine({ store, agents: new Map([["mock", adapter]]) });
  for (let made = 0; made < count; made += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - made);
    await Promise.all(Array.from({ length }, (_, index) => liveThrough(engine, `session-${made + index}`)));
  }
  await engine.close();
  await store.close();
}

async function liveThrough(engine: Engine, id: string): Promise<void> {
  await engine.createSession({ id, agent: "mock", cwd: "/" });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const follower = engine.follow(id, (events) => {
    if (events.at(-1)?.json.includes('"type":"turn.ended"')) resolve();
  });
  await engine.prompt(id, { parts: [{ type: "text", text: "Tell me something." }], whenBusy: "queue" });
  await ended;
  follower.stop();
}
