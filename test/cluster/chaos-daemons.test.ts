/**
 * Three real daemons with the mock agent and clients of every dialect, while nodes are killed and stopped, their way to the
 * database is cut, stalled and loses answers, and PostgreSQL crashes. `CHAOS_SECONDS` makes it longer, `SEED` repeats it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";
import { until } from "../../src/testkit/until.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { ChaosDaemon } from "./daemons/chaos-daemon.ts";
import { PromptedSession } from "./daemons/prompted-session.ts";
import { type NodeAccess, WanderingClient } from "./daemons/wandering-client.ts";
import { startFlakyProxy } from "./flaky-proxy.ts";

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 20);
const LEASE_MS = 2000;
const SESSIONS = 4;
const MAX_CALM_MS = 3000;
const MAX_PROMPT_PAUSE_MS = 2500;

it(
  "no gap, no duplicate, nothing lost that was acknowledged or seen, no prompt twice, and all goes on",
  async () => {
    const random = seededRandom("chaos of daemons");
    await using postgres = await startPostgres();
    const database = new URL(await postgres.createDatabase()).pathname.slice(1);
    const folder = mkdtempSync(join(tmpdir(), "il-chaos-"));
    const root = mkdtempSync(join(folder, "root-"));
    const counts: Record<string, number> = {};
    const count = (what: string) => {
      counts[what] = (counts[what] ?? 0) + 1;
    };
    await using opened = new AsyncDisposableStack();
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const daemons: ChaosDaemon[] = [];
    for (const name of ["a", "b", "c"]) {
      const proxy = await startFlakyProxy(postgres.port);
      const store = postgres.url(database, proxy.port);
      const data = mkdtempSync(join(folder, `${name}-`));
      const options = { data, root, store, leaseMs: LEASE_MS, proxy, random, count };
      daemons.push(opened.use(new ChaosDaemon(options)));
    }
    await Promise.all(daemons.map((daemon) => daemon.start()));

    const known = new Map<ChaosDaemon, NodeAccess>();
    const nodes = () => {
      for (const daemon of daemons) if (daemon.access) known.set(daemon, daemon.access);
      return [...known.values()];
    };
    const client = new WanderingClient(nodes, random);
    opened.defer(() => client.close());
    const sessions = Array.from(
      { length: SESSIONS },
      (_, number) => new PromptedSession(`s${number}`, client, random),
    );
    for (const session of sessions) {
      await session.create(root);
      for (const watcher of session.watchers) opened.defer(() => watcher.close());
    }

    const end = performance.now() + SECONDS * 1000;
    const isOver = () => performance.now() >= end;
    const repeat = async (maxPauseMs: number, act: () => unknown) => {
      while (!isOver()) {
        await pause(random.integer(0, maxPauseMs));
        if (!isOver()) await act();
      }
    };
    const crash = async () => {
      await pause((SECONDS * 1000) / 2);
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

    // All goes on: what waits is done, and so is one prompt more.
    let events = 0;
    for (const session of sessions) {
      await session.prompt();
      await until(() => session.isIdle(), 60_000);
      events += (await session.expectWhole()).length;
    }
    console.log(`chaos of daemons: ${JSON.stringify({ events, ...counts, ...client.refusals })}`);
    expect(events).toBeGreaterThan(100);
  },
  SECONDS * 1000 + 180_000,
);
