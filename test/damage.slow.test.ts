/** Damage on disk under a real daemon: it fails the requests that need what is damaged, and nothing else. */
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../src/testkit/until.ts";
import { DaemonProcess } from "./crash/daemon-process.ts";

interface Problem {
  code: string;
  detail: string;
}

let directory: string;
let daemon: DaemonProcess;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-damage-"));
  daemon = await DaemonProcess.start(directory);
});

afterEach(async () => {
  await daemon.kill();
  rmSync(directory, { recursive: true, force: true });
});

const file = () => join(directory, "interlingua.db");

function query<Row>(sql: string): Row[] {
  const database = new DatabaseSync(file());
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

/** A session with a finished turn of so many events, all of them packed and in the database file itself. */
async function session(id: string, prompt: string): Promise<number> {
  await daemon.call("POST", "/v1/sessions", { id, agent: "mock" });
  await daemon.prompt(id, prompt, `${id}-1`);
  await until(
    async () => (await daemon.call<{ status: string }>("GET", `/v1/sessions/${id}`)).status === "idle",
  );
  await until(() => query("SELECT 1 FROM tail").length === 0);
  query("PRAGMA wal_checkpoint(TRUNCATE)");
  return (await daemon.call<{ head: number }>("GET", `/v1/sessions/${id}`)).head;
}

/** Where the data of a block lies in the file; also where it lay before it was moved. */
function placesOf(data: Uint8Array): number[] {
  const [bytes, beginning] = [readFileSync(file()), data.subarray(0, 64)];
  const places: number[] = [];
  for (let at = bytes.indexOf(beginning); at >= 0; at = bytes.indexOf(beginning, at + 1)) places.push(at);
  return places;
}

function overwrite(place: number, bytes: Uint8Array): void {
  const handle = openSync(file(), "r+");
  writeSync(handle, bytes, 0, bytes.length, place);
  closeSync(handle);
}

async function reads(id: string): Promise<(number | string)[]> {
  const answers: (number | string)[] = [];
  for (const path of ["events?limit=1000", "raw?limit=1000", "messages"]) {
    const response = await daemon.request("GET", `/v1/sessions/${id}/${path}`);
    const body = (await response.json()) as Problem;
    answers.push(response.ok ? response.status : body.code);
  }
  return answers;
}

/** What is answered for all events, page by page, up to the first that is refused. */
async function readsToTheEnd(id: string): Promise<(number | string)[]> {
  const answers: (number | string)[] = [];
  for (let after = 0; ; after += 1000) {
    const response = await daemon.request("GET", `/v1/sessions/${id}/events?limit=1000&after=${after}`);
    const body = (await response.json()) as Problem & { hasMore?: boolean };
    answers.push(response.ok ? response.status : body.code);
    if (!response.ok || !body.hasMore) return answers;
  }
}

/** Starts it again, so that nothing is left in memory. */
async function restart(): Promise<void> {
  await daemon.kill();
  daemon = await DaemonProcess.start(directory);
}

describe("a block that cannot be read", () => {
  it("ends the requests of its session with session_damaged, not the daemon", {
    timeout: 60_000,
  }, async () => {
    await session("bad", "scenario:burst:4000");
    await session("good", "scenario:rich");
    await restart();
    const blocks = query<{ data: Uint8Array }>("SELECT data FROM block WHERE session = 1 ORDER BY id");
    // In the middle of what is packed: one bit is enough.
    for (const place of placesOf(blocks[0]!.data))
      overwrite(place + 40, Buffer.from([readFileSync(file())[place + 40]! ^ 0x10]));

    expect(await reads("bad")).toContain("session_damaged");
    const answer = await daemon.request("GET", "/v1/sessions/bad/events");
    expect(answer.status).toBe(500);
    expect(((await answer.json()) as Problem).detail).toMatch(/session "bad".*interlingua db check.*restore/);
    const stream = await daemon.request("GET", "/v1/sessions/bad/events/sse");
    expect(stream.status).toBe(500);
    expect(await stream.json()).toMatchObject({ code: "session_damaged" });
    expect(await reads("good")).toEqual([200, 200, 200]);
    await daemon.prompt("good", "scenario:text", "good-2");
    await until(
      async () => (await daemon.call<{ status: string }>("GET", "/v1/sessions/good")).status === "idle",
    );
    expect(await daemon.call("GET", "/v1/health")).toMatchObject({ status: "ok", damagedSessions: 1 });
  });

  it("as when the file is cut at half, fails what lies behind the cut and shows in the health", {
    timeout: 60_000,
  }, async () => {
    await session("first", "scenario:text");
    await session("second", "scenario:burst:60000");
    await daemon.kill();
    // What was not packed yet has left free pages, as many as it was slow: the cut would hit nothing else.
    query("VACUUM");
    daemon = await DaemonProcess.start(directory);
    truncateSync(file(), 4096 * Math.floor(statSync(file()).size / 2 / 4096));
    expect(await readsToTheEnd("second")).toContain("session_damaged");
    const health = await daemon.request("GET", "/v1/health");
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({
      status: "failing",
      problem: expect.stringContaining("interlingua.db was cut short"),
    });
  });
});

it("health is 503 when the whole database is malformed, not ok", { timeout: 60_000 }, async () => {
  await session("s", "scenario:rich");
  // A reader that comes now has nothing in memory.
  const { size } = statSync(file());
  overwrite(4096, Buffer.alloc(size - 4096, 0x5a));
  for (let n = 0; n < 3; n += 1)
    await daemon.request("POST", "/v1/sessions", { id: `new${n}`, agent: "mock" });
  await until(async () => {
    await daemon.request("GET", "/v1/sessions");
    return (await daemon.request("GET", "/v1/health")).status === 503;
  });
});

describe("a database file that is lost beside its log", () => {
  it.each([
    ["missing", () => rmSync(file())],
    ["empty", () => writeFileSync(file(), "")],
  ])(
    "(%s) is not taken for a new start: the log stays as it is",
    { timeout: 60_000 },
    async (state, lose) => {
      await session("s", "scenario:text");
      await daemon.prompt("s", "scenario:burst:2000", "s-2");
      await until(async () => (await daemon.call<{ head: number }>("GET", "/v1/sessions/s")).head > 100);
      await daemon.kill();
      const kept = join(directory, "kept");
      copyFileSync(file(), kept);
      const wal = readFileSync(`${file()}-wal`);
      expect(wal.length).toBeGreaterThan(0);
      lose();
      await expect(DaemonProcess.start(directory)).rejects.toThrow(
        new RegExp(`interlingua\\.db is ${state}, and .*-wal .*interlingua backup restore`),
      );
      expect(readFileSync(`${file()}-wal`).equals(wal)).toBe(true);
      copyFileSync(kept, file());
      daemon = await DaemonProcess.start(directory);
      expect((await daemon.call<{ head: number }>("GET", "/v1/sessions/s")).head).toBeGreaterThan(100);
    },
  );
});
