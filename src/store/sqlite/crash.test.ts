import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { SampleSession } from "../contract/sample-session.ts";
import { openStore } from "../open-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const APPENDER = new URL("../fixtures/append-until-killed.ts", import.meta.url).pathname;
const KILLS = 5;

afterEach(removeTemporaryDirectories);

/** Runs the appender for a while, kills it, and gives the last heads it was promised. */
async function appendAndKill(directory: string, runFor: number): Promise<Map<string, [number, number]>> {
  const child = spawn(process.execPath, [APPENDER, directory], { stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await once(child.stdout, "data");
  await setTimeout(runFor);
  child.kill("SIGKILL");
  await once(child, "close");
  const promised = new Map<string, [number, number]>();
  // The last line may be cut off.
  for (const line of output.split("\n").slice(0, -1)) {
    const [session, head, rawHead] = line.split(" ");
    promised.set(session as string, [Number(head), Number(rawHead)]);
  }
  return promised;
}

it(`loses nothing that was acknowledged when the process is killed ${KILLS} times`, {
  timeout: 60_000,
}, async () => {
  const directory = temporaryDirectory();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const promised = await appendAndKill(directory, 50 + 83 * kill);
    expect(promised.size).toBe(2);
    const store = await openStore({ directory, indexDelayMs: kill % 2 ? 0 : 3_600_000 });
    for (const [session, [head, rawHead]] of promised) {
      const { hits } = await store.searchMessages({ words: `said${head} zebra`, limit: 10, session });
      expect(hits.map(({ message }) => message)).toEqual([`m${head}`]);
      const row = await store.getSession(session);
      expect(row?.head).toBeGreaterThanOrEqual(head);
      expect(row?.rawHead).toBeGreaterThanOrEqual(rawHead);
      const sample = new SampleSession(session);
      sample.batch({ events: row?.head ?? 0 });
      expect((await store.readEvents(session, 0, 1_000_000)).events).toEqual(sample.events);
    }
    // The check finds texts that are neither in the index nor noted for it.
    expect(await store.check()).toMatchObject({ ok: true, problems: [], sessions: 2 });
    await store.close();
  }
  // Each message is in the index once, whatever was under way when the process died.
  const store = await openStore({ directory });
  const found = new Set<string>();
  let hits = 0;
  let cursor: string | undefined;
  do {
    const page = await store.searchMessages({ words: "zebra", limit: 500, cursor });
    for (const { session, message } of page.hits) found.add(`${session.id} ${message}`);
    hits += page.hits.length;
    cursor = page.cursor;
  } while (cursor !== undefined);
  const lists = await Promise.all(["a", "b"].map((id) => store.listMessages(id, { limit: 1_000_000 })));
  const said = lists.reduce((sum, { messages }) => sum + messages.length, 0);
  expect(said).toBeGreaterThan(0);
  expect([hits, found.size]).toEqual([said, said]);
  await store.close();
});
