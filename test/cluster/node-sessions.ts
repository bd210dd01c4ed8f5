/** Sessions of the mock agent at nodes: what several test files of the cluster ask of them, wait for and read. No set-up. */
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import type { DaemonClient } from "../daemon-client.ts";
import { eventsAt, type TestNode } from "./start-node.ts";

/** Whatever can be asked: a node of any kind. */
interface Asked {
  readonly client: DaemonClient;
}

/** A session whose agent does not pause. */
export async function createSession({ client }: Asked, id: string, more: object = {}): Promise<void> {
  await client.call("POST", "/v1/sessions", { id, agent: "mock", options: { pace: 0 }, ...more });
}

/** What the list of sessions says of one. It is read from the database, so every node says it. */
export interface ListedSession {
  readonly id: string;
  readonly status: string;
  readonly head: number;
  readonly queued: number;
  readonly node?: string;
}

export async function findListed({ client }: Asked, session: string): Promise<ListedSession | undefined> {
  const { sessions } = await client.call<{ sessions: ListedSession[] }>("GET", "/v1/sessions");
  return sessions.find(({ id }) => id === session);
}

/** Waits until the session has an owner and is idle there; gives its log, which is complete. */
export async function untilIdle(node: TestNode, session: string): Promise<SessionEvent[]> {
  await eventually(`${session} is idle`, async () => {
    const response = await node.client.request("GET", `/v1/sessions/${session}`);
    return response.ok && ((await response.json()) as { status: string }).status === "idle";
  });
  const events = await eventsAt(node, session);
  expect(checkLog(events, { complete: true })).toEqual([]);
  return events;
}

/** Waits until the agent has said something in a turn that has not ended. What it said in earlier ones does not count. */
export async function untilAgentWorks(node: TestNode, session: string): Promise<void> {
  await eventually("the agent works", async () => {
    const events = await eventsAt(node, session);
    return (
      events.findLast(({ type }) => type === "text.delta" || type === "turn.ended")?.type === "text.delta"
    );
  });
}

/** Waits until the session asks something; gives the id of the ask. */
export async function untilAsked({ client }: Asked, session: string): Promise<string> {
  let found: string | undefined;
  await eventually("the ask", async () => {
    const { asks } = await client.call<{ asks: { ask: string; session: string }[] }>("GET", "/v1/asks");
    found = asks.find((ask) => ask.session === session)?.ask;
    return found !== undefined;
  });
  return found!;
}

/** Prompts at a node as soon as it takes that; gives the log from the prompt on when its turn has ended. */
export async function runTurn(node: TestNode, session: string, text: string): Promise<SessionEvent[]> {
  const message = `m${Math.random().toString(36).slice(2)}`;
  await eventually("the prompt is taken", async () => {
    const body = { text, id: message };
    return (await node.client.request("POST", `/v1/sessions/${session}/messages`, body)).status === 202;
  });
  let events: SessionEvent[] = [];
  await eventually("the turn has ended", async () => {
    events = await eventsAt(node, session);
    const begun = events.findIndex(
      (event) => event.type === "prompt.dispatched" && event.message === message,
    );
    return begun >= 0 && events.slice(begun).some(({ type }) => type === "turn.ended");
  });
  expect(checkLog(events, { complete: true })).toEqual([]);
  return events.slice(
    events.findIndex((event) => event.type === "prompt.accepted" && event.message === message),
  );
}

/** The prompts that were given to an agent, in order. */
export function dispatchedIn(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "prompt.dispatched" ? [event.message] : []));
}
