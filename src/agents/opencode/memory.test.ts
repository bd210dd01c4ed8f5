import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { AgentResources } from "../transport/define-protocol.ts";
import { conversationOf, temporaryHome } from "../transport/memory.test-support.ts";
import { memory } from "./memory.ts";
import { PROGRAM } from "./program.ts";
import type { OpenCodeServers } from "./servers.ts";

const ID = "ses_e12ddeea0ffejHNDbKCr6SfFgY";
const PART = "events.jsonl";

const processHost = createProcessHost({ daemonId: `opencode-memory-${process.pid}`, environment: {} });
afterAll(() => processHost.close());

/** The table as OpenCode 1.18 has it, with events of this session and of another. */
function fill(home: string, ids: readonly string[]): void {
  mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
  using database = new DatabaseSync(join(home, ".local/share/opencode/opencode.db"));
  database.exec(`CREATE TABLE IF NOT EXISTS event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL,
    type text NOT NULL, data text NOT NULL)`);
  const insert = database.prepare("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?, ?)");
  insert.run("evt_other", "ses_other", 0, "session.created.1", "{}");
  for (const [seq, id] of ids.entries()) {
    const data =
      seq === 0 ? { info: { id: ID, directory: "/elsewhere" } } : { part: { text: `kestrel ${id}` } };
    const type = seq === 0 ? "session.created.1" : "message.part.updated.1";
    insert.run(id, ID, seq, type, JSON.stringify(data));
  }
}

function memoryIn(home: string) {
  const requests: { method: string; path: string; body?: { directory: string; events: Event[] } }[] = [];
  const server = {
    async ask(request: (typeof requests)[number]) {
      requests.push(request);
      return { status: 200 };
    },
  };
  const resources = {
    processHost,
    environment: () => ({ HOME: home }),
    directory: () => home,
    programs: { find: async () => ({ command: "opencode", args: [], from: "path" }) },
    answers: { ask: async () => PROGRAM.version, forget() {} },
    shared: { acquire: async () => ({ resource: server, release() {} }) },
  };
  return { requests, memory: memory(resources as unknown as AgentResources<OpenCodeServers>) };
}

interface Event {
  id: string;
  seq: number;
  data: { info?: { directory: string } };
}

it("reads the events of the session from where it was", async () => {
  const home = temporaryHome();
  const { memory } = memoryIn(home.path);
  const conversation = conversationOf(ID);
  expect(await memory.capture(conversation, new Map())).toEqual([]);
  fill(home.path, ["evt_1", "evt_2"]);
  const [first] = await memory.capture(conversation, new Map());
  expect(first).toMatchObject({ part: PART, mark: 1, replaces: true });
  const lines = Buffer.from(first!.data).toString().trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { id: "evt_1", aggregateID: ID, seq: 0, type: "session.created.1", data: { info: { id: ID } } },
    { id: "evt_2", seq: 1, data: { part: { text: "kestrel evt_2" } } },
  ]);
  expect(await memory.capture(conversation, new Map([[PART, 1]]))).toEqual([]);
  fill(home.path, ["evt_1", "evt_2", "evt_3"]);
  const [second] = await memory.capture(conversation, new Map([[PART, 1]]));
  expect(second).toMatchObject({ mark: 2 });
  expect(second?.replaces).toBeUndefined();
});

it("lets others go on while it reads much, and refuses what is too much before it reads it", async () => {
  const home = temporaryHome();
  const { memory } = memoryIn(home.path);
  const conversation = conversationOf(ID);
  fill(home.path, ["evt_0"]);
  const insert = (seq: number, data: string) => {
    using database = new DatabaseSync(join(home.path, ".local/share/opencode/opencode.db"));
    database.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?)").run(`evt_${seq}`, ID, seq, "x.1", data);
  };
  const long = JSON.stringify({ text: "ä".repeat(700_000) });
  for (let seq = 1; seq <= 8; seq += 1) insert(seq, long);
  insert(9, '{\n "n": 9 }');
  let [turns, isRead] = [0, false];
  const reading = memory.capture(conversation, new Map()).finally(() => (isRead = true));
  for (; !isRead; turns += 1) await nextTurn();
  expect(turns).toBeGreaterThan(3);
  const [update] = await reading;
  const lines = Buffer.from(update!.data).toString().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 10 }, (_, n) => `evt_${n}`));
  expect(JSON.parse(lines[9]!)).toEqual({
    id: "evt_9",
    aggregateID: ID,
    seq: 9,
    type: "x.1",
    data: { n: 9 },
  });
  expect(update!.mark).toBe(9);
  insert(10, JSON.stringify({ text: "x".repeat(65 * 1024 * 1024) }));
  await expect(memory.capture(conversation, new Map())).rejects.toThrow("larger than what is kept");
});

it("gives a server what it lacks, in the directory of the session, and forgets first what went another way", async () => {
  const [from, to] = [temporaryHome(), temporaryHome()];
  const conversation = conversationOf(ID);
  fill(from.path, ["evt_1", "evt_2", "evt_3"]);
  const [captured] = await memoryIn(from.path).memory.capture(conversation, new Map());
  const parts = new Map([[PART, captured!.data]]);
  let writes = 0;
  const beforeWrite = async () => {
    writes += 1;
  };
  const restore = async (ids: readonly string[]) => {
    const home = ids.length === 0 ? to : temporaryHome();
    if (ids.length > 0) fill(home.path, ids);
    const { memory, requests } = memoryIn(home.path);
    const marks = await memory.restore(conversation, parts, beforeWrite);
    expect(marks).toEqual(new Map([[PART, 2]]));
    return requests;
  };
  const [replay] = await restore([]);
  expect(replay).toMatchObject({
    method: "POST",
    path: "/sync/replay",
    body: { directory: "/srv/project" },
  });
  expect(replay?.body?.events.map(({ id }) => id)).toEqual(["evt_1", "evt_2", "evt_3"]);
  expect(replay?.body?.events[0]?.data.info?.directory).toBe("/srv/project");
  expect((await restore(["evt_1"])).map(({ path }) => path)).toEqual(["/sync/replay"]);
  expect((await restore(["evt_1", "evt_x"])).map(({ method, path }) => `${method} ${path}`)).toEqual([
    `DELETE /session/${ID}`,
    "POST /sync/replay",
  ]);
  expect(writes).toBe(3);
  // What goes on from there stays.
  expect(await restore(["evt_1", "evt_2", "evt_3", "evt_4"])).toEqual([]);
  expect(writes).toBe(3);
});
