/**
 * Lets a hostile agent work in a daemon beside a session that has nothing to do with it: whatever the agent says, its log is
 * well formed and bounded, the other session notices nothing, and a restart finds everything whole.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import { eventSchema, type SessionEvent } from "../../src/core/event.ts";
import { startDaemon } from "../../src/daemon.ts";
import { openStoreReadOnly } from "../../src/store/open-store.ts";
import { hostileAgent } from "../../src/testkit/hostile-agent/index.ts";
import type { Random } from "../../src/testkit/random.ts";
import { until } from "../../src/testkit/until.ts";
import { temporaryDirectory } from "../crash/daemon-process.ts";
import { DaemonClient } from "../daemon-client.ts";

/** More than any event or state may take in characters, with room for the limits to be set otherwise. */
const MAX_EVENT_SIZE = 3 * 1024 * 1024;
/** A picture is kept whole or not at all. */
const MAX_FILE_SIZE = 17 * 1024 * 1024;
const MAX_STATE_SIZE = 64 * 1024 * 1024;

const QUIET_MS = 400;

export interface HostileRunOptions {
  sessions: number;
  turns: number;
  maxBytes: number;
}

interface View {
  status: string;
  head: number;
  rawHead: number;
  queued: number;
}

export async function playHostileAgent(random: Random, options: HostileRunOptions): Promise<void> {
  await using directory = await temporaryDirectory();
  const { command, args } = hostileAgent({ maxBytes: options.maxBytes });
  const start = () =>
    startDaemon({
      data: directory.path,
      port: 0,
      roots: [directory.path],
      limits: { stopGraceMs: 200, connectTimeoutMs: 10_000 },
      agents: { hostile: { protocol: "acp", command: [command, ...args] } },
    });
  const names = Array.from({ length: options.sessions }, (_, index) => `hostile-${index}`);
  const daemon = await start();
  try {
    const client = new DaemonClient(daemon);
    await client.call("POST", "/v1/sessions", { id: "calm", agent: "mock", options: { pace: 0 } });
    for (const id of names) await client.call("POST", "/v1/sessions", { id, agent: "hostile" });
    for (let turn = 0; turn < options.turns; turn += 1) {
      const seeds = names.map(() => random.integer(0, 2 ** 31));
      await Promise.all([
        calmTurn(client, turn),
        ...names.map((id, index) => hostileTurn(client, id, seeds[index]!)),
      ]);
      expect((await client.request("GET", "/v1/health")).status).toBe(200);
    }
  } finally {
    await daemon.close();
  }
  await expectBounded(directory.path, names);

  const again = await start();
  try {
    const client = new DaemonClient(again);
    for (const id of [...names, "calm"]) await expectReadable(client, id);
    await calmTurn(client, options.turns);
  } finally {
    await again.close();
  }
}

/** A turn of the session that has nothing to do with it. */
async function calmTurn(client: DaemonClient, turn: number): Promise<void> {
  await client.prompt("calm", "scenario:rich", `calm-${turn}`);
  await until(async () => (await view(client, "calm")).status === "idle");
}

/** Answers what is asked and stops what does not end; prompts again where the agent is gone. */
async function hostileTurn(client: DaemonClient, session: string, seed: number): Promise<void> {
  try {
    await client.prompt(session, `seed:${seed}`);
    let last = -1;
    await until(async () => {
      const { status, queued, rawHead } = await view(client, session);
      if (status !== "running" && status !== "waiting" && queued === 0) return true;
      if (last === rawHead) await client.request("POST", `/v1/sessions/${session}/interrupt`);
      last = rawHead;
      await answerAsks(client, session);
      await sleep(QUIET_MS);
      return false;
    }, 60_000);
  } catch (error) {
    throw new Error(`seed:${seed} in ${session}: ${(error as Error).message}`, { cause: error });
  }
}

async function answerAsks(client: DaemonClient, session: string): Promise<void> {
  const { asks } = await client.call<{ asks: { ask: string; kind: string }[] }>(
    "GET",
    `/v1/asks?session=${session}`,
  );
  for (const { ask } of asks.slice(0, 3)) {
    const path = `/v1/sessions/${session}/asks/${encodeURIComponent(ask)}/reply`;
    const { status } = await client.request("POST", path, { reply: "once" });
    expect(status).toBeLessThan(500);
  }
}

function view(client: DaemonClient, session: string): Promise<View> {
  return client.call("GET", `/v1/sessions/${session}`);
}

/** Everything that can be read of it can be read. */
async function expectReadable(client: DaemonClient, session: string): Promise<void> {
  const path = `/v1/sessions/${session}`;
  for (const rest of ["", "/events?limit=1000&include=raw", "/raw?limit=1000", "/messages", "/queue"]) {
    const response = await client.request("GET", path + rest);
    expect(`${rest} ${response.status}`).toBe(`${rest} 200`);
    await response.arrayBuffer();
  }
  expect((await view(client, session)).status).toMatch(/idle|failed/);
}

async function expectBounded(directory: string, sessions: readonly string[]): Promise<void> {
  const store = await openStoreReadOnly(directory);
  try {
    expect(await store.check()).toMatchObject({ ok: true, problems: [] });
    for (const session of sessions) {
      const { events } = await store.readEvents(session, 0, 1_000_000);
      const log = events.map(({ json }) => JSON.parse(json) as SessionEvent);
      expect(checkLog(log, { complete: true })).toEqual([]);
      expect(log.map((event) => eventSchema.safeParse(event).error?.issues).filter(Boolean)).toEqual([]);
      expect(log.filter(isTooLarge).map(({ seq, type }) => `${seq} ${type}`)).toEqual([]);
      const state = await store.loadState(session);
      expect(state!.snapshot?.json.length ?? 0).toBeLessThan(MAX_STATE_SIZE);
      expect(characters(state!.row)).toBeLessThan(MAX_EVENT_SIZE);
    }
  } finally {
    await store.close();
  }
}

function isTooLarge(event: SessionEvent): boolean {
  return characters(event) > (event.type === "file" ? MAX_FILE_SIZE : MAX_EVENT_SIZE);
}

/** All texts of a value together. Escapes in its JSON do not count. */
function characters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + characters(item), 0);
}
