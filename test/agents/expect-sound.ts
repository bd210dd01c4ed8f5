/**
 * What holds for every session whatever was done with it: a well-formed log in which everything was understood, messages
 * every client can read, and raw records that mean the same when they are translated again.
 */
import { expect } from "vitest";
import { PROTOCOLS } from "../../src/agents/registry.ts";
import { verifyReplay } from "../../src/cli/replay/verify-replay.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import type { RawRecord } from "../../src/core/raw-record.ts";
import { SDKS, VERSIONS } from "../../src/dialects/ai-sdk/sdk.test-support.ts";
import type { AgentSession } from "./agent-session.ts";

/** The session is closed for it: then nothing may be open. */
export async function expectSound(session: AgentSession): Promise<void> {
  await session.call("PATCH", "", { status: "closed" });
  const events = await readAll<SessionEvent>(session, "events", ({ seq }) => seq);
  expect(checkLog(events, { complete: true }), `the log of ${session.id}`).toEqual([]);
  const unknown = events.filter(({ type }) => type === "agent.unknown");
  expect(unknown, "what was not understood").toEqual([]);
  await expectReadable(session);
  await expectReplayable(session, events);
}

async function expectReadable(session: AgentSession): Promise<void> {
  const { messages } = (await session.chat("/messages?limit=500")).body;
  if (messages.length === 0) return;
  for (const version of VERSIONS) {
    const { success, error } = await SDKS[version].safeValidateUIMessages({ messages });
    expect(success, `${version} reads the messages: ${error}`).toBe(true);
  }
}

async function expectReplayable(session: AgentSession, events: SessionEvent[]): Promise<void> {
  const {
    session: id,
    seq: _seq,
    at: _at,
    type: _type,
    ...created
  } = events[0] as EventOf<"session.created">;
  const raws = await readAll<RawRecord>(session, "raw", ({ rawSeq }) => rawSeq, "raws");
  const { difference } = await verifyReplay({
    protocol: PROTOCOLS.get(created.agent) ?? PROTOCOLS.get("acp")!,
    options: { session: id, created },
    isOpen: false,
    async *records() {
      yield* raws;
    },
    stored: async () => ({ events, from: id }),
    close: async () => {},
  });
  expect(difference, `the replay of ${id}`).toBeUndefined();
}

async function readAll<Item>(
  session: AgentSession,
  path: string,
  placeOf: (item: Item) => number,
  field = path,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const last = items.at(-1);
    const after = last === undefined ? 0 : placeOf(last);
    const { body } = await session.call("GET", `/${path}?limit=1000&after=${after}`);
    items.push(...body[field]);
    if (!body.hasMore) return items;
  }
}
