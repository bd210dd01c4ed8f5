/** A session that continues by itself after its node was killed: at another one, once. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { createSession, dispatchedIn, untilAgentWorks } from "./node-sessions.ts";
import { endNode, eventsAt, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

const start = (more: object = {}) =>
  cluster.startNode({ environment: { HOME: cluster.temporary() }, ...more });

async function untilEnded(node: TestNode, turns: number): Promise<SessionEvent[]> {
  let events: SessionEvent[] = [];
  await eventually(`${turns} turns have ended`, async () => {
    events = await eventsAt(node, "s");
    return events.filter(({ type }) => type === "turn.ended").length >= turns;
  });
  expect(checkLog(events)).toEqual([]);
  return events;
}

/** The agent works again, on what the daemon said. */
async function endContinuation(node: TestNode): Promise<void> {
  await eventually("it is dispatched", async () => {
    const events = await eventsAt(node, "s");
    return dispatchedIn(events).includes(continuationsIn(events)[0]?.message ?? "");
  });
  await eventually(
    "it is stopped",
    async () => (await node.client.request("POST", "/v1/sessions/s/interrupt")).ok,
  );
}

function continuationsIn(events: readonly SessionEvent[]) {
  return events.filter(
    (event): event is EventOf<"prompt.accepted"> =>
      event.type === "prompt.accepted" && event.continuesTurn !== undefined,
  );
}

it("is told that its node was lost and continues at one of two others, before what waited", async () => {
  const a = await start();
  await createSession(a, "s", { onLost: "continue" });
  await a.client.prompt("s", "scenario:text the word is kestrel", "u1");
  await untilEnded(a, 1);
  await a.client.prompt("s", "scenario:hang", "u2");
  await untilAgentWorks(a, "s");
  await a.client.prompt("s", "scenario:recall", "u3");
  const [b] = await Promise.all([start(), start()]);
  a.kill("SIGKILL");
  await endContinuation(b);
  const events = await untilEnded(b, 4);
  const [continuation, ...more] = continuationsIn(events);
  expect(more).toEqual([]);
  const [part] = continuation!.parts;
  expect(part).toMatchObject({ text: expect.stringMatching(/was lost, and another one has taken over/) });
  expect(dispatchedIn(events)).toEqual(["u1", "u2", continuation?.message, "u3"]);
  // It knows the conversation.
  const said = events.flatMap((event) => (event.type === "text.delta" ? event.delta : [])).join("");
  expect(said).toContain("1. scenario:text the word is kestrel");
});

it("whose files only the lost node has continues when that one is back", async () => {
  const data = cluster.temporary();
  const environment = { HOME: cluster.temporary() };
  const a = await start({ data, environment, files: "pinned" });
  await createSession(a, "s", { onLost: "continue", cwd: cluster.root });
  await a.client.prompt("s", "scenario:hang", "u1");
  await untilAgentWorks(a, "s");
  const b = await start({ root: cluster.temporary() });
  await endNode(a, "SIGKILL");
  const waiting = await untilEnded(b, 1);
  expect(continuationsIn(waiting)).toHaveLength(1);
  expect(dispatchedIn(waiting)).toEqual(["u1"]);
  const back = await start({ data, environment, files: "pinned" });
  await endContinuation(back);
  const events = await untilEnded(back, 2);
  expect(dispatchedIn(events)).toEqual(["u1", continuationsIn(waiting)[0]?.message]);
});
