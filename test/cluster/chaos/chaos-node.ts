/**
 * A node of a chaos run, as a process of its own: the real store, lease, claims and group commit, and sessions that append as
 * fast as they may. It also reads what others write. What it was told and what it saw is recorded before anything else
 * happens, so that a kill loses none of it. Started by chaos-cluster.ts.
 */
import { mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseTimes } from "../../../src/cluster/lease-times.ts";
import { startClusterNode } from "../../../src/cluster/start-cluster-node.ts";
import { nodeNumberFile } from "../../../src/config/node-number-file.ts";
import type { Claim } from "../../../src/core/ownership.ts";
import { GroupCommit } from "../../../src/engine/commits/group-commit.ts";
import { connectPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { PostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { Random } from "../../../src/testkit/random.ts";
import { ChaosSession, textOf } from "./chaos-session.ts";
import type { HistoryRecord } from "./history.ts";
import { type Sabotage, sabotageConnection, sabotageStore } from "./sabotage.ts";

export interface ChaosNodeOptions {
  /** The database, by the way of what is written, and by that of beats and claims. */
  storeUrl: string;
  beatsUrl: string;
  name: string;
  times: LeaseTimes;
  /** The file that gets one record on each line. */
  history: string;
  sessions: readonly string[];
  seed: number;
  /** Whether it looks at no deadline, and keeps what it has until it is refused. */
  isDisobedient: boolean;
  sabotage?: Sabotage;
}

const options = JSON.parse(process.argv[2]!) as ChaosNodeOptions;
const { name, sessions, isDisobedient, sabotage } = options;
const random = new Random(options.seed);

/** More than its share, so that all can be held when one node is away. */
const MAX_HELD = Math.ceil((sessions.length * 2) / 3);
const MAX_PAUSE_MS = 30;
/** A new owner that begins late leaves time for the former one. */
const SLOW_LOAD_CHANCE = 0.4;
const MAX_LOAD_MS = 700;
const RELEASE_CHANCE = 0.1;
const TIMEOUTS = { connectMs: 600, statementMs: 600 };

const history = openSync(options.history, "a");
const record = (entry: HistoryRecord) => void writeSync(history, `${JSON.stringify(entry)}\n`);

const connection = await retried(() =>
  connectPostgres({ url: options.storeUrl, timeouts: TIMEOUTS }, "beside others", async (opened) => {
    await opened.write("SELECT 1");
  }),
);
const store = sabotageStore(
  new PostgresStore(sabotageConnection(connection, sabotage), { sealDelayMs: 100 }),
  sabotage,
);
const held = new Map<string, ChaosSession>();
const taking = new Set<string>();
const data = join(dirname(options.history), `data-${name}`);
mkdirSync(data, { recursive: true });
const node = await retried(() =>
  startClusterNode({
    store: options.beatsUrl,
    name,
    daemon: name,
    data,
    number: nodeNumberFile(data),
    load: () => ({ agents: held.size, maxAgents: MAX_HELD }),
    times: options.times,
    logger: { info() {}, warn() {}, error: (details, message) => console.error(name, message, details) },
    processes: { freeze() {}, freezeIn() {}, thaw() {}, endAll: async () => {} },
  }),
);
const { ownership } = node;
ownership.listen({
  suspended() {},
  async lost() {
    if (!isDisobedient) for (const session of [...held.values()]) session.end();
  },
  orphaned: async () => [],
});
const commit = new GroupCommit(store, {
  maxPendingBytes: 1_000_000,
  retryMs: 30,
  ...(!isDisobedient && { ownership }),
});

let isStopping = false;
process.on("message", () => {
  isStopping = true;
});
// Whoever started it is gone.
process.on("disconnect", () => process.exit(1));

await Promise.all([claimAll(), readAll()]);
while (taking.size > 0) await sleep(10);
for (const session of [...held.values()]) session.end();
await commit.settled();
await node.close();
await store.close();
process.disconnect();

/** Takes what is free, and gives some of it back. */
async function claimAll(): Promise<void> {
  while (!isStopping) {
    await sleep(random.integer(0, MAX_PAUSE_MS));
    const id = random.pick(sessions);
    const mine = held.get(id);
    if (mine && random.chance(RELEASE_CHANCE)) mine.end();
    if (mine || taking.has(id) || held.size + taking.size >= MAX_HELD) continue;
    taking.add(id);
    void take(id)
      .catch(() => {})
      .finally(() => taking.delete(id));
  }
}

async function take(id: string): Promise<void> {
  const answer = await ownership.claim(id);
  if (answer && "owner" in answer) return;
  const claim = answer ? answer.claim! : ownership.claimNew(id)!;
  try {
    const found = answer && (await store.getSession(id));
    if (found) record({ kind: "claimed", session: id, ...claim, head: found.head });
    if (random.chance(SLOW_LOAD_CHANCE)) await sleep(random.integer(0, MAX_LOAD_MS));
    const row = answer && (await store.getSession(id));
    begin(id, claim, { events: row?.head ?? 0, raws: row?.rawHead ?? 0 });
  } catch (error) {
    await ownership.release(id, claim);
    throw error;
  }
}

function begin(id: string, claim: Claim, head: { events: number; raws: number }): void {
  const session = new ChaosSession({
    id,
    claim,
    head,
    commit,
    random,
    record,
    believesErrors: sabotage === "error means not written",
    onEnd() {
      held.delete(id);
      void ownership.release(id, claim);
    },
  });
  held.set(id, session);
  session.start();
}

/** Follows all sessions from where it stopped, whoever has them. */
async function readAll(): Promise<void> {
  const cursors = new Map<string, number>();
  while (!isStopping) {
    await sleep(random.integer(0, MAX_PAUSE_MS));
    const id = random.pick(sessions);
    const after = cursors.get(id) ?? 0;
    const page = await store.readEvents(id, after, 500).catch(() => undefined);
    if (!page || page.events.length === 0) continue;
    record({ kind: "seen", session: id, first: after + 1, texts: page.events.map(textOf) });
    cursors.set(id, after + page.events.length);
  }
}

/** While the database is away it is tried again. */
async function retried<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch {
      await sleep(50);
    }
  }
}
