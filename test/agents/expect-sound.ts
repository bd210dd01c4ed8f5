/** What holds for every session whatever was done with it: a well-formed log, and messages every client can read. */
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { SDKS, VERSIONS } from "../../src/dialects/ai-sdk/sdk.test-support.ts";
import type { AgentSession } from "./agent-session.ts";

/** The session is closed for it: then nothing may be open. */
export async function expectSound(session: AgentSession): Promise<void> {
  await session.call("PATCH", "", { status: "closed" });
  const events = await allEvents(session);
  expect(checkLog(events, { complete: true }), `the log of ${session.id}`).toEqual([]);
  expect(
    events.filter(({ type }) => type === "agent.unknown"),
    "what was not understood",
  ).toEqual([]);
  const { messages } = (await session.call("GET", "/messages?limit=500")).body;
  if (messages.length === 0) return;
  for (const version of VERSIONS) {
    const { success, error } = await SDKS[version].safeValidateUIMessages({ messages });
    expect(success, `${version} reads the messages: ${error}`).toBe(true);
  }
}

async function allEvents(session: AgentSession): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const { body } = await session.call("GET", `/events?limit=1000&after=${after}`);
    events.push(...body.events);
    if (!body.hasMore) return events;
  }
}
