/** What must hold after a scenario, whatever failed in it: read from a daemon without faults, started anew. */
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { startDaemon } from "../../src/daemon.ts";
import { openStoreReadOnly } from "../../src/store/open-store.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { type Scenario, SESSIONS } from "./scenario.ts";

interface RawPage {
  raws: { rawSeq: number; direction: string; data: unknown }[];
  hasMore: boolean;
}

/** `survivors`: how many of the two sessions must have gone through it without a turn that did not complete. */
export async function expectNothingLost(directory: string, scenario: Scenario, survivors: number) {
  if (scenario.complaints.length > 0) throw new Error(scenario.complaints.join("\n"));
  const daemon = await startDaemon({ data: directory, port: 0, roots: [directory] });
  try {
    const client = new DaemonClient(daemon);
    expect((await client.request("GET", "/v1/health")).status).toBe(200);
    let unharmed = 0;
    for (const session of SESSIONS) {
      await until(async () => {
        const { status } = await client.call<{ status: string }>("GET", `/v1/sessions/${session}`);
        return status === "idle" || status === "failed";
      });
      const lines = await client.events(session);
      const seen = scenario.followers.get(session)?.lines ?? [];
      expect(lines.slice(0, seen.length)).toEqual(seen);
      const log = lines.map((line) => JSON.parse(line) as SessionEvent);
      expect(checkLog(log, { complete: true })).toEqual([]);
      expectPromptsOnce(session, log, scenario, await sentLines(client, session));
      if (log.every((event) => event.type !== "turn.ended" || event.outcome === "completed")) unharmed += 1;
    }
    expect(unharmed).toBeGreaterThanOrEqual(survivors);
  } finally {
    await daemon.close();
  }
  const store = await openStoreReadOnly(directory);
  expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  await store.close();
}

function expectPromptsOnce(session: string, log: SessionEvent[], scenario: Scenario, sent: string[]): void {
  const ids = (type: "prompt.accepted" | "prompt.dispatched") =>
    log.flatMap((event) => (event.type === type ? [event.message] : []));
  const acknowledged = scenario.acknowledged.filter((prompt) => prompt.session === session);
  expect(ids("prompt.accepted")).toEqual(expect.arrayContaining(acknowledged.map(({ message }) => message)));
  const dispatched = ids("prompt.dispatched");
  expect(dispatched).toEqual([...new Set(dispatched)]);
  for (const { message } of acknowledged) {
    const times = sent.filter((line) => line.includes(`"prompt":"${message}"`)).length;
    expect(times).toBeLessThanOrEqual(1);
  }
}

/** The lines that went to the agent. */
async function sentLines(client: DaemonClient, session: string): Promise<string[]> {
  const sent: string[] = [];
  let page: RawPage = { raws: [], hasMore: true };
  for (let after = 0; page.hasMore; after = page.raws.at(-1)!.rawSeq) {
    page = await client.call("GET", `/v1/sessions/${session}/raw?limit=1000&after=${after}`);
    for (const { direction, data } of page.raws) if (direction === "out") sent.push(String(data));
  }
  return sent;
}
