/** Many clients of mixed dialects follow one session through bursts and are cut off at random. Each understands all of it. */
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import type { Random } from "../../src/testkit/random.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { ANSWERERS } from "./answerers.ts";
import { EventFeed } from "./event-feed.ts";
import { WATCHERS } from "./watchers/index.ts";

export interface StormOptions {
  daemon: { url: string; token: string };
  cwd: string;
  clients: number;
  turns: number;
  random: Random;
}

const BURSTS = ["burst:300", "rich", "subagent", "approve", "retry", "echo-split wind and rain", "long"];

/** How often somebody was cut off. */
export async function storm({ daemon, cwd, clients, turns, random }: StormOptions): Promise<number> {
  const owner = new DaemonClient(daemon);
  const id = `storm-${random.integer(0, 1e9)}`;
  const about = { id, agent: "mock", cwd, options: { pace: 0.1 }, checkpoints: "off" };
  const { createdAt } = await owner.call<{ createdAt: number }>("POST", "/v1/sessions", about);
  const watchers = Array.from({ length: clients }, (_, place) =>
    WATCHERS[place % WATCHERS.length]!(owner, { id, cwd, createdAt }),
  );
  const feed = new EventFeed(owner, id);
  let cuts = 0;
  let isOver = false;
  const cutting = until(() => {
    for (let most = random.integer(0, 3); most > 0; most -= 1) {
      random.pick(watchers).cut();
      cuts += 1;
    }
    return isOver;
  }, 600_000);
  for (let turn = 0; turn < turns; turn += 1) {
    const name = random.pick(BURSTS);
    await owner.prompt(id, `scenario:${name} ${turn}`);
    if (name === "approve") {
      const [, prepare] = random.pick(ANSWERERS.permission);
      const give = await prepare(
        { name: "owner", client: owner },
        await feed.next("ask.opened"),
        random.chance(0.5),
      );
      expect(await give()).toBeUndefined();
    }
    await feed.next("turn.ended");
  }
  isOver = true;
  await cutting;
  feed.close();
  await until(
    async () => (await owner.call<{ status: string }>("GET", `/v1/sessions/${id}`)).status === "idle",
  );
  const log = (await owner.events(id)).map((line) => JSON.parse(line) as SessionEvent);
  expect(checkLog(log)).toEqual([]);
  try {
    for (const watcher of watchers) await watcher.finish(log);
  } finally {
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }
  return cuts;
}
