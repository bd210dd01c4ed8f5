/** Backups by fire: taken while a real daemon writes as fast as it can, and killed half way. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, start } from "../src/cli/test-support.ts";
import { keepDaemonId } from "../src/config/daemon-id.ts";
import { ownIdentity } from "../src/process/process-table.ts";
import { sampleEntry, sampleInvitation, sampleToken } from "../src/store/contract/people-contract.ts";
import { SampleSession } from "../src/store/contract/sample-session.ts";
import { openStore } from "../src/store/open-store.ts";
import { until } from "../src/testkit/until.ts";
import { DaemonProcess } from "./crash/daemon-process.ts";

let directory: string;
let data: string;
let daemon: DaemonProcess | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-backup-"));
  data = join(directory, "data");
  mkdirSync(data);
});

afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  rmSync(directory, { recursive: true, force: true });
});

const backUp = (file: string, ...more: string[]) => run(["backup", file, "--data", data, ...more]);
const restore = (file: string, target: string, ...more: string[]) =>
  run(["backup", "restore", file, "--data", target, ...more]);

async function store(directory: string, events: number): Promise<SampleSession> {
  const sample = new SampleSession("s");
  const store = await openStore({ directory });
  await store.append([sample.batch({ events, raws: 3, seal: true })]);
  await store.close();
  return sample;
}

async function eventsIn(target: string, session = "s"): Promise<string[]> {
  const store = await openStore({ directory: target });
  try {
    const { events } = await store.readEvents(session, 0, 1_000_000);
    return events.map(({ json }) => json);
  } finally {
    await store.close();
  }
}

async function heads(sessions: readonly string[]): Promise<Map<string, number>> {
  const found = await Promise.all(
    sessions.map((id) => daemon!.call<{ head: number }>("GET", `/v1/sessions/${id}`)),
  );
  return new Map(found.map(({ head }, index) => [sessions[index]!, head]));
}

describe("a backup during a burst", () => {
  it("is whole and has everything that was acknowledged before it began", { timeout: 180_000 }, async () => {
    daemon = await DaemonProcess.start(data, { root: directory });
    const sessions = ["a", "b"];
    for (const id of sessions) {
      await daemon.call("POST", "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
      await daemon.prompt(id, "scenario:burst:40000", `${id}-1`);
    }
    await until(async () => [...(await heads(sessions)).values()].every((head) => head > 500));
    const taken: { file: string; before: Map<string, number> }[] = [];
    for (let n = 0; n < 4; n += 1) {
      const [before, file] = [await heads(sessions), join(directory, `${n}.db`)];
      expect(await backUp(file)).toMatchObject({ code: 0, stderr: "" });
      taken.push({ file, before });
    }
    // At least one was taken while they wrote.
    expect((await heads(sessions)).get("a")).toBeGreaterThan(taken[0]!.before.get("a")!);
    const live = new Map<string, string[]>();
    for (const id of sessions) live.set(id, await daemon.events(id));
    for (const [n, { file, before }] of taken.entries()) {
      const target = join(directory, `restored-${n}`);
      expect((await restore(file, target)).code).toBe(0);
      for (const id of sessions) {
        const events = await eventsIn(target, id);
        expect(events.length).toBeGreaterThanOrEqual(before.get(id)!);
        expect(events).toEqual(live.get(id)!.slice(0, events.length));
      }
    }
    await daemon.kill();
    // A daemon takes up what the backup had, as after a death at that moment.
    daemon = await DaemonProcess.start(join(directory, "restored-0"), { root: directory });
    await daemon.prompt("a", "scenario:text", "a-2");
    await until(
      async () => (await daemon!.call<{ status: string }>("GET", "/v1/sessions/a")).status === "idle",
    );
    expect(await daemon.call("GET", "/v1/health")).toMatchObject({ status: "ok" });
  });

  it("that is killed leaves the former backup, and the next one works", { timeout: 120_000 }, async () => {
    const sample = await store(data, 20_000);
    const file = join(directory, "backup.db");
    expect((await backUp(file)).code).toBe(0);
    for (let kill = 0; kill < 6; kill += 1) {
      const running = start(["backup", file, "--force", "--data", data]);
      // From before it copies to while it reads the copy.
      await until(
        () =>
          kill === 0 ||
          running.child.exitCode !== null ||
          readdirSync(directory).some((name) => name.includes(".partial-")),
      );
      await sleep(kill * 15);
      running.child.kill("SIGKILL");
      await running.ended;
      const target = join(directory, `after-${kill}`);
      expect((await restore(file, target)).code).toBe(0);
      expect(await eventsIn(target)).toEqual(sample.events.map(({ json }) => json));
    }
    expect((await backUp(file, "--force")).code).toBe(0);
    expect(readdirSync(directory).filter((name) => name.includes(".partial-"))).toEqual([]);
  });
});

describe("backup", () => {
  it("makes one private file, replaces none without --force, and tells as JSON what it has", async () => {
    await store(data, 5);
    const file = join(directory, "b.db");
    const { code, stdout } = await backUp(file, "--json");
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      file,
      bytes: statSync(file).size,
      sessions: 1,
      events: 5,
      checkpoints: 0,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).sort()).toEqual(["b.db", "data"]);
    expect(await backUp(file)).toMatchObject({
      code: 1,
      stderr: `interlingua: ${file} exists. Give another name, or replace it with --force.\n`,
    });
    expect((await backUp(join(data, "interlingua.db"), "--force")).stderr).toMatch(/keeps its own files/);
    expect((await backUp(join(directory, "no", "b.db"))).stderr).toMatch(/no is not a directory/);
    expect((await run(["backup", "--data", data])).code).toBe(2);
  });

  it("does not follow a link in place of the database", async () => {
    const elsewhere = join(directory, "elsewhere");
    mkdirSync(elsewhere);
    await store(elsewhere, 5);
    symlinkSync(join(elsewhere, "interlingua.db"), join(data, "interlingua.db"));
    const file = join(directory, "b.db");
    expect(await backUp(file)).toMatchObject({ code: 1, stderr: expect.stringContaining("is a link") });
    expect(existsSync(file)).toBe(false);
  });

  it("of a damaged database does not take the place of a former one", async () => {
    await store(data, 50);
    const file = join(directory, "b.db");
    await backUp(file);
    const good = readFileSync(file);
    const path = join(data, "interlingua.db");
    const bytes = readFileSync(path);
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(path);
    const { data: block } = database.prepare("SELECT data FROM block").get() as { data: Uint8Array };
    database.close();
    const at = bytes.indexOf(block.subarray(0, 32)) + 20;
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(path, bytes);
    const { code, stderr } = await backUp(file, "--force");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The database is damaged, so .*b\.db was not written: Session "s".*b\.db\.damaged/,
    );
    expect(readFileSync(file).equals(good)).toBe(true);
    expect(existsSync(`${file}.damaged`)).toBe(true);
    expect((await restore(`${file}.damaged`, join(directory, "new"))).stderr).toMatch(
      /is damaged, so nothing was changed/,
    );
  });
});

describe("restore", () => {
  it("gives back tokens, invitations and who did what", async () => {
    const before = await openStore({ directory: data });
    await before.addInvitation(sampleInvitation("i"));
    await before.redeemInvitation("i", sampleToken("t", { invitation: "i", sessions: ["s"] }));
    await before.appendAudit([sampleEntry({ by: "anna" })]);
    await before.close();
    const file = join(directory, "backup.db");
    expect(await backUp(file)).toMatchObject({ code: 0 });
    const target = join(directory, "restored");
    expect(await restore(file, target)).toMatchObject({ code: 0 });
    const after = await openStore({ directory: target });
    expect(await after.listTokens()).toEqual([sampleToken("t", { invitation: "i", sessions: ["s"] })]);
    expect(await after.listInvitations()).toMatchObject([{ id: "i", token: "t" }]);
    expect((await after.readAudit({ limit: 10 })).entries).toMatchObject([{ seq: 1, by: "anna" }]);
    await after.close();
  });

  it("keeps what was there under another name, and only with --force", async () => {
    const former = await store(data, 7);
    const file = join(directory, "b.db");
    await backUp(file);
    const target = join(directory, "target");
    const other = await store(target, 3);
    const refused = await restore(file, target);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("holds sessions already. With --force"),
    });
    expect(await eventsIn(target)).toEqual(other.events.map(({ json }) => json));
    const { kept } = JSON.parse((await restore(file, target, "--force", "--json")).stdout) as {
      kept: string;
    };
    expect(await eventsIn(target)).toEqual(former.events.map(({ json }) => json));
    expect(statSync(join(target, "interlingua.db")).mode & 0o777).toBe(0o600);
    const back = join(directory, "back");
    expect((await restore(kept, back)).code).toBe(0);
    expect(await eventsIn(back)).toEqual(other.events.map(({ json }) => json));
  });

  it("is refused while a daemon runs on the directory", { timeout: 60_000 }, async () => {
    await store(data, 7);
    const file = join(directory, "b.db");
    await backUp(file);
    daemon = await DaemonProcess.start(data, { root: directory });
    const { code, stderr } = await restore(file, data, "--force");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^interlingua: Another daemon \(pid \d+.*\) already uses the data directory/);
    expect((await daemon.call<{ head: number }>("GET", "/v1/sessions/s")).head).toBe(7);
  });

  it("is refused while a daemon lives whose lock was removed", async () => {
    await store(data, 7);
    const file = join(directory, "b.db");
    await backUp(file);
    // This process stands for the daemon.
    const { pid, startTime } = ownIdentity();
    const info = JSON.stringify({ pid, processStart: startTime, daemonId: keepDaemonId(data) });
    writeFileSync(join(data, "daemon.json"), info);
    const { code, stderr } = await restore(file, data, "--force");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`daemon (pid ${pid})`),
    });
    expect(readFileSync(join(data, "daemon.json"), "utf8")).toBe(info);
  });

  it("of the file that a restore writes to does not delete it", async () => {
    await store(data, 7);
    const file = join(data, "interlingua.db.restoring");
    await backUp(join(directory, "b.db"));
    renameSync(join(directory, "b.db"), file);
    const { code, stderr } = await restore(file, data, "--force");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("another name first"),
    });
    expect(existsSync(file)).toBe(true);
  });

  it.each(["empty", "missing"])("of a database that is %s keeps the log beside it", async (state) => {
    const file = join(directory, "b.db");
    await store(data, 7);
    await backUp(file);
    const [path, wal] = [join(data, "interlingua.db"), join(data, "interlingua.db-wal")];
    if (state === "empty") writeFileSync(path, "");
    else rmSync(path);
    writeFileSync(wal, "what is left");
    expect((await restore(file, data)).stderr).toContain("holds sessions already");
    expect(readFileSync(wal, "utf8")).toBe("what is left");
    const { stdout } = await restore(file, data, "--force", "--json");
    const { kept } = JSON.parse(stdout) as { kept: string };
    expect(kept).toMatch(/-wal$/);
    expect(readFileSync(kept, "utf8")).toBe("what is left");
    expect(await eventsIn(data)).toHaveLength(7);
  });

  it("takes a database of an older format, and brings a directory back whose database is lost", async () => {
    const fixture = new URL("../src/store/fixtures/format-13/interlingua.db", import.meta.url).pathname;
    // SQLite writes beside what it reads.
    const file = join(directory, "old.db");
    copyFileSync(fixture, file);
    await store(data, 7);
    writeFileSync(join(data, "interlingua.db"), "");
    writeFileSync(join(data, "interlingua.db-wal"), "what is left");
    expect((await restore(file, data)).code).toBe(1);
    expect(await restore(file, data, "--force")).toMatchObject({ code: 0, stderr: "" });
    expect(await eventsIn(data, "asked")).toHaveLength(7);
    expect((await run(["db", "check", "--data", data])).code).toBe(0);
  });
});
