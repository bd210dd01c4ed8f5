/**
 * Three real daemons with the mock agent and clients of every dialect, while nodes are killed and stopped, their way to the
 * database is cut, stalled and loses answers, and PostgreSQL crashes. `CHAOS_SECONDS` makes it longer, `SEED` repeats it.
 * The counts that it prints have `appends refused`: appends of a node that had lost its claim.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";
import { until } from "../../src/testkit/until.ts";
import { ChaosDaemon } from "./daemons/chaos-daemon.ts";
import { PromptedSession } from "./daemons/prompted-session.ts";
import { type NodeAccess, WanderingClient } from "./daemons/wandering-client.ts";
import { startFlakyProxy } from "./flaky-proxy.ts";
import { TestCluster } from "./test-cluster.ts";

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 20);
const LEASE_MS = 2000;
const NODES = 3;
const SESSIONS = 4;
/** In a run of this length a node has written to a session that it had lost. */
const LONG_SECONDS = 1200;
const MAX_CALM_MS = 3000;
const MAX_PROMPT_PAUSE_MS = 2500;

it(
  "no gap, no duplicate, nothing lost that was acknowledged or seen, no prompt twice, and all goes on",
  async () => {
    const random = seededRandom("chaos of daemons");
    await using cluster = await TestCluster.start();
    const { postgres, root } = cluster;
    const counts: Record<string, number> = {};
    const count = (what: string) => {
      counts[what] = (counts[what] ?? 0) + 1;
    };
    const daemons: ChaosDaemon[] = [];
    for (let n = 0; n < NODES; n += 1) {
      // It ends with its daemon.
      const proxy = await startFlakyProxy(postgres.port);
      const [data, store] = [cluster.temporary(), cluster.storeBehind(proxy)];
      const options = { data, root, store, leaseMs: LEASE_MS, proxy, random, count };
      daemons.push(cluster.use(new ChaosDaemon(options)));
    }
    await Promise.all(daemons.map((daemon) => daemon.start()));

    const known = new Map<ChaosDaemon, NodeAccess>();
    const nodes = () => {
      for (const daemon of daemons) if (daemon.access) known.set(daemon, daemon.access);
      return [...known.values()];
    };
    const client = new WanderingClient(nodes, random);
    cluster.defer(() => client.close());
    const sessions = Array.from(
      { length: SESSIONS },
      (_, number) => new PromptedSession(`s${number}`, client, random),
    );
    for (const session of sessions) {
      await session.create(root);
      for (const watcher of session.watchers) cluster.defer(() => watcher.close());
    }

    const end = performance.now() + SECONDS * 1000;
    const isOver = () => performance.now() >= end;
    const repeat = async (maxPauseMs: number, act: () => unknown) => {
      while (!isOver()) {
        await sleep(random.integer(0, maxPauseMs));
        if (!isOver()) await act();
      }
    };
    const crash = async () => {
      await sleep((SECONDS * 1000) / 2);
      count("crash of PostgreSQL");
      await postgres.stop("crash");
      await postgres.start();
    };
    await Promise.all([
      crash(),
      ...daemons.map((daemon) => repeat(MAX_CALM_MS, () => daemon.hurt())),
      ...sessions.map((session) => repeat(MAX_PROMPT_PAUSE_MS, () => session.prompt())),
      // Clients go elsewhere at times.
      ...sessions.map((session) => repeat(1000, () => random.pick(session.watchers).cut())),
    ]);

    // Before the logs are read, so that a run that fails there has its counts, too.
    console.log(`chaos of daemons: ${JSON.stringify({ ...counts, ...client.refusals })}`);
    // All goes on: what waits is done, and so is one prompt more.
    let events = 0;
    for (const session of sessions) {
      await session.prompt();
      await until(() => session.isIdle(), 60_000);
      events += (await session.expectWhole()).length;
    }
    console.log(`chaos of daemons: ${events} events`);
    expect(events).toBeGreaterThan(100);
    if (SECONDS >= LONG_SECONDS) expect(counts["appends refused"], "appends refused").toBeGreaterThan(0);
  },
  // Reading everything again, page by page, takes as long as half of the run.
  SECONDS * 2000 + 180_000,
);
