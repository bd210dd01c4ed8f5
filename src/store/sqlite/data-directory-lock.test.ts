import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { acquireDataDirectoryLock, DataDirectoryLockedError, readDaemonInfo } from "./data-directory-lock.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const HOLDER = new URL("../fixtures/hold-lock.ts", import.meta.url).pathname;

const children: ChildProcess[] = [];

/** Starts another process that wants the lock, and waits for what it says. */
async function startHolder(directory: string) {
  const child = spawn(process.execPath, ["--expose-gc", HOLDER, directory], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  const [output] = (await once(child.stdout, "data")) as [Buffer];
  return { child, said: output.toString().trim() };
}

describe("the lock of a data directory", () => {
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    removeTemporaryDirectories();
  });

  it("keeps a second process out and names the first", async () => {
    const directory = temporaryDirectory();
    const { child, said } = await startHolder(directory);
    expect(said).toBe("locked");
    const attempt = () => acquireDataDirectoryLock(directory, { pid: process.pid });
    expect(attempt).toThrow(DataDirectoryLockedError);
    expect(attempt).toThrow(`Another daemon (pid ${child.pid}, http://127.0.0.1:4100) already uses`);
    expect(readDaemonInfo(directory)).toEqual({
      pid: child.pid,
      url: "http://127.0.0.1:4100",
      version: "1.2.3",
    });

    child.kill("SIGKILL");
    await once(child, "exit");
    // The file is still there, but nobody holds the lock.
    expect(existsSync(join(directory, "daemon.json"))).toBe(true);
    expect(readDaemonInfo(directory)).toBeUndefined();
    acquireDataDirectoryLock(directory, { pid: process.pid }).release();
  });

  it("keeps other processes out while this one has it, also after asking who does", async () => {
    const directory = temporaryDirectory();
    const lock = acquireDataDirectoryLock(directory, { pid: process.pid });
    expect(() => acquireDataDirectoryLock(directory, { pid: 1 })).toThrow(`pid ${process.pid}`);
    expect(readDaemonInfo(directory)?.pid).toBe(process.pid);
    expect((await startHolder(directory)).said).toContain(`Another daemon (pid ${process.pid})`);
    lock.release();
  });

  it("releases once, removes its file and can be taken again", () => {
    const directory = temporaryDirectory();
    const lock = acquireDataDirectoryLock(directory, { pid: process.pid });
    lock.release();
    lock.release();
    lock.update({ url: "http://late" });
    expect(existsSync(join(directory, "daemon.json"))).toBe(false);
    expect(readDaemonInfo(directory)).toBeUndefined();
    acquireDataDirectoryLock(directory, { pid: process.pid }).release();
  });

  it("is not impressed by a file that a killed daemon left", () => {
    const directory = temporaryDirectory();
    for (const stale of [JSON.stringify({ pid: process.pid, url: "http://old" }), "{half"]) {
      writeFileSync(join(directory, "daemon.json"), stale);
      expect(readDaemonInfo(directory)).toBeUndefined();
      const lock = acquireDataDirectoryLock(directory, { pid: 4711, tokenFile: "/t", startedAt: 5 });
      const written = JSON.parse(readFileSync(join(directory, "daemon.json"), "utf8"));
      expect(written).toEqual({ pid: 4711, tokenFile: "/t", startedAt: 5 });
      lock.release();
    }
  });

  it("gives up on a place where nothing can be made", { skip: process.platform !== "linux" }, () => {
    expect(() => acquireDataDirectoryLock("/proc/a/b", { pid: process.pid })).toThrow("ENOENT");
  });

  it("is private", () => {
    const directory = join(temporaryDirectory(), "made");
    const lock = acquireDataDirectoryLock(directory, { pid: process.pid });
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(directory)).toBe(0o700);
    expect(mode(join(directory, "lock.db"))).toBe(0o600);
    expect(mode(join(directory, "daemon.json"))).toBe(0o600);
    lock.release();
  });
});
